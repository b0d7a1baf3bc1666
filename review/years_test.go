package review

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestWithoutSupport(t *testing.T) {
	at := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ content, said, corrected string }{
		{"The user pays the rent by card from January 2026.", "From January we pay the rent by card.",
			"The user pays the rent by card from January."},
		{"The rent goes up from January 2027.", "The rent goes up from January.", ""},
		{"The user moved in May 2026.", "We moved in May.", ""},
		{"The user moved on 5 May 2024.\nShe likes it.", "We moved on the 5th of May. I like it.",
			"The user moved on 5 May.\nShe likes it."},
		{"24 November 2026: The rent goes up from March 2026.", "The rent goes up from March.",
			"24 November 2026: The rent goes up from March."},
		{"23 November 2025: The rent went up.", "The rent went up.", "23 November: The rent went up."},
		{"The user moved on May 5, 2024, by van.", "I moved on May 5 by van.", "The user moved on May 5, by van."},
		{"The user started last summer (summer of 2025).", "I started in summer.", "The user started last summer (summer)."},
		{"The user has lived in Oslo since 2019.", "I live in Oslo.", "-"},
		{"The lease ends on 2027-03-01.", "The lease ends in spring or so.", ""},
		{"The lease ends on 2029-03-01.", "The lease ends soon.", "-"},
		{"The user left Oslo in 2024.", "I left Oslo two years ago.", ""},
		{"The user pays from March 2026.", "We pay each month from March.", ""}, // which March is unsure
		{"Version 2024 of the tool is used.", "We use that tool.", ""},
		{"The visa is good until 3 March 2028.", "Until 03.03.28 the visa is good.", ""},
	} {
		item, found := withoutSupport(memory.Record{ID: "r", Content: c.content, OccurredAt: at},
			[]Said{{Text: c.said, Speaker: "user", At: at}})
		want := c.corrected
		if want == "-" {
			want = ""
		}
		if found != (c.corrected != "") || item.Corrected != want || found && item.Said.Text != c.said {
			t.Errorf("%q for %q: %t, %q, said %q", c.content, c.said, found, item.Corrected, item.Said.Text)
		}
	}
}

// TestQuote: of a long message the sentence is shown that was meant.
func TestQuote(t *testing.T) {
	at := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	long := "The cellar is dry. " + strings.Repeat("Nothing happened all day long, as ever. ", 30) +
		"From January we pay the rent by card. The garden is green."
	item, _ := withoutSupport(memory.Record{ID: "r", Content: "The user pays the rent by card from January 2026.", OccurredAt: at},
		[]Said{{Text: "It rains.", At: at}, {Text: long, At: at}})
	if item.Said.Text != "From January we pay the rent by card." {
		t.Errorf("said %q", item.Said.Text)
	}
}

// TestInvented looks at what extraction and self-care have written, down to the messages.
func TestInvented(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	bank := testbank.New(t, testbank.Options{Clock: func() time.Time { return now }})
	s := New(Options{Store: bank.Store, Clock: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	scope := memory.Scope{Agent: "default"}
	turn := func(id, content string) {
		if err := bank.Store.Write(t.Context(), scope.Agent, func(tx memory.Tx) error {
			_,
				err := tx.InsertTurns([]memory.Turn{{ID: id, Agent: scope.Agent, Session: "s", Role: memory.RoleUser, Speaker: "Ines",
				Content: content, SaidAt: now, CreatedAt: now}}, nil)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	save := func(content string, source memory.Source, from map[string]any) string {
		origin, err := json.Marshal(from)
		if err != nil {
			t.Fatal(err)
		}
		saved, err := bank.Remember.Save(t.Context(), scope,
			remember.SaveRequest{Content: content, Source: source, Provenance: origin, OccurredAt: now})
		if err != nil {
			t.Fatal(err)
		}
		return saved.ID
	}
	summary := func(content string, covers ...string) string {
		id := bank.IDs.New()
		if err := bank.Store.Write(t.Context(), scope.Agent, func(tx memory.Tx) error {
			return tx.InsertRecord(memory.Record{
				ID: id, Agent: scope.Agent, Kind: memory.KindSummary, Category: "knowledge",
				Content: content, Source: memory.SourceAgent, CreatedAt: now, OccurredAt: now,
				Confirmations: 1,
				KindDetails:   memory.KindDetails{Summary: &memory.SummaryDetails{Of: "memories", Covers: covers, Count: len(covers)}},
			}, nil)
		}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	turn("t0", "From January we pay the rent by card.")
	turn("t1", "The lease is from 2019.")
	from := func(turn string, index int) map[string]any {
		return map[string]any{"session": "s", "turn": turn, "index": index}
	}
	bad := save("The user pays the rent by card from January 2026.", memory.SourceAgent, from("t0", 0))
	save("The lease of the flat is from 2019.", memory.SourceAgent, from("t1", 1))
	save("The rent was raised in January 2018.", memory.SourceAgent, from("erased", 0)) // nobody can say
	save("The cellar was dry in March 2017.", memory.SourceUser, from("t0", 0))         // a person wrote it
	told := save("The boiler is checked in February.", memory.SourceUser, nil)
	want := []string{bad,
		summary("Rent by card from January 2026; the lease is from 2019.", bad, "t1"),
		summary("The boiler is checked in February 2026.", told)}
	summary("The boiler is checked in February 2027.", told)
	summary("The boiler is checked in February 2026, or so.", told, "erased")
	items, err := s.look(t.Context(), scope.Agent)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range items {
		if i.Kind == Year {
			got = append(got, i.Newer.ID)
			if i.Newer.ID != want[2] && i.Said != (Said{"From January we pay the rent by card.", "Ines", now}) {
				t.Errorf("%q: said %+v", i.Newer.Content, i.Said)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Error(fmt.Sprint("found ", got, ", want ", want))
	}
}
