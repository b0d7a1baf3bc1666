package render

import "mcp-memory/recall"

// Verdict says in one line how far an answer of so many results may be trusted. How
// often each is right is in docs/evaluation.md.
func Verdict(c recall.Confidence, results int) string {
	if results == 0 {
		return "Nothing about this is remembered."
	}
	switch c {
	case recall.High:
		return "This very likely answers it."
	case recall.Medium:
		return "This probably answers it."
	case recall.Low:
		return "Not sure: this may answer it, or only be about something like it."
	}
	return "Probably not remembered: this is what comes closest."
}

// Shown is how many of an answer's results are worth a look, best first: of a very sure
// one those that reach [recall.Floor], of any other at least three, and of one that is not
// sure no more.
func Shown(c recall.Confidence, results []recall.Result) int {
	least := 3
	if c == recall.High {
		least = 1
	}
	n := 0
	for n < len(results) && (n < least || c.Sure() && results[n].Score >= recall.Floor) {
		n++
	}
	return n
}
