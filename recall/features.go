package recall

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/salience"
	"mcp-memory/text/analysis"
)

// features are measured of a candidate once its document is read; what the
// index measures is in [index.Hit].
type features struct {
	literal  float64        // share of the question's literal parts it contains, 0 to 1
	verbatim float64        // 1 if it has the whole question word for word, else 0
	salience float64        // importance, recalls and age (package salience), 0 to 1
	recency  float64        // of the event alone, 0 to 1
	stale    bool           // superseded, or not true at the moment asked for
	terms    map[string]int // of its content, counted when first compared
	told     []row          // stems of what is read of it, looked up when first compared
}

// measure fills in the features of a candidate.
func measure(c *candidate, q question, p salience.Parameters) {
	c.literal = literal(c.Content, q.parts)
	if quoted(c.Content, q) {
		c.verbatim = 1
	}
	c.features.salience = p.Of(c.Record, q.Now)
	c.recency = p.Recency(c.EventTime(), q.moment())
	c.stale = stale(c.Record, q)
}

// quoted reports whether a content has the whole question in it: somebody
// looks for what was said, by its words. A word or two prove nothing.
func quoted(content string, q question) bool {
	text := memory.SameContent(content)
	return text == q.same || len(q.stems) >= 3 && strings.Contains(text, q.same)
}

func countTerms(content string) map[string]int {
	counts := map[string]int{}
	for _, stem := range analysis.Telling(content) {
		counts[stem]++
	}
	return counts
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
// about. With as_of the filter has seen to both, and a question about what was, or
// will be, asks for it.
func stale(r memory.Record, q question) bool {
	if !q.Filter.AsOf.IsZero() || q.asksWhatWas() {
		return false
	}
	if q.asks.Ahead && r.ValidFrom.After(q.Now) { // it is what is asked for
		return r.SupersededBy != ""
	}
	return r.SupersededBy != "" || !r.TrueAt(q.Now)
}
