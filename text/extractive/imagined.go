package extractive

import "strings"

// frames open something imagined that goes on over the sentences behind it.
var frames = table("frames")

// startled are the words of somebody who tells what did happen.
var startled = table("startled")

// grounded are the words behind which something imagined is over, besides those that end
// a joke (see sober).
var grounded = table("grounded")

// imagined reports whether a sentence is part of something that is only imagined, which goes
// on until the question that it leads to, or words that end it.
func (m *message) imagined(words []word) bool {
	switch {
	case m.frame && (sober.in(words) || grounded.in(words) || imperatives[words[0].low] || requests[words[0].low]):
		m.frame = false
		return false
	case m.frame:
	case m.supposed:
		return true
	case frames.in(words) && !startled.in(words) && len(words) > 2:
		m.frame = true
	default:
		return false
	}
	if strings.Contains(words[len(words)-1].post, "?") {
		m.frame = false
	}
	return actual(words) == nil
}

// follows reports whether words go on with what somebody else imagined: "Then I get 2 kW".
func follows(words []word) bool {
	if len(words) == 0 {
		return false
	}
	first := words[0].low
	return first == "then" || first == "so" || number(first) || lostSubjects[head(first)] || !verbal(words)
}

// ofUser are the words of a question that is about how things are with the user.
var ofUser = table("ofUser")

// supposes reports whether the assistant's words before a turn imagine something or give
// an example.
func (x *extraction) supposes(position int, who person) bool {
	before := x.lastSentences(position, who, 4)
	if n := len(before); n > 0 && ofUser.in(expand(cut(before[n-1]))) {
		return false
	}
	for _, text := range before {
		words := unlabelled(strip(expand(cut(text)), x.names))
		if len(words) > 2 && (frames.in(words) || exampleLabels[words[0].low] && strings.Contains(words[0].post, ":")) {
			return true
		}
	}
	return false
}
