package extractive

import (
	"slices"

	"mcp-memory/memory"
)

// reconsidered returns what is left of a sentence behind the words that take something back, and
// whether it has such words: of "Scrap that, we take the train" it is "we take the train".
func reconsidered(words []word) (rest []word, again bool) {
	for i := range words {
		if (i == 0 || words[i-1].ends()) && in("wait", words[i:]) {
			rest = words[min(i+2, len(words)):]
			for len(rest) > 1 && rest[0].ends() && (corrective[rest[0].low] || rest[0].low == "wait" || rest[0].low == "sorry") {
				rest = rest[1:]
			}
			return rest, true
		}
	}
	if len(words) < 5 && in("usedTo", words) || len(words) < 3 && called[words[len(words)-1].low] {
		return nil, true
	}
	if !in("retraction", words) && !in("sobering", words) {
		return words, false
	}
	for i := 1; i < len(words); i++ { // "Scrap that, we take the train"
		if rest := words[i:]; words[i-1].ends() && !in("retraction", rest) && !unreal(rest) &&
			(len(rest) > 2 && verbal(rest) || onlyOrdinal(rest) != "" || onlyValue(join(rest)) != "") {
			return words[i:], true
		}
	}
	return nil, true
}

// called are the words that call something off by themselves: "Cancelled."
var called = set("cancelled canceled")

var beForms = set("is are was were")

// actual returns the part of an unreal sentence that is so, behind "but" or "however": of "They
// would, but the hood is broken" it is "the hood is broken". A sentence that ends in a decision
// ("but decided against it") is returned whole. Nil if nothing of it is so.
func actual(words []word) []word {
	for i := 1; i+3 < len(words); i++ {
		if words[i].low != "but" && words[i].low != "however" {
			continue
		}
		if in("settled", words[i:]) {
			return words
		}
		rest := words[i+1:]
		if in("calledOff", rest) {
			rest = behind(rest)
		}
		if len(rest) > 0 && !unreal(rest) && !refers(rest) && (verbal(rest) || firstPerson[rest[0].low]) &&
			!pointers[rest[len(rest)-1].low] && !lostSubjects[head(rest[0].low)] && !in("noise", rest) &&
			(stems(rest) >= minStems || len(rest) > 3 && firstPerson[rest[0].low] && stems(rest) > 0) {
			return rest
		}
		return nil
	}
	return nil
}

// unreal reports whether a sentence states nothing that is so: it is a condition, a wish, a guess,
// a joke, hearsay, a claim of somebody else or a plan that came to nothing.
func unreal(words []word) bool {
	return in("hypothetical", words) || in("wish", words) || in("guess", words) || wouldDo(words) ||
		in("joke", words[max(0, len(words)-2):]) ||
		in("hearsay", words) || opined(words) || jesting(words) || alleged(words) ||
		len(words) > 0 && unnamed[words[0].low] && in("refusing", words) || in("foiled", words)
}

// wouldDo reports whether "I would" or "we would" tells what somebody would do ("I would move"),
// and is no polite wish ("I would like tea").
func wouldDo(words []word) bool {
	for i := 0; i+2 < len(words); i++ {
		if (words[i].low == "i" || words[i].low == "we") && words[i+1].low == "would" {
			v, ok := following(words, i+1)
			return ok && !politely[words[v].low] && words[i+2].low != "rather"
		}
	}
	return false
}

var politely = set("like love rather prefer appreciate want need say be")

// changed takes back an earlier fact that a change of plan makes false ("we cancelled the Rome
// trip"): the one that shares most words with it, and the name if it has one. It reports whether s
// only takes back ("forget what I said about Rome"), apart from what stands behind that.
func (x *extraction) changed(s said) (gone bool) {
	gone = in("withdrawn", s.words)
	if !gone && !in("turnings", s.words) {
		return false
	}
	says := stemSet(join(s.words))
	var name string
	if i := slices.IndexFunc(s.words, func(w word) bool { return named(w) && !turnWords[w.low] && !called[w.low] }); i >= 0 {
		name = s.words[i].text
	}
	var best *draft
	most := 1
	if gone {
		most = 0
	}
	for f := range x.recent() {
		if name != "" && !has(f.Content, name) {
			continue
		}
		shared := 0
		for stem := range stemSet(f.Content) {
			if says[stem] && !weak[stem] {
				shared++
			}
		}
		if shared > most {
			best, most = f, shared
		}
	}
	if best == nil && (in("afterAll", s.words) || in("ofMind", s.words)) {
		best, name = x.latest(0), "" // if it is a decision, or a plan of late
		if best != nil && best.Type != memory.FactDecision && (x.latest(x.talk.from) == nil || !in("booking", cut(best.Content))) {
			best = nil
		}
	}
	switch {
	case best != nil && name != "":
		best.without(name)
	case best != nil:
		best.dropped = true
	}
	return gone
}

// weak are stems that many plans share, so that they do not tell which one is meant.
var weak = set("said forget scrap ignor what want go plan mind chang user do does think new make get take")

// turnWords are words at the start of a sentence that are no names in spite of their capital.
var turnWords = set("we the my our on after no forget scrap ignore disregard please")

// takesBack reads a sentence that says that something said before is not so or no longer so
// ("Wrong.", "I mixed them up"). ok reports whether it is one; rest are its words that are still to
// be read.
func (m *message) takesBack(words []word, first bool) (rest []word, ok bool) {
	last, outgrown := len(words)-1, m.open && in("outgrown", words)
	switch {
	case !first && in("hesitation", words):
		m.retract(true, nil)
	case !first && mistaken[words[0].low] && (len(words) == 1 || words[0].ends()):
		if rest = words[1:]; m.open && m.x.exchange(rest, m.s.at, m.from) {
			return nil, true
		}
		m.retract(true, nil)
	case in("crossed", unapologetic(words)) && onlyValue(join(words)) == "":
		words = unapologetic(words)
		m.uncross(hasAny(words, "two", "both"))
		rest = behind(words)
	case outgrown: // of "It was 24 until two got stolen, so 22" only the new value is kept
		if last > 3 && (words[last-1].ends() || connectors[words[last-1].low] || words[last-1].low == "now") {
			m.x.exchange(words[last:], m.s.at, m.x.talk.from)
		}
	case m.doubts(words):
	default:
		return nil, false
	}
	return rest, true
}

// mistaken begin a sentence that takes back the one before it.
var mistaken = set("wrong incorrect false nope rubbish nonsense")

// uncross takes back the sentences in which two names or values were mixed up: the last of the
// user's turn before, or of this one; with two, the one before that too if it has only one of them. The
// user goes on with how it is.
func (m *message) uncross(two bool) {
	last := len(m.x.facts) - 1
	if last < m.x.talk.from || last < 0 {
		return
	}
	f := &m.x.facts[last]
	told := f.Content
	f.undo()
	m.open = false
	if !f.dropped {
		told = told[len(f.Content):]
	}
	details := 0
	for i, w := range cut(told) {
		if shape(w.text) != "" || i > 0 && named(w) {
			details++
		}
	}
	if !two || details > 1 && slices.ContainsFunc(cut(told), func(w word) bool { return connectors[w.low] || w.low == "while" }) {
		return
	}
	if !f.dropped {
		f.undo()
	} else if last > m.x.talk.from {
		m.x.facts[last-1].undo()
	}
}
