package remember_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/analysis"
)

// TestForgetByQueryFindsAll compares what a query names with a look at every record: with
// words of every script, and where a word is rare, common or in nothing.
func TestForgetByQueryFindsAll(t *testing.T) {
	b := newBank(t)
	parts := []string{
		"harbour", "harbours", "ferry", "ferries", "Running", "runs", "café",
		"Größe", "parseHTTPRequest", "http", "vat_rate_bp", "東京都", "한국어", "ไทย",
		"v1.2", "don't", "2026-03-01", "e-mail", "email", "long-term", "AND", "\"quoted\"", "O'Brien",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var text []string
		for range 3 {
			text = append(text, parts[random.IntN(len(parts))])
		}
		saved := b.save(remember.SaveRequest{Content: fmt.Sprintf("Common note %d: %s.", i, strings.Join(text, " "))})
		if i%7 == 0 {
			b.forget(remember.ForgetRequest{IDs: []string{saved.ID}})
		}
	}
	b.save(remember.SaveRequest{Content: "A single giraffe."})
	asked := 0
	for _, query := range append(slices.Clone(parts), "giraffes", "common", "common ferry", "elephant", "harbour 東京", "note 7",
		"common notes http", "京都", "term", "mail") {
		wanted := analysis.Content(query)
		if len(wanted) == 0 {
			continue
		}
		var want []string
		for _, r := range b.records() {
			stems := analysis.Content(r.Content)
			if r.ArchivedAt.IsZero() && !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(stems, s) }) {
				want = append(want, r.ID)
			}
		}
		asked += len(want)
		for _, permanent := range []bool{false, true} {
			got := b.forget(remember.ForgetRequest{Query: query, DryRun: true, Permanent: permanent})
			if permanent {
				got.IDs = slices.DeleteFunc(got.IDs, func(id string) bool { return !b.record(id).ArchivedAt.IsZero() })
			}
			if !slices.Equal(got.IDs, want) {
				t.Errorf("%q, permanent %v: %d, want %d", query, permanent, len(got.IDs), len(want))
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d records were named", asked)
	}
}

// TestForgetByQueryWithoutIndex: what the index does not have is found all the same.
func TestForgetByQueryWithoutIndex(t *testing.T) {
	b := newBank(t)
	for i := range 20 {
		b.say(fmt.Sprintf("Note %d is about nothing.", i))
	}
	want := b.say("A giraffe has moved in.")
	lost := &unindexed{Store: b.store}
	all := testbank.New(t, testbank.Options{Clock: func() time.Time { return b.now }})
	o := all.RememberOptions()
	o.Store = lost
	got, err := remember.New(o).Forget(t.Context(), anna, remember.ForgetRequest{Query: "giraffe", DryRun: true})
	if err != nil || !slices.Equal(got.IDs, []string{want.ID}) || lost.asked == 0 {
		t.Errorf("%+v, %v, index asked %d times", got, err, lost.asked)
	}
}

// unindexed is a store whose word index has lost everything.
type unindexed struct {
	memory.Store
	asked int
}

func (u *unindexed) MatchWords(context.Context, memory.Corpus, memory.Filter, []string, int) ([]memory.Hit, error) {
	u.asked++
	return nil, nil
}
