package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
)

// noted returns what an assistant asks whether to keep, as the user would say it:
// "Shall I note that you use Postgres 16?" is "I use Postgres 16". Nil of any
// other question.
func noted(words []word) []word {
	rest := slices.Clone(words[opening("noting", words):])
	if len(rest) < 3 || len(rest) == len(words) || !(verbal(rest) && len(rest) > 3) && !secondPerson[rest[0].low] && rest[0].low != "we" {
		return nil
	}
	rest[len(rest)-1].post = "."
	for i := len(rest) - 2; i > 0; i-- {
		if rest[i].low == "that" && rest[i-1].low == "and" {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return swapped(rest)
}

// swapped exchanges speaker and listener, in words itself: "you use your own" becomes "I use my
// own", and "I" becomes "you".
func swapped(words []word) []word {
	literal := literals(words)
	for i, w := range words {
		switch other := swaps[w.low]; {
		case literal[i]:
		case w.low == "you" && i > 0 && i+1 == len(words):
			words[i].set("me")
		case w.low == "are" && i > 0 && words[i-1].low == "i":
			words[i].set("am")
		case other != "":
			words[i].set(other)
		}
	}
	return words
}

var swaps = map[string]string{"you": "I", "your": "my", "yours": "mine", "i": "you", "me": "you", "my": "your"}

// confirmed makes a fact of what an assistant asked whether to keep, or stated
// in the tone of a question, where the user says yes and nothing else. Said no
// to, it is dropped. It reports whether the turn before asked so.
func (m *message) confirmed(words []word) (besides []word, ok bool) {
	x := m.x
	if !m.first || len(words) == 0 || len(words) > maxLimit || strings.Contains(words[len(words)-1].post, "?") {
		return nil, false
	}
	all := join(words)
	words = m.granted(words)
	yes := affirmation[words[0].low] || plainYes[words[0].low] || in("assent", words)
	no := denial[words[0].low]
	if in("notingAbroad", cut(m.asked)) && whole("noAbroad", words) {
		return nil, true
	}
	but := indexOf(words, "except", "but")
	switch {
	case yes && but > 0 && idle(words[:but]), yes && but < 0 && (idle(words) || in("assent", words)), no && len(words) == 1:
	default:
		return nil, false
	}
	said := m.asserted()
	if !strings.HasSuffix(said, "?") || len(said) > maxQuestionBytes {
		return nil, false
	}
	asked := strip(expand(cut(said)), x.names)
	what := noted(asked)
	if what == nil {
		claim := x.claimed(capital(join(without(cut(said), likely))), said != m.s.previous)
		if claim == "" {
			return nil, false
		}
		what = swapped(expand(cut(claim)))
	}
	if no {
		return nil, true
	}
	s := m.s
	s.words, s.opening = what, what
	if but > 0 {
		return nil, m.confirmedBut(s, said, words[but+1:], all)
	}
	return nil, x.state(s, minStems)
}

// granted returns the words of a yes without what it stands behind, which is of the question: "yes, but in
// Munich" of "data engineer yes, but in Munich".
func (m *message) granted(words []word) []word {
	yes := slices.IndexFunc(words, func(w word) bool { return affirmation[w.low] || w.low == "right" })
	if yes > 0 && (holds(cut(m.s.previous), words[:yes]) || yes == 1 && everything[words[0].low]) {
		return words[yes:]
	}
	return words
}

var everything = set("all everything mostly almost most")

// confirmedBut keeps a claim that the user confirms but for something: with the value put right
// ("correct, except it's 8 times"), else quoted.
func (m *message) confirmedBut(s said, claim string, rest []word, all string) bool {
	content, _, ok := m.x.content(s)
	if !ok || len(rest) == 0 {
		return false
	}
	if content, ok = exchangeIn(content, finish(join(rest)), rest); !ok {
		content = capital(m.s.quoting(strings.TrimSuffix(claim, "?")+".", finish(all)))
	}
	m.x.note(s.turn, memory.FactCorrection, correctionImportance, content)
	return true
}

// asserted returns what the assistant asserted last, as a question that has only the tone of one: of
// "The CI runs on Buildkite. Is that right?" it is "The CI runs on Buildkite?"
func (m *message) asserted() string {
	words := cut(m.s.previous)
	if all := m.lastSentences(2); len(all) == 2 && checks(words) && ofUsers(all[0]) {
		return strings.TrimRight(all[0], ".!") + "?"
	}
	for i := len(words) - 1; i > 2 && i >= len(words)-4; i-- {
		if words[i-1].ends() && checks(words[i:]) && ofUsers(join(words[:i])) {
			words[i-1].post = "?"
			return join(words[:i])
		}
	}
	if len(words) > 0 && words[0].low == "so" && ofUsers(m.s.previous) {
		return strings.TrimRight(m.s.previous, ".!") + "?"
	}
	return m.s.previous
}

// ofUsers reports whether a statement of the assistant is about what is the user's, or names something;
// not about what the assistant does, or what the user wants of it.
func ofUsers(text string) bool {
	words := expand(cut(text))
	return !strings.HasSuffix(text, "?") && stems(words) >= minStems && (mentions(words, secondPerson) || telling(text)) &&
		!hasAny(words, "want", "mean") &&
		!mentions(unhedged(strip(words, nil)), firstPerson)
}

// checks reports whether words only ask whether something is so: "Is that right?"
func checks(words []word) bool {
	return len(words) > 0 && strings.HasSuffix(words[len(words)-1].post, "?") &&
		!slices.ContainsFunc(words, func(w word) bool { return !checking[w.low] })
}

var checking = set("is that this it so right correct true yes did i get do have got understand understood")

// without returns words, if they are more than three, without some adverbs in their middle.
func without(words []word, adverbs map[string]bool) []word {
	if len(words) < 4 {
		return words
	}
	return slices.DeleteFunc(slices.Clone(words), func(w word) bool { return adverbs[w.low] && w.post == "" })
}

var likely = set("probably maybe perhaps presumably")
