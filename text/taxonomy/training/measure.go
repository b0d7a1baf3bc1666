package training

import (
	"slices"
	"sync"

	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/model"
)

// Parts is how many parts the sentences are split into for cross-validation.
const Parts = 5

// Split returns the sentences of a part, 0 to Parts-1, and all others: every
// fifth sentence is in the same part.
func Split(sentences []Sentence, part int) (held, rest []Sentence) {
	for i, s := range sentences {
		if i%Parts == part {
			held = append(held, s)
		} else {
			rest = append(rest, s)
		}
	}
	return held, rest
}

// Report counts how many sentences of a set were assigned to their class. Those
// of Set.Nowhere are only in Confusion.
type Report struct {
	Set Set

	Right, All         int
	RightHard, AllHard int
	// Confusion counts sentences by their class and the class that they were
	// assigned to, in the order of [Set.Classes].
	Confusion [][]int
}

// Add counts a sentence and the class that it was assigned to.
func (r *Report) Add(s Sentence, got string) {
	names := r.Set.Classes
	if r.Confusion == nil {
		for range names {
			r.Confusion = append(r.Confusion, make([]int, len(names)))
		}
	}
	if have, put := slices.Index(names, s.Category), slices.Index(names, got); have >= 0 && put >= 0 {
		r.Confusion[have][put]++
	}
	if s.Category == r.Set.Nowhere {
		return
	}
	r.All++
	if s.Hard {
		r.AllHard++
	}
	if s.Category == got {
		r.Right++
		if s.Hard {
			r.RightHard++
		}
	}
}

// Apply counts sentences as a fitted model alone assigns them. It panics if
// file is not a model.
func (r *Report) Apply(file []byte, sentences []Sentence, table *semantics.Table) {
	m, err := model.Decode(file)
	if err != nil {
		panic(err)
	}
	reader := model.NewReader(table)
	for _, s := range sentences {
		p := m.Probabilities(reader.Read(s.Text))
		r.Add(s, m.Names()[slices.Index(p, slices.Max(p))])
	}
}

// CrossValidate fits, for each part, a model to all other parts, and reports
// how it assigns the sentences of that part.
func (s Set) CrossValidate(sentences []Sentence, table *semantics.Table) Report {
	var models [Parts][]byte
	var wg sync.WaitGroup
	for part := range Parts {
		wg.Go(func() {
			_, rest := Split(sentences, part)
			models[part] = s.Model(rest, table)
		})
	}
	wg.Wait()
	r := Report{Set: s}
	for part, file := range models {
		held, _ := Split(sentences, part)
		r.Apply(file, held, table)
	}
	return r
}
