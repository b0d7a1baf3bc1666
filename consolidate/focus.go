package consolidate

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

const (
	// nearby is the least cosine of the vectors of two words at which one
	// counts as the other, as "physician" for "doctor".
	nearby = 0.5
	// onFocus is the least share of the focus' words that a memory must have.
	onFocus = 0.5
)

// focused returns the records that are on a focus: those with at least half of
// its content words ([onFocus]), each in any inflection or as a near word.
// Words of the focus that no record has do not count, so that "my relationship
// with Boris" finds what tells of Boris. If no word is left, no record is on
// the focus. Without a focus all records are returned.
func focused(records []memory.Record, focus string, table func() *semantics.Table) []memory.Record {
	if focus == "" {
		return records
	}
	wanted := distinctStems(focus)
	t := table()
	has := make([][]bool, len(records))
	known := make([]bool, len(wanted))
	near := nearness{t, map[[2]string]bool{}}
	for i, r := range records {
		own := distinctStems(memoryText(r) + " " + strings.Join(r.Tags, " "))
		has[i] = make([]bool, len(wanted))
		for k, stem := range wanted {
			if near.any(stem, own) {
				has[i][k], known[k] = true, true
			}
		}
	}
	total := 0
	for _, k := range known {
		if k {
			total++
		}
	}
	var on []memory.Record
	for i, r := range records {
		n := 0
		for _, h := range has[i] {
			if h {
				n++
			}
		}
		if n > 0 && float64(n) >= onFocus*float64(total) {
			on = append(on, r)
		}
	}
	return on
}

// nearness tells which stems are near each other, and remembers the answer for
// each pair.
type nearness struct {
	table *semantics.Table
	known map[[2]string]bool
}

func (n nearness) any(stem string, among []string) bool {
	for _, other := range among {
		if n.near(stem, other) {
			return true
		}
	}
	return false
}

func (n nearness) near(a, b string) bool {
	if a == b {
		return true
	}
	pair := [2]string{a, b}
	answer, ok := n.known[pair]
	if !ok {
		x, there := n.table.Lookup(a)
		y, also := n.table.Lookup(b)
		answer = there && also && n.table.Cosine(x, y) >= nearby
		n.known[pair] = answer
	}
	return answer
}

func distinctStems(text string) []string {
	var list []string
	seen := map[string]bool{}
	for _, stem := range analysis.Content(text) {
		if !seen[stem] {
			seen[stem] = true
			list = append(list, stem)
		}
	}
	return list
}
