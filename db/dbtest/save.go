package dbtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

var saveTests = map[string]func(*testing.T, *env){
	"survives reopening":             savedSurvives,
	"every field":                    everyField,
	"every field of an update":       everyFieldOfUpdate,
	"an error writes nothing":        errorWritesNothing,
	"a panic writes nothing":         panicWritesNothing,
	"a swallowed error is an error":  swallowedError,
	"of another agent is refused":    foreignRecord,
	"an update of nothing":           updateOfNothing,
	"erase leaves no trace":          eraseLeavesNothing,
	"large content":                  largeContent,
	"an empty agent":                 emptyAgent,
	"closing twice, then using it":   closedStore,
	"in pages, in order of creation": eachInOrder,
}

func savedSurvives(t *testing.T, e *env) {
	r := e.record("The ferry leaves at seven.")
	e.save(t, towards(1), r)
	e.reopen(t, Fingerprint)
	got, err := e.Records(t.Context(), agent, []string{r.ID})
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], r) {
		t.Fatalf("after reopening: %+v, %v", got, err)
	}
	for name, search := range searches {
		if name == "vectors" {
			hits, err := search(t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, 3)
			if err != nil || len(hits) != 1 {
				t.Errorf("%s after reopening: %v, %v", name, hits, err)
			}
		}
	}
}

// fullRecords returns records with unusual texts. The second has every field set, and the first and
// the third have few.
func fullRecords(e *env) []memory.Record {
	at := func(d time.Duration) time.Time { return start.Add(d) }
	return []memory.Record{
		e.record("plain"),
		e.record("everything\n\tat once \"quoted\" 'n' \\ %", func(r *memory.Record) {
			r.Project, r.Kind, r.Category, r.CategoryGuessed = "ann/boats", memory.KindEpisode, "event", true
			r.Importance, r.Pinned, r.Source = 0.123456789, true, memory.SourceImport
			r.Tags = []string{"a", "with, comma", `"q"`, "тег", "標籤"}
			r.ExternalID = "file://x?y#z"
			r.Metadata, r.Provenance = json.RawMessage(`{"b": [1, 2.50], "a": "ü"}`), json.RawMessage(`{"from":"bob"}`)
			r.OccurredAt, r.ValidFrom, r.ValidUntil = at(-time.Hour), at(-2*time.Hour), at(time.Microsecond)
			r.Mentions = []memory.Mention{{From: at(24 * time.Hour), To: at(48 * time.Hour), Relation: memory.MentionBy, Text: "mañana"}}
			r.Supersedes, r.SupersededBy, r.SupersededAt = "older", "newer", at(3*time.Hour)
			r.ArchivedAt, r.ArchiveWhy = at(4*time.Hour), "tidying up"
			r.Confirmations, r.AccessCount, r.LastAccessedAt = 7, 9, at(5*time.Hour)
			r.Episode = &memory.EpisodeDetails{Participants: []string{"Bo", "林"}, Outcome: "won — 3:2", EmotionalValence: -0.75}
		}),
		e.record("before 1970", func(r *memory.Record) {
			r.OccurredAt = time.Date(1066, 10, 14, 9, 0, 0, 1000, time.UTC)
			r.ValidFrom = time.Unix(0, 0).UTC() // not the zero time
			r.Importance, r.Kind = 0, memory.KindLongTerm
			r.Episode = &memory.EpisodeDetails{}
		}),
		e.record("日本語のテキスト、한국어 문장, ภาษาไทย"),
		e.record("שלום עולם و مرحبا بالعالم \u202Ereversed\u202C"),
		e.record("👩🏽‍🚀 went to the 🌕, e\u0301 and é, \U0001F1E9\U0001F1EA, \uFEFFBOM, \uFFFD"),
	}
}

