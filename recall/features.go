package recall

import (
	"math"
	"strings"
	"time"

	"mcp-memory/analysis"
	"mcp-memory/memory"
	"mcp-memory/salience"
)

// features are what is measured of a candidate, all from 0 to 1.
type features struct {
	lexical  float64  // BM25 of the question's stems, as a share of the ideal
	coverage float64  // share of the question's stems it has, by their weight
	literal  float64  // share of the question's literal parts it contains
	vector   float64  // cosine, negative ones cut off
	salience float64  // importance, recalls and age (package salience)
	recency  float64  // of the event alone
	stale    bool     // superseded, or not true at the moment asked for
	matched  []string // the question's stems that it has
	terms    map[string]int
	length   int
}

// BM25 constants as usual (Robertson and Zaragoza 2009).
const (
	k1 = 1.2
	b  = 0.75
)

// weighting turns the bank's statistics into weights of the question's stems.
type weighting struct {
	idf     map[string]float64
	total   float64 // of the question
	average float64 // content stems of a document
}

func newWeighting(stems []string, st memory.Statistics) weighting {
	w := weighting{idf: map[string]float64{}, average: st.AverageLength}
	for _, stem := range stems {
		w.idf[stem] = idf(st.Documents, st.Frequency[stem])
		w.total += w.idf[stem]
	}
	return w
}

// idf weighs a stem by its rarity; one that never occurs weighs most, so that
// a question about something unknown does not look answered.
func idf(documents, frequency int) float64 {
	return math.Log(1 + (float64(documents-frequency)+0.5)/(float64(frequency)+0.5))
}

// measure computes the features of a candidate.
func measure(c *candidate, q question, w weighting, p salience.Parameters) {
	c.terms, c.length = countTerms(c.Content)
	for _, stem := range q.stems {
		n := float64(c.terms[stem])
		if n == 0 {
			continue
		}
		norm := k1 * (1 - b + b*float64(c.length)/w.average)
		c.lexical += w.idf[stem] * n * (k1 + 1) / (n + norm)
		c.coverage += w.idf[stem]
		c.matched = append(c.matched, stem)
	}
	if w.total > 0 {
		c.lexical = min(1, c.lexical/w.total)
		c.coverage /= w.total
	}
	c.literal = literal(c.Content, q.parts)
	c.vector = max(0, c.cosine)
	c.features.salience = p.Of(c.Record, q.Now)
	c.recency = p.Recency(c.EventTime(), q.Now)
	c.stale = stale(c.Record, q)
}

func countTerms(content string) (map[string]int, int) {
	stems := analysis.Content(content)
	counts := make(map[string]int, len(stems))
	for _, stem := range stems {
		counts[stem]++
	}
	return counts, len(stems)
}

// literal is the share of parts that the content contains, by their length.
func literal(content string, parts []string) float64 {
	folded := strings.ToLower(content)
	total, there := 0, 0
	for _, part := range parts {
		total += len(part)
		if strings.Contains(folded, strings.ToLower(part)) {
			there += len(part)
		}
	}
	if total == 0 {
		return 0
	}
	return float64(there) / float64(total)
}

// stale reports whether a record was corrected, or was not true when asked
// about. With as_of the filter has seen to both.
func stale(r memory.Record, q question) bool {
	if !q.Filter.AsOf.IsZero() {
		return false
	}
	return r.SupersededBy != "" || before(q.Now, r.ValidFrom) || (!r.ValidUntil.IsZero() && !q.Now.Before(r.ValidUntil))
}

func before(now, from time.Time) bool { return !from.IsZero() && now.Before(from) }
