package extractive

import "strings"

// frames open something imagined that goes on over the sentences behind it.
var frames = newPhrases(`
	^ so|and|now|ok|just|let? imagine|picture|visualise|visualize ~ a|an|the|it|this|that|i|we|you|he|she|they|my|our|if|yourself|someone|somebody
	^ so|and|now|ok|just|let|let's|lets? suppose|supposing|hypothetically|pretend
	^ so|and|now|ok|just|let's|lets? assume|assuming that|i|we|you|he|she|they|it|the|a|an|there|my|our|your|every|someone|somebody
	^ so|and|now|ok? let's|lets say|imagine|picture that|i|we|you|he|she|they|it|the|a|an|there|my|our|your|every|someone|somebody
	^ so|and|now|ok? say i|we|you|he|she|they|there|my|our|your|someone|somebody
	^ let me|us dream|daydream|fantasise|fantasize|imagine|pretend
	^ as|for a? thought experiment
	^ thought experiment
	^ think of|about a|an ~ who|that|where
	^ in an|the ideal|perfect|alternate|alternative|parallel world|universe|life
	^ what if`)

// startled are the words of somebody who tells what did happen.
var startled = newPhrases(`
	imagine|picture my|our|his|her|the surprise|shock|face|joy|horror
	^ just? imagine what|who|how`)

// grounded are the words behind which something imagined is over, besides those that end
// a joke (see sober).
var grounded = newPhrases(`
	^ realistically|really|currently|today|presently|honestly|meanwhile|however|unfortunately|luckily|sadly
	^ in reality|fact|practice|truth
	^ as it|things is|are|stands|stand
	^ at the moment|present
	^ the|our real|actual|true
	right now
	back to
	for real
	^ ~ decided|settled
	^ please|remember|note|remind|make|write|use|add`)

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
var ofUser = newPhrases(`
	^ do|did|are|were|have ~ you|your
	^ which|what|where|when|how|who ~ do|did|are|have you
	^ which|what|where|when|how ~ is|are|was ~ your`)

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
