package extractive

// foiled are the words of what came to nothing, or was so only at first.
var foiled = table("foiled")

// hesitation are the words by which somebody takes back what they said in the same breath.
var hesitation = table("hesitation")

// crossed are the words of somebody who took one for the other.
var crossed = table("crossed")

// outgrown are the words before a value that was right until something happened.
var outgrown = table("outgrown")

// outgrew takes the value that a sentence ends with for the one that it says was: "It was 24 until
// two got stolen, so 22". It reports whether the fact before had that.
func (m *message) outgrew(words []word) bool {
	n := len(words) - 1
	if n < 4 || !m.open || !outgrown.in(words) || !words[n-1].ends() && !connectors[words[n-1].low] && words[n-1].low != "now" {
		return false
	}
	return m.x.exchange(words[n:], m.s.at, m.x.talk.from)
}

// takesBack takes a sentence that says no more than that what was said before it is not so, or
// no longer. It reports whether it was one.
func (m *message) takesBack(words []word, first bool) (rest []word, ok bool) {
	if len(words) == 0 {
		return nil, false
	}
	switch {
	case !first && hesitation.in(words):
		m.retract(true)
	case !first && mistaken[words[0].low] && (len(words) == 1 || words[0].ends()):
		if rest = words[1:]; m.open && m.x.exchange(rest, m.s.at, m.from) {
			return nil, true
		}
		m.retract(true)
	case crossed.in(words) && onlyValue(join(words)) == "":
		m.uncross()
		rest = behind(words)
	case m.outgrew(words), m.open && outgrown.in(words): // of what was before, nothing is kept
	case m.doubts(words):
	default:
		return nil, false
	}
	return rest, true
}

// mistaken begin a sentence that takes back the one before it.
var mistaken = set("wrong incorrect false nope rubbish nonsense")

// uncross takes back the sentence with names or values that were taken for one another: the
// last of the user's turn before, or of this one. The right order follows.
func (m *message) uncross() {
	if last := len(m.x.facts) - 1; last >= m.x.talk.from && last >= 0 {
		m.x.facts[last].undo()
	}
	m.open = false
}
