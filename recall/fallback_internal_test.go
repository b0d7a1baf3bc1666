package recall

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
)

// TestComparable: a vocabulary without long numbers has for a question without one all that
// is like its words, near to them or mistyped.
func TestComparable(t *testing.T) {
	table := semantics.Builtin()
	names := rapid.OneOf(
		rapid.StringMatching(`[a-z]{1,9}`), rapid.StringMatching(`[a-z]{1,5}[0-9]{1,5}`), rapid.StringMatching(`[0-9]{1,7}`),
		rapid.StringMatching(`[0-9]{1,4}[a-z]{1,6}[0-9]{0,3}`),
		rapid.SampledFrom([]string{"boat", "boats1234", "12345boat", "10000", "2019", "ship", "ferri"}),
	)
	similar := func(q question, vocabulary []string) []string {
		ix := index.New(table, &memory.Statistics{})
		ix.Learn(vocabulary)
		return ix.Similar(q.forIndex(memory.Memories), 0)
	}
	rapid.Check(t, func(t *rapid.T) {
		vocabulary := rapid.SliceOfDistinct(names, func(s string) string { return s }).Draw(t, "vocabulary")
		stem := rapid.OneOf(rapid.StringMatching(`[a-z]{2,9}`), rapid.SampledFrom([]string{"boat", "baot", "1234", "a123"})).Draw(t, "stem")
		q := question{words: []string{stem}, stems: []string{stem}, stemmed: []string{stem}}
		if all, some := similar(q, vocabulary), similar(q, q.comparable(slices.Clone(vocabulary))); !slices.Equal(all, some) {
			t.Fatalf("%s: %q, and %q without long numbers", stem, all, some)
		}
	})
	var long []string
	for i := range 1000 {
		long = append(long, fmt.Sprint(12345+i))
	}
	if left := (question{words: []string{"boat"}}).comparable(long); len(left) > 0 {
		t.Errorf("%d of 1000 numbers are left", len(left))
	}
}
