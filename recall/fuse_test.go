package recall

import (
	"math"
	"slices"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// near reports whether two numbers differ by rounding at most.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Each measure is multiplied by its own weight and stands in its own part. The
// weights are made up and all different, so that no two can change places.
func TestEachMeasureHasItsWeight(t *testing.T) {
	w := Weights{
		Lexical: 2, Coverage: 3, Soft: 5, Bigrams: 7, Vector: 11, Before: 13, After: 17, Around: 19, Answers: 23,
		Session: 29, Theme: 31, Best: 37, Next: 41, Time: 43, Synonyms: 47, Scale: 2,
	}
	for _, c := range []struct {
		hit  index.Hit
		part string
		want float64
	}{
		{index.Hit{Lexical: 1}, "lexical", 1},
		{index.Hit{Coverage: 1}, "coverage", 1.5},
		{index.Hit{Soft: 1}, "soft", 2.5},
		{index.Hit{Bigrams: 1}, "bigrams", 3.5},
		{index.Hit{Vector: 1}, "vector", 5.5},
		{index.Hit{Vector: -1}, "vector", 0}, // the opposite is no less than nothing
		{index.Hit{Before: 1}, "neighbours", 6.5},
		{index.Hit{After: 1}, "neighbours", 8.5},
		{index.Hit{Around: 1}, "neighbours", 9.5},
		{index.Hit{Answers: 1}, "neighbours", 11.5},
		{index.Hit{Session: 1}, "session", 14.5},
		{index.Hit{Theme: 1}, "session", 15.5},
		{index.Hit{Best: 1}, "session", 18.5},
		{index.Hit{Next: 1}, "session", 20.5},
		{index.Hit{Time: 1}, "time", 21.5},
		{index.Hit{Synonyms: 1}, "synonyms", 23.5},
		{index.Hit{Lexical: 0.5}, "lexical", 0.5},
	} {
		measured := contributionsOf(&c.hit, &w, true)
		for _, p := range measured.parts() {
			want := 0.0
			if p.Name == c.part {
				want = c.want
			}
			if !near(p.Value, want) {
				t.Errorf("%+v: the part %s is %v, want %v", c.hit, p.Name, p.Value, want)
			}
		}
		if got := measured.sum(); !near(got, c.want) {
			t.Errorf("%+v: the sum is %v, want %v", c.hit, got, c.want)
		}
	}
}

// Marks multiply every part.
func TestMarks(t *testing.T) {
	w := Weights{Lexical: 1, Time: 1, Short: -0.5, Asking: 3, User: 4, Named: 5, Others: 6, Dated: 7, Scale: 1}
	for name, c := range map[string]struct {
		hit  index.Hit
		when bool
		want float64
	}{
		"none":              {index.Hit{}, true, 1},
		"short":             {index.Hit{Short: 1}, true, 0.5},
		"half short":        {index.Hit{Short: 0.5}, true, 0.75},
		"a question":        {index.Hit{Asking: 1}, true, 4},
		"by the user":       {index.Hit{User: true}, true, 5},
		"by one named":      {index.Hit{Named: true}, true, 6},
		"by another":        {index.Hit{Others: true}, true, 7},
		"dated":             {index.Hit{Dated: true}, true, 8},
		"dated, not asked":  {index.Hit{Dated: true}, false, 1},
		"short, by a user":  {index.Hit{Short: 1, User: true}, true, 2.5},
		"asks, no weight":   {index.Hit{Asks: true}, true, 1},
		"with an assistant": {index.Hit{Assisted: true}, true, 1},
	} {
		c.hit.Lexical, c.hit.Time = 1, 1
		measured := contributionsOf(&c.hit, &w, c.when)
		for _, p := range measured.parts() {
			if (p.Name == "lexical" || p.Name == "time") != near(p.Value, c.want) {
				t.Errorf("%s: the part %s is %v", name, p.Name, p.Value)
			}
		}
	}
}

// The score in numbers: what is off the question must not win by being
// important, and what is no longer true counts half.
func TestScore(t *testing.T) {
	of := func(relevance, literal, verbatim, salience, recency float64, stale bool) *candidate {
		c := &candidate{features: features{literal: literal, verbatim: verbatim, salience: salience, recency: recency, stale: stale}}
		c.relevance = relevance
		return c
	}
	for name, c := range map[string]struct {
		candidate *candidate
		strength  float64
	}{
		"nothing":                    {of(0, 0, 0, 0, 0, false), 0},
		"important and recent alone": {of(0, 0, 0, 1, 1, false), 0},
		"relevant":                   {of(1, 0, 0, 0, 0, false), 0.94},
		"half as relevant":           {of(0.5, 0, 0, 0, 0, false), 0.47},
		"literal":                    {of(1, 1, 0, 0, 0, false), 1.1 * 0.94},
		"word for word":              {of(1, 0, 1, 0, 0, false), 3 * 0.94},
		"salient":                    {of(1, 0, 0, 1, 0, false), 0.98},
		"recent":                     {of(1, 0, 0, 0, 1, false), 0.96},
		"salient and recent":         {of(1, 0, 0, 1, 1, false), 1},
		"stale":                      {of(1, 0, 0, 0, 0, true), 0.47},
		"everything, but stale":      {of(1, 1, 1, 1, 1, true), 1.55},
	} {
		fuse(c.candidate)
		if want := c.strength / (1 + c.strength); !near(c.candidate.score, want) {
			t.Errorf("%s: %v, want %v", name, c.candidate.score, want)
		}
	}
}

// The best first; of equals the earlier document, in whatever order they come.
func TestRankSettlesTies(t *testing.T) {
	of := func(seq int64, score float64) *candidate {
		return &candidate{Document: memory.Document{Seq: seq}, score: score}
	}
	seqs := func(list []*candidate) (seqs []int64) {
		for _, c := range list {
			seqs = append(seqs, c.Document.Seq)
		}
		return seqs
	}
	list := []*candidate{of(5, 0.2), of(2, 0.5), of(4, 0.9), of(1, 0.5), of(3, 0.5)}
	want := []int64{4, 1, 2, 3, 5}
	for range len(list) {
		list = append(list[1:], list[0])
		shuffled := slices.Clone(list)
		rank(shuffled)
		if got := seqs(shuffled); !slices.Equal(got, want) {
			t.Errorf("%v became %v, want %v", seqs(list), got, want)
		}
	}
}
