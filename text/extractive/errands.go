package extractive

import (
	"strings"
)

// reasonOf returns the clause behind a request that tells how things are, and so why:
// "call it mv_sales, all our views begin with mv_". Nil if there is none.
func reasonOf(words []word) []word {
	rest := behind(words)
	if len(rest) < 4 || !determiners[rest[0].low] && !firstPerson[rest[0].low] && !named(rest[0]) || !verbal(rest[1:]) || unreal(rest) || noise.in(rest) {
		return nil
	}
	return rest
}

// request reports whether a sentence wants something done now.
func request(words []word) bool {
	if words[0].low == "please" && len(words) > 1 {
		words = words[1:]
	}
	if aboutRuns(words) {
		return false
	}
	return advice(words) || requests[words[0].low]
}

// aboutRuns reports whether the verb that words begin with is a noun: "run 16 was stable",
// "run names: lower case".
func aboutRuns(words []word) bool {
	return len(words) > 2 && running[words[0].low] && (number(words[1].low) || strings.HasSuffix(words[1].post, ":"))
}

// errand reports whether a sentence tells an assistant what to do now, which is over when
// it is done; what has to be done by a day is not.
func errand(words []word) bool {
	if words[0].low == "please" {
		words = words[1:]
	}
	return oneTime[words[0].low] && !dueLater.in(words)
}

// oneTime are verbs of such errands. What is also said of how things are to be done in
// general, such as use, keep, prefer, call, is not among them.
var oneTime = set(`explain show tell describe summarize summarise translate generate rewrite refactor rename
	look find check search investigate analyze analyse inspect debug reproduce trace profile measure
	add update remove delete move replace change convert split extract merge create implement fix
	install bump upgrade downgrade revert undo redo retry rebase reformat simplify optimize optimise
	document port migrate scaffold clean review continue proceed resume finish`)

var dueLater = newPhrases("by|until|before|on monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|the|january|february|march|april|may|june|july|august|september|october|november|december|next|end")

var thisTime = newPhrases("^ print|draft|delete|send|copy|paste|open|close|save|post|ship|merge|push|commit|run|try it|them|this|that")

var requests = set(`explain show help describe summarize summarise translate suggest list compare fix implement generate
	provide rewrite refactor draft please now`)