func everyField(t *testing.T, e *env) {
	want := fullRecords(e)
	ids := make([]string, len(want))
	for i, r := range want {
		ids[i] = r.ID
	}
	e.save(t, nil, want...)
	got, err := e.Records(t.Context(), agent, ids)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "Records", got, want)
	var each []memory.Record
	err = e.EachRecord(t.Context(), agent, func(r memory.Record) error { each = append(each, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "EachRecord", each, want)
	for _, r := range want {
		e.write(t, func(tx memory.Tx) error {
			inside, err := tx.Record(r.ID)
			compare(t, "Tx.Record", []memory.Record{inside}, []memory.Record{r})
			return err
		})
	}
}

func compare(t *testing.T, what string, got, want []memory.Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s returned %d records, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%s:\n got %s\nwant %s", what, asJSON(got[i]), asJSON(want[i]))
		}
	}
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(b)
}

// everyFieldOfUpdate updates each full record to each other one. Fields that an update cannot
// change must stay.
func everyFieldOfUpdate(t *testing.T, e *env) {
	all := fullRecords(e)[:3]
	e.save(t, nil, all...)
	for _, from := range all {
		for _, to := range all {
			want := to
			want.ID, want.Agent, want.Kind, want.Content, want.CreatedAt = from.ID, from.Agent, from.Kind, from.Content, from.CreatedAt
			changed := to // what cannot be changed is not looked at
			changed.ID, changed.CreatedAt = from.ID, time.Time{}
			if !changed.OfKind(from.Kind) {
				changed.KindDetails, want.KindDetails = from.KindDetails, from.KindDetails
			}
			e.write(t, func(tx memory.Tx) error { return tx.UpdateRecord(changed) })
			got, err := e.Records(t.Context(), agent, []string{from.ID})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "after an update", got, []memory.Record{want})
			e.write(t, func(tx memory.Tx) error {
				same, err := tx.RecordByContent(want.Project, want.Kind, want.Content)
				if live := want.Live(); err == nil && (same != nil) != live {
					t.Errorf("found by content in project %q: %v, live: %v", want.Project, same != nil, live)
				}
				return err
			})
		}
	}
}

// bankState returns all that can be read of ann's bank, as text.
func bankState(t *testing.T, e *env) string {
	t.Helper()
	ctx := t.Context()
	var b strings.Builder
	stats, err := e.Stats(ctx, agent)
	stats.DatabaseBytes = 0
	fmt.Fprintf(&b, "%s %v\n", asJSON(stats), err)
	for _, c := range memory.Corpora() {
		s, err := e.Statistics(ctx, agent, c, []string{"harbour", "ferri", "spare"})
		fmt.Fprintf(&b, "%s %v\n", asJSON(s), err)
		for _, name := range []string{"words", "parts", "vectors"} {
			hits, err := searches[name](ctx, e, c, memory.Filter{Agent: agent}, 50)
			fmt.Fprintf(&b, "%s %d %v\n", name, len(hits), err)
		}
	}
	err = e.EachRecord(ctx, agent, func(r memory.Record) error { b.WriteString(asJSON(r) + "\n"); return nil })
	fmt.Fprintln(&b, err)
	err = e.EachTurn(ctx, agent, func(turn memory.Turn) error { b.WriteString(asJSON(turn) + "\n"); return nil })
	fmt.Fprintln(&b, err)
	jobs, err := e.VectorJobs(ctx, start.AddDate(1, 0, 0), 100)
	fmt.Fprintln(&b, asJSON(jobs), err)
	return b.String()
}

// everyWrite calls the methods of tx by which records, turns, results and undos are written, and
// erases there.
func everyWrite(e *env, tx memory.Tx, there memory.Record) error {
	spare := e.record("A spare harbour.", func(r *memory.Record) { r.ExternalID = "spare" })
	changed := there
	changed.Importance, changed.Tags = 1, []string{"changed"}
	_, turns := tx.InsertTurns([]memory.Turn{e.turn("Is that a harbour?"),
		e.turn("Yes", func(t *memory.Turn) { t.ExternalID = "m1" })}, nil)
	return errors.Join(
		tx.InsertRecord(spare, towards(1)),
		tx.InsertRecord(e.record("harbour later"), nil),
		tx.UpdateRecord(changed),
		tx.NameRecord("other name", there.ID),
		tx.KeepResult("tool", "key", json.RawMessage(`{}`)),
		tx.KeepUndo(memory.Undo{ID: "u", Action: "tidy", Records: []string{there.ID}, At: start}),
		turns,
		tx.EraseRecord(there.ID),
	)
}

