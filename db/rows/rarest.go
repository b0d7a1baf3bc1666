package rows

import (
	"cmp"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// StemsOf returns the stem of each word, by which it is counted.
func StemsOf(words []string) []string {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = analysis.Stem(w)
	}
	return stems
}

// RarestWords returns the words that [memory.Searcher.MatchRarest] looks for: those that occur, from
// the rarest on, as many as are within the bounds.
func RarestWords(words []string, stats memory.Statistics, within memory.Rarest) []string {
	type counted struct {
		word string
		n    int
	}
	var known []counted
	for i, stem := range StemsOf(words) {
		if n := stats.Frequency[stem]; n > 0 {
			known = append(known, counted{words[i], n})
		}
	}
	slices.SortStableFunc(known, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	var rare []string
	total := 0
	for _, w := range known[:min(within.Words, len(known))] {
		if total += w.n; total > within.Postings {
			break
		}
		rare = append(rare, w.word)
	}
	return rare
}
