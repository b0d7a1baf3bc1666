package recall

import (
	"strings"

	"mcp-memory/text/slots"
)

// asksForRest reports whether a question asks for something that an older
// candidate says besides what a newer one replaces: "I play the cello; rehearsal
// is on Tuesdays" still answers which instrument it is, after rehearsals have
// moved.
func (q *question) asksForRest(older, newer *candidate) bool {
	said := older.sense.said
	if len(said) == 0 || slots.Replaces(said, newer.sense.said, slots.Likely) {
		return false
	}
	taken := make([]bool, len(said))
	gone, left := slots.NoFit, slots.NoFit
	for i := range said {
		if taken[i] = slots.Between(said[i:i+1], newer.sense.said) >= slots.Likely; taken[i] {
			gone = max(gone, q.asks.Fits(&said[i]))
		} else {
			left = max(left, q.asks.Fits(&said[i]))
		}
	}
	switch {
	case q.asks.Attribute != "" && gone >= slots.FitSlot:
		return false
	case q.asks.Attribute != "" && left >= slots.FitSlot:
		return true
	}
	replaced, rest := split(older.Content, said, taken)
	return q.hasOf(rest, newer.counted()) > q.hasOf(replaced, nil)
}

// split returns what stands in the clauses of the statements that are taken, and
// what stands beside them.
func split(text string, said []slots.Statement, taken []bool) (replaced, rest string) {
	gone := []byte(strings.Repeat(" ", len(text)))
	left := []byte(text)
	move := func(from, to []byte, s *slots.Statement) {
		for i := max(0, s.Start); i < min(s.End, len(text)); i++ {
			if from[i] != ' ' {
				from[i], to[i] = ' ', from[i]
			}
		}
	}
	for i := range said {
		if taken[i] {
			move(left, gone, &said[i])
		}
	}
	for i := range said { // a statement inside the clause of another: "with my husband"
		for k := range said {
			if !taken[i] && taken[k] && said[i].End-said[i].Start < said[k].End-said[k].Start {
				move(gone, left, &said[i])
			}
		}
	}
	return string(gone), string(left)
}

// hasOf counts the stems of the question that a text has and another, by its terms,
// has not.
func (q question) hasOf(text string, other map[string]int) (n int) {
	has := countTerms(text)
	for _, stem := range q.stems {
		if has[stem] > 0 && other[stem] == 0 {
			n++
		}
	}
	return n
}