func errorWritesNothing(t *testing.T, e *env) {
	there := e.record("The harbour has a ferry.", func(r *memory.Record) { r.ExternalID = "first" })
	e.save(t, towards(1), there)
	before := bankState(t, e)
	failure := errors.New("changed my mind")
	err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
		if err := everyWrite(e, tx, there); err != nil {
			t.Errorf("a write failed: %v", err)
		}
		return failure
	})
	if err != failure {
		t.Errorf("error came back as %#v", err)
	}
	unchanged(t, e, before)
}

func unchanged(t *testing.T, e *env, before string) {
	t.Helper()
	if after := bankState(t, e); after != before {
		t.Errorf("the bank changed\n from %s\n   to %s", before, after)
	}
	e.write(t, func(tx memory.Tx) error {
		result, err := tx.Result("tool", "key")
		if result != nil || err != nil {
			t.Errorf("kept result %s, %v", result, err)
		}
		_, err = tx.Undo("u")
		wantCode(t, err, memory.CodeNotFound)
		named, err := tx.RecordByExternalID("other name")
		if named != nil || err != nil {
			t.Errorf("kept name of %v, %v", named, err)
		}
		return nil
	})
}

func panicWritesNothing(t *testing.T, e *env) {
	there := e.record("The harbour has a ferry.")
	e.save(t, towards(1), there)
	before := bankState(t, e)
	func() {
		defer func() {
			if recover() != "oh" {
				t.Error("the panic got lost")
			}
		}()
		err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
			if err := everyWrite(e, tx, there); err != nil {
				t.Errorf("a write failed: %v", err)
			}
			panic("oh")
		})
		t.Errorf("Write returned %v", err)
	}()
	unchanged(t, e, before)
	e.save(t, nil, e.record("still works"))
}

// swallowedError tests that a transaction is not committed after a failed write, even if its
// function ignores the error.
func swallowedError(t *testing.T, e *env) {
	there := e.record("The harbour has a ferry.")
	e.save(t, towards(1), there)
	before := bankState(t, e)
	err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
		if err := tx.InsertRecord(e.record("A second harbour."), nil); err != nil {
			t.Error(err)
		}
		_ = tx.InsertRecord(there, nil) // its id is taken
		return nil
	})
	if err == nil {
		t.Error("Write reported success")
	}
	unchanged(t, e, before)
}

func foreignRecord(t *testing.T, e *env) {
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error { return tx.InsertRecord(e.record("of ann"), nil) })
	if err == nil {
		t.Error("a record went into another agent's bank")
	}
	err = e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		_, err := tx.InsertTurns([]memory.Turn{e.turn("of ann")}, nil)
		return err
	})
	if err == nil {
		t.Error("a turn went into another agent's bank")
	}
}

func updateOfNothing(t *testing.T, e *env) {
	for name, fn := range map[string]func(memory.Tx) error{
		"UpdateRecord": func(tx memory.Tx) error { return tx.UpdateRecord(e.record("not stored")) },
		"EraseRecord":  func(tx memory.Tx) error { return tx.EraseRecord("nothing") },
		"NameRecord":   func(tx memory.Tx) error { return tx.NameRecord("name", "nothing") },
		"Record":       func(tx memory.Tx) error { _, err := tx.Record("nothing"); return err },
		"MarkUndone":   func(tx memory.Tx) error { return tx.MarkUndone("nothing", start) },
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, e.Write(t.Context(), agent, fn), memory.CodeNotFound) })
	}
}

