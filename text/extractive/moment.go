package extractive

import "slices"

// feelings are phrases of how somebody is just now, and of where.
var feelings = table("feelings")

// enduring are the words that make a feeling more than one of the moment: how
// long, how often, of what.
var enduring = table("enduring")

// passingNames are names that do not make a feeling last.
var passingNames = set("i monday tuesday wednesday thursday friday saturday sunday today")

// momentary reports whether a sentence tells only how somebody is just now ("I'm
// so tired today"), which is over before anybody asks. With a name, a number, a
// cause or a time from which on it may be more.
func momentary(words []word) bool {
	if !feelings.in(words) || enduring.in(words) {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w word) bool {
		return named(w) && !passingNames[head(w.low)] || number(w.low) && w.low != "one"
	})
}
