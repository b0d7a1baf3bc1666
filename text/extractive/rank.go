package extractive

import (
	"math"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

const (
	// centreShare is the part of a sentence's score that comes from how much it has of
	// the words of the whole; the rest is its weight.
	centreShare = 0.4
	// focusFloor is what remains of the score of a sentence that has nothing to
	// do with the focus.
	focusFloor = 0.15
	shortWords = 4 // below, a sentence counts half
)

// rank scores every sentence.
func (m *material) rank(r memory.SummaryRequest, table func() *semantics.Table) {
	centre := m.centre()
	var near []float64
	if r.Focus != "" {
		near = m.near(r.Focus, table)
	}
	for i := range m.sentences {
		s := &m.sentences[i]
		s.score = s.weight * (1 - centreShare + centreShare*centre[i])
		if len(s.stems) < shortWords {
			s.score /= 2
		}
		if near != nil {
			s.score *= focusFloor + (1-focusFloor)*near[i]
		}
	}
}

// centre returns how much each sentence has of the words of the whole, 1 for
// the one that has most.
func (m *material) centre() []float64 {
	centre := make([]float64, len(m.sentences))
	highest := 0.0
	for i, s := range m.sentences {
		if m.norms[i] == 0 {
			continue
		}
		for _, id := range s.stems {
			centre[i] += m.idf[id] * m.idf[id] * math.Sqrt(float64(len(m.holders[id])))
		}
		centre[i] /= m.norms[i]
		highest = max(highest, centre[i])
	}
	for i := range centre {
		if highest > 0 {
			centre[i] /= highest
		}
	}
	return centre
}

// near returns how near each sentence is to the focus, 0 to 1: by common words
// or by meaning, whichever is more.
func (m *material) near(focus string, table func() *semantics.Table) []float64 {
	stems := distinct(analysis.Content(focus))
	wanted := map[string]bool{}
	for _, stem := range stems {
		wanted[stem] = true
	}
	total := 0.0
	for id, stem := range m.stems {
		if wanted[stem] {
			total += m.idf[id]
		}
	}
	near := make([]float64, len(m.sentences))
	for i, s := range m.sentences {
		for _, id := range s.stems {
			if wanted[m.stems[id]] {
				near[i] += m.idf[id] / total
			}
		}
	}
	if table == nil {
		return near
	}
	t := table()
	vector := t.TextVector(stems, nil)
	for i, s := range m.sentences {
		own := make([]string, len(s.stems))
		for k, id := range s.stems {
			own[k] = m.stems[id]
		}
		var dot float32
		for k, v := range t.TextVector(own, nil) {
			dot += vector[k] * v
		}
		near[i] = max(near[i], float64(dot))
	}
	return near
}