func eraseLeavesNothing(t *testing.T, e *env) {
	e.write(t, func(memory.Tx) error { return nil }) // the bank itself stays
	before := bankState(t, e)
	with := e.record("The harbour has a ferry.", func(r *memory.Record) {
		r.ExternalID, r.Kind, r.Episode = "x", memory.KindEpisode, &memory.EpisodeDetails{Outcome: "fine"}
	})
	without := e.record("Another harbour waits.")
	e.save(t, towards(1), with)
	e.save(t, nil, without)
	if err := e.Reinforce(t.Context(), agent, "s", []string{with.ID}, start); err != nil {
		t.Fatal(err)
	}
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(tx.NameRecord("other name", with.ID), tx.EraseRecord(with.ID), tx.EraseRecord(without.ID))
	})
	unchanged(t, e, before)

	// A new record with the same content has none of the erased one's accesses, names and details.
	fresh := with
	fresh.ExternalID, fresh.Episode = "", nil
	e.save(t, towards(1), fresh)
	got, err := e.Records(t.Context(), agent, []string{with.ID})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "after an erasure", got, []memory.Record{fresh})
	if err := e.Reinforce(t.Context(), agent, "s", []string{with.ID}, start); err != nil {
		t.Fatal(err)
	}
	if got, _ = e.Records(t.Context(), agent, []string{with.ID}); got[0].AccessCount != 1 {
		t.Errorf("access count is %d, want 1", got[0].AccessCount)
	}
}

func largeContent(t *testing.T, e *env) {
	long := strings.Repeat("harbour größer 港湾 ", memory.MaxTurnBytes/25)
	e.say(t, e.turn(long))
	r := e.record(long[:memory.MaxContentBytes/25*25])
	e.save(t, nil, r)
	got, err := e.Records(t.Context(), agent, []string{r.ID})
	if err != nil || len(got) != 1 || got[0].Content != r.Content {
		t.Errorf("content of %d bytes came back wrong: %v", len(r.Content), err)
	}
	hits, err := e.MatchWords(t.Context(), memory.Conversations, memory.Filter{Agent: agent}, []string{"grosser", "größer"}, 5)
	if err != nil || len(hits) != 1 {
		t.Errorf("turn of %d bytes: %v, %v", len(long), hits, err)
	}
}

func emptyAgent(t *testing.T, e *env) {
	wantCode(t, e.Write(t.Context(), "", func(memory.Tx) error { return nil }), memory.CodeInvalidArgument)
}

func closedStore(t *testing.T, e *env) {
	for range 2 {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if err := e.Write(t.Context(), agent, func(memory.Tx) error { return nil }); err == nil {
		t.Error("a write after Close succeeded")
	}
	if _, err := e.Records(t.Context(), agent, []string{"x"}); err == nil {
		t.Error("a read after Close succeeded")
	}
}

func eachInOrder(t *testing.T, e *env) {
	const n = 1203 // several pages, the last one not full
	records, turns := make([]memory.Record, n), make([]memory.Turn, n)
	for i := range n {
		records[i], turns[i] = e.record(fmt.Sprint("r", i)), e.turn(fmt.Sprint("t", i))
	}
	e.save(t, nil, records...)
	e.say(t, turns...)
	i := 0
	err := e.EachRecord(t.Context(), agent, func(r memory.Record) error {
		if r.ID != records[i].ID {
			t.Fatalf("record %d is %s", i, r.Content)
		}
		i++
		return nil
	})
	if err != nil || i != n {
		t.Errorf("EachRecord: %d records, %v", i, err)
	}
	i = 0
	stop := errors.New("enough")
	err = e.EachTurn(t.Context(), agent, func(turn memory.Turn) error {
		if turn.ID != turns[i].ID || turn.Index != i {
			t.Fatalf("turn %d is %s with index %d", i, turn.Content, turn.Index)
		}
		if i++; i == 700 {
			return stop
		}
		return nil
	})
	if err != stop || i != 700 {
		t.Errorf("EachTurn: %d turns, %v", i, err)
	}
}
