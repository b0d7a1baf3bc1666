package extractive

import (
	"context"
	"math"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

const (
	// block is how many sentences are compared with each other; comparing all
	// would take time that grows with the square.
	block = 256
	// edge is the similarity from which two sentences vouch for each other.
	edge    = 0.1
	damping = 0.85
	rounds  = 12
	// shares of a sentence's score that come from its block and from the words
	// of the whole; the rest is its weight.
	graphShare  = 0.35
	centreShare = 0.25
	// focusFloor is what remains of the score of a sentence that has nothing to
	// do with the focus.
	focusFloor = 0.15
	shortWords = 4 // below, a sentence counts half
)

// rank scores every sentence. Its only error is that of ctx.
func (m *material) rank(ctx context.Context, r memory.SummaryRequest, table func() *semantics.Table) error {
	idf := m.idf()
	norms := m.norms(idf)
	central := make([]float64, len(m.sentences))
	for from := 0; from < len(m.sentences); from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.graph(from, min(from+block, len(m.sentences)), idf, norms, central)
	}
	centre := m.centre(idf, norms)
	var near []float64
	if r.Focus != "" {
		near = m.near(r.Focus, idf, table)
	}
	for i := range m.sentences {
		s := &m.sentences[i]
		s.score = s.weight * (1 - graphShare - centreShare + graphShare*central[i] + centreShare*centre[i])
		if len(s.stems) < shortWords {
			s.score /= 2
		}
		if near != nil {
			s.score *= focusFloor + (1-focusFloor)*near[i]
		}
	}
	return nil
}

// idf returns the inverse document frequency of every stem.
func (m *material) idf() []float64 {
	idf := make([]float64, len(m.stems))
	for id, holders := range m.holders {
		idf[id] = math.Log(1 + float64(len(m.sentences))/float64(len(holders)))
	}
	return idf
}

// norms returns the length of every sentence's vector of weights.
func (m *material) norms(idf []float64) []float64 {
	norms := make([]float64, len(m.sentences))
	for i, s := range m.sentences {
		for _, id := range s.stems {
			norms[i] += idf[id] * idf[id]
		}
		norms[i] = math.Sqrt(norms[i])
	}
	return norms
}

type link struct {
	to     int
	weight float64
}

// graph gives the sentences from … to-1 their rank among each other, 1 for the
// highest: the stationary distribution of a walk along similarities.
func (m *material) graph(from, to int, idf, norms, rank []float64) {
	links := m.links(from, to, idf, norms)
	n := to - from
	now, next := make([]float64, n), make([]float64, n)
	for i := range now {
		now[i] = 1 / float64(n)
	}
	for range rounds {
		for i := range next {
			next[i] = (1 - damping) / float64(n)
		}
		for i, out := range links {
			for _, l := range out {
				next[l.to] += damping * now[i] * l.weight
			}
		}
		now, next = next, now
	}
	highest := 0.0
	for _, x := range now {
		highest = max(highest, x)
	}
	for i, x := range now {
		rank[from+i] = x / highest
	}
}

// links returns for every sentence of a block whom it vouches for; the weights
// of one add up to 1.
func (m *material) links(from, to int, idf, norms []float64) [][]link {
	posting := map[int][]int{} // stem → sentences of the block so far
	links := make([][]link, to-from)
	dots := make([]float64, to-from)
	var touched []int
	for i := from; i < to; i++ {
		touched = touched[:0]
		for _, id := range m.sentences[i].stems {
			for _, j := range posting[id] {
				if dots[j-from] == 0 {
					touched = append(touched, j)
				}
				dots[j-from] += idf[id] * idf[id]
			}
			posting[id] = append(posting[id], i)
		}
		for _, j := range touched {
			cosine := dots[j-from] / (norms[i] * norms[j])
			dots[j-from] = 0
			if cosine >= edge {
				links[i-from] = append(links[i-from], link{j - from, cosine})
				links[j-from] = append(links[j-from], link{i - from, cosine})
			}
		}
	}
	for _, out := range links {
		sum := 0.0
		for _, l := range out {
			sum += l.weight
		}
		for k := range out {
			out[k].weight /= sum
		}
	}
	return links
}

// centre returns how much each sentence has of the words of the whole, 1 for
// the one that has most.
func (m *material) centre(idf, norms []float64) []float64 {
	centre := make([]float64, len(m.sentences))
	highest := 0.0
	for i, s := range m.sentences {
		if norms[i] == 0 {
			continue
		}
		for _, id := range s.stems {
			centre[i] += idf[id] * idf[id] * math.Sqrt(float64(len(m.holders[id])))
		}
		centre[i] /= norms[i]
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
func (m *material) near(focus string, idf []float64, table func() *semantics.Table) []float64 {
	stems := distinct(analysis.Content(focus))
	wanted := map[string]bool{}
	for _, stem := range stems {
		wanted[stem] = true
	}
	total := 0.0
	for id, stem := range m.stems {
		if wanted[stem] {
			total += idf[id]
		}
	}
	near := make([]float64, len(m.sentences))
	for i, s := range m.sentences {
		for _, id := range s.stems {
			if wanted[m.stems[id]] {
				near[i] += idf[id] / total
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
		near[i] = max(near[i], dot(vector, t.TextVector(own, nil)))
	}
	return near
}

func dot(a, b []float32) float64 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}
