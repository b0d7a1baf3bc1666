package recall

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/salience"
	"mcp-memory/text/analysis"
)

// features are the measures of a candidate that need its document; those that the index takes
// before are in [index.Hit].
type features struct {
	literal  float64        // share of the question's literal parts it contains, 0 to 1
	verbatim float64        // 1 if it has the whole question word for word, else 0
	salience float64        // importance, recalls and age (package salience), 0 to 1
	recency  float64        // of the event alone, 0 to 1
	stale    bool           // superseded, or not true at the moment asked for
	terms    map[string]int // how often the content has each stem; see counted
	told     []row          // the content stems of its beginning; see rows
}

// measure sets the features of a candidate, but for terms and told.
func measure(c *candidate, q question, p salience.Parameters) {
	c.literal = literal(c.Content, q.parts)
	if quoted(c.Content, q) {
		c.verbatim = 1
	}
	c.features.salience = p.Of(c.Record, q.Now)
	c.recency = p.Recency(c.EventTime(), q.moment())
	c.stale = stale(c.Record, q)
}

// quoted reports whether a content is the query or, if that has three content stems or more, has it
// in it word for word: somebody looks for what was said, by its words. A word or two prove nothing.
func quoted(content string, q question) bool {
	text := memory.SameContent(content)
	return text == q.same || len(q.stems) >= 3 && strings.Contains(text, q.same)
}

// countTerms returns how often a content has each of its telling stems; see [analysis.Telling].
func countTerms(content string) map[string]int {
	counts := map[string]int{}
	for _, stem := range analysis.Telling(content) {
		counts[stem]++
	}
	return counts
}

// literal is the share of parts that the content contains in any letter case, by their length, 0 to 1.
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

// stale reports whether a record was superseded, or is not true now. It is false with the filter's
// AsOf, which has seen to both, and for a question about what was, which asks for such records. To
// a question about what will be, a record that is not true yet is not stale.
func stale(r memory.Record, q question) bool {
	if !q.Filter.AsOf.IsZero() || q.asksWhatWas() {
		return false
	}
	if q.asks.Ahead && r.ValidFrom.After(q.Now) { // it is what is asked for
		return r.SupersededBy != ""
	}
	return r.SupersededBy != "" || !r.TrueAt(q.Now)
}
