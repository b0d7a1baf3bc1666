// Package taxonomy sorts text into categories without a model: a text and each
// category's description are compared by the words they share and by the
// direction of their vectors in the semantic table. The same text always gets
// the same category. It is right often enough to help ranking and to make a
// listing readable, and wrong often enough that nothing may be hidden by it:
// a record with a guessed category is marked so, and retrieval treats the
// guess as a hint.
package taxonomy

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

// Score is how well a category fits a text, from 0 to 1.
type Score struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Classifier knows a set of categories. Safe for concurrent use.
type Classifier struct {
	profiles func() *profiles
}

// profiles are the categories as they are compared.
type profiles struct {
	table      *semantics.Table
	categories []profile
	holders    map[string]int // stem → categories whose description has it
}

type profile struct {
	name   string
	stems  map[string]bool
	vector []float32
}

const (
	// floor is the score below which a text belongs to no category.
	floor = 0.12
	// wordWeight is the share of common words in a score; the rest is the
	// cosine of the vectors.
	wordWeight = 0.6
)

// New returns a classifier of the categories over a semantic table. The table
// is asked for when the first text comes, so that starting a program does not
// wait for it.
func New(categories []memory.Category, table func() *semantics.Table) *Classifier {
	return &Classifier{sync.OnceValue(func() *profiles { return newProfiles(categories, table()) })}
}

func newProfiles(categories []memory.Category, table *semantics.Table) *profiles {
	all := &profiles{table: table, holders: map[string]int{}}
	for _, category := range categories {
		if category.Name == memory.CategoryOther {
			continue // what fits nowhere, not a subject of its own
		}
		p := profile{name: category.Name, stems: map[string]bool{}}
		stems := analysis.Content(category.Name + " " + category.Description)
		for _, stem := range stems {
			if !p.stems[stem] {
				p.stems[stem] = true
				all.holders[stem]++
			}
		}
		p.vector = table.TextVector(stems, nil)
		all.categories = append(all.categories, p)
	}
	return all
}

// Rank returns every category with its score, best first; ties keep the order
// in which the categories were given.
func (c *Classifier) Rank(text string) []Score {
	all := c.profiles()
	stems := analysis.Content(text)
	vector := all.table.TextVector(stems, nil)
	scores := make([]Score, len(all.categories))
	for i, p := range all.categories {
		scores[i] = Score{p.name, all.score(p, stems, vector)}
	}
	slices.SortStableFunc(scores, func(a, b Score) int { return cmp.Compare(b.Score, a.Score) })
	return scores
}

// Choose returns the category that fits best, or [memory.CategoryOther].
func (c *Classifier) Choose(text string) string {
	if best := c.Rank(text); len(best) > 0 && best[0].Score >= floor {
		return best[0].Name
	}
	return memory.CategoryOther
}

// score adds up the text's words that the description has, each weighing less
// the more categories have it, with diminishing returns, and the cosine.
func (all *profiles) score(p profile, stems []string, vector []float32) float64 {
	shared, seen := 0.0, map[string]bool{}
	for _, stem := range stems {
		if p.stems[stem] && !seen[stem] {
			seen[stem] = true
			shared += 1 / float64(all.holders[stem])
		}
	}
	cosine := max(0, dot(vector, p.vector))
	return wordWeight*(1-math.Exp(-shared)) + (1-wordWeight)*cosine
}

func dot(a, b []float32) float64 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}
