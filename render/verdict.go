package render

import "mcp-memory/recall"

// Verdict says in one sentence how far an answer with that many results can be trusted. How often
// each verdict is right is measured in docs/evaluation.md.
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

// maxUnsure is how many results of an unsure answer are worth a look. minShown is the score from
// which those of a sure answer are.
const maxUnsure, minShown = 3, 0.1

// Shown returns how many of an answer's results, best first, are worth a look: of a sure answer the
// first and all that follow with at least minShown, of any other the first maxUnsure.
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
