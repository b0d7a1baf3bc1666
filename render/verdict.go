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

// maxUnsure is how many results of an answer that is not sure are worth a look, and
// minShown the score from which those of one that is sure are.
const maxUnsure, minShown = 3, 0.1

// Shown is how many of an answer's results are worth a look, best first: of a sure one the
// first and what comes near it, of any other three.
func Shown(c recall.Confidence, results []recall.Result) int {
	if !c.Sure() {
		return min(maxUnsure, len(results))
	}
	n := min(1, len(results))
	for n < len(results) && results[n].Score >= minShown {
		n++
	}
	return n
}
