package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// chosenOf keeps which alternative of the assistant's question the user chose: "Should we use
// Postgres or MySQL for the jobs?" and "Postgres." are kept as "Agreed: use Postgres for the
// jobs.", "Do you prefer tabs or spaces?" and "Tabs" as "Does the user prefer tabs? Yes." besides
// are the words behind the choice.
func (m *message) chosenOf(words []word) (besides []word, ok bool) {
	x := m.x
	if strings.Contains(words[len(words)-1].post, "?") {
		return nil, false
	}
	lead := words[:len(words)-len(behind(words))]
	if besides = words[len(lead):]; len(besides) == 1 || len(besides) == 2 && everyTime[besides[0].low] {
		besides = nil // "always", "always green"
	}
	asked, all, alone := m.choice()
	answer := chosenWords(lead)
	one := picked(all, answer)
	switch {
	case one == nil:
		return nil, false
	case alone:
		telltale := len(all) > 2 || len(all[0].words) < len(all[len(all)-1].words) || // a shared noun, or names; not "Continue or stop?"
			slices.ContainsFunc(all[1:], func(one alternative) bool { return slices.ContainsFunc(one.words, named) })
		if telltale || in("asksWhich", asked) {
			m.chosenOver(all, answer, "")
		}
		return besides, true
	}
	before, last := asked[:all[0].at], all[len(all)-1]
	tail := asked[last.at+len(last.words):]
	if len(before) == 0 && len(tail) > 1 && leaning[tail[0].low] && kindOf(one[0]) == "" { // "Tabs or spaces in this project?"
		m.chosenOver(all, answer, " "+strings.TrimRight(m.s.theirs(tail), " .!?"))
		return besides, true
	}
	asked = slices.Concat(before, one, tail)
	what := consent(asked, settledVerbs) // "Should I write the tests in Vitest?"
	if what == nil {
		what = proposal(asked)
	}
	if what != nil {
		one := small(strings.TrimRight(m.s.theirs(what), " .!?"))
		return besides, m.decide([]string{one}, "Agreed: "+one+".", 1)
	}
	reply := "Yes."
	switch {
	case mentions(asked, firstPerson) && !hasAny(asked, "we"):
		return nil, false
	case len(before) > 1 && questionWords[before[0].low] && before[len(before)-1].ends():
		asked = slices.Clone(before)
		asked[len(asked)-1].post, reply = "?", finish(strings.TrimRight(join(one), " .!?"))
	case !polar[asked[0].low] && !modals[asked[0].low] || !mentions(asked, secondPerson) && len(stemSet(join(asked))) < minStems:
		return nil, false
	}
	x.note(m.s.turn, memory.FactOther, plainImportance, aboutUser(asked, m.s.speaker)+" "+capital(reply))
	return besides, true
}

// choice returns the question at the end of the assistant's turn and the alternatives that it offers, none
// if it offers none. alone is whether nothing but the alternatives is known of what is chosen: they are the
// whole question ("Yup, Zod or Valibot?"), or stand before it ("Which one?").
func (m *message) choice() (asked []word, all []alternative, alone bool) {
	text, ok := m.asks()
	if offered := strip(expand(cut(m.s.previous)), m.x.names); !ok && len(offered) > 0 { // "Zod, Valibot or Yup would all work."
		return offered, offeredIn(offered), true
	} else if !ok {
		return nil, nil, false
	}
	asked = strip(expand(cut(text)), m.x.names)
	if bare := expand(cut(text)); barely(offeredIn(bare), bare) {
		asked = bare
		if sentences := m.lastSentences(2); len(sentences) == 2 && strings.HasSuffix(sentences[0], "?") {
			asked = append(strip(expand(cut(sentences[0])), m.x.names), bare...) // "Which cache? Redis or Memcached?"
		}
	}
	if in("clarifies", asked) {
		return nil, nil, false
	}
	all = offeredIn(asked)
	if len(all) == 0 && in("asksWhich", asked) {
		return asked, m.offeredBefore(), true
	}
	return asked, all, barely(all, asked)
}

// settledVerbs are verbs of what an assistant asks whether it may do that a choice or a limit makes a decision.
var settledVerbs = set("use name call store target pin put place write build deploy host format keep enable disable support allow " +
	"book reserve order buy schedule")

// choosingWords are those around what somebody chooses: "let's go with MySQL please".
var choosingWords = set("let's lets go with i'd i'll we'll i prefer use take choose please then definitely just say for now of course obviously clearly")

// chosenWords returns the words that name what is chosen; none if the choice is not made.
func chosenWords(lead []word) []word {
	if unreal(lead) || slices.ContainsFunc(lead, func(w word) bool { return negations[w.low] || likely[w.low] || w.low == "or" }) {
		return nil
	}
	start, end := 0, len(lead)
	for start < end && (choosingWords[lead[start].low] || affirmation[lead[start].low] || interjections[lead[start].low]) {
		start++
	}
	for end > start && choosingWords[lead[end-1].low] {
		end--
	}
	return lead[start:end]
}

// picked returns the words of the alternative that answer names; nil if it names none or several.
// It has the punctuation of the last one, and what only the last one has said of all ("weekly or
// monthly reports").
func picked(all []alternative, answer []word) []word {
	if len(all) == 0 || len(answer) == 0 {
		return nil
	}
	if every := answer[0].low; (every == "both" && len(all) == 2 || every == "all") &&
		(len(answer) == 1 || len(answer) == 3 && answer[1].low == "of" && lostSubjects[answer[2].low]) {
		return together(all)
	}
	found := meantBy(all, answer)
	if found < 0 {
		return nil
	}
	last, one := all[len(all)-1].words, slices.Clone(all[found].words)
	if n := len(one); n < len(last) && !leaning[one[0].low] && kindOf(one[0]) == kindOf(last[0]) && !named(one[n-1]) {
		one[n-1].post = ""
		return append(one, last[n:]...)
	}
	one[len(one)-1].post = last[len(last)-1].post
	return one
}

// together returns the words of all alternatives, as a list of what is chosen: "PDF and HTML".
func together(all []alternative) (words []word) {
	for i, one := range all {
		words = append(words, one.words...)
		if i == len(all)-2 {
			words = append(words, word{text: "and", low: "and"})
		}
	}
	return words
}

// meantBy returns which alternative an answer names, by its words or its place ("the latter"); -1 if it
// names none or several.
func meantBy(all []alternative, answer []word) int {
	if len(answer) > 1 && determiners[answer[0].low] {
		answer = answer[1:]
	}
	if len(answer) == 1 || len(answer) == 2 && answer[1].low == "one" {
		if at := placeOf(answer[0].low, len(all)); at >= 0 {
			return at
		}
	}
	found := -1
	for i, one := range all {
		if !holds(one.words, answer) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// barely reports whether a question is only its alternatives: "Fastify or Express?", "Short or long
// answers?"
func barely(all []alternative, question []word) bool {
	if len(all) == 0 || all[0].at != 0 {
		return false
	}
	last := all[len(all)-1]
	if last.at+len(last.words) != len(question) || len(last.words) > maxLabel {
		return false
	}
	for _, one := range all {
		for _, w := range one.words {
			if kindOf(w) != "" || places[w.low] > 0 || number(w.low) || questionWords[w.low] || tails[w.low] || analysis.IsStop(w.low) {
				return false
			}
		}
	}
	return true
}

// chosenOver keeps what was chosen of alternatives of which no more is known than where ("", " in this project").
func (m *message) chosenOver(all []alternative, answer []word, where string) {
	var names []string
	proper := slices.ContainsFunc(all[1:], func(one alternative) bool { return slices.ContainsFunc(one.words, named) })
	for i, one := range all {
		name := strings.TrimRight(join(one.words), " ,.!?")
		if i == 0 && !proper {
			name = small(name)
		}
		names = append(names, name)
	}
	chosen := enumerated(names) // of both
	if at := meantBy(all, answer); at >= 0 {
		chosen = chosenFrom(names, at)
	}
	m.x.note(m.s.turn, memory.FactDecision, agreedImportance, capitalUnnamed(m.s.speaker)+" chose "+chosen+where+".")
}

// offeredBefore returns the alternatives in the last sentences of the turn before that are named before
// it asks which one: "I could use Yup, Zod or Valibot. Any preference?"
func (m *message) offeredBefore() []alternative {
	for _, text := range slices.Backward(m.lastSentences(4)) {
		words := strip(expand(cut(text)), m.x.names)
		if all := offeredIn(words); len(all) > 0 && !mentions(words, supposing) {
			return all
		}
	}
	return nil
}

// supposing are words of what is offered under a condition, or for another time.
var supposing = set("if unless imagine suppose supposing assuming would")

// alternative is one that a question offers, and where its words begin there.
type alternative struct {
	at    int
	words []word
}

// offeredIn returns the alternatives around the "or" of a question, two or more of them; none if
// they cannot be told. Those that begin with the same kind of word ("in Go or in Rust", "keep it or
// drop it") begin there, others have as many words as the last one.
func offeredIn(question []word) []alternative {
	or := indexOf(question, "or")
	if or < 1 || or+2 > len(question) {
		return nil
	}
	end := or + 2
	for end < len(question) && !leaning[question[end].low] && !tails[question[end].low] && !modals[question[end].low] {
		end++
	}
	start, kind := -1, kindOf(question[or+1])
	for i := or - 1; kind != "" && i >= 0 && start < 0; i-- {
		if kindOf(question[i]) == kind {
			start = i
		}
	}
	if kind == "verb" {
		end = len(question)
	}
	if start < 0 {
		start = or - 1
		for start > or-(end-or-1) && start > 0 && kindOf(question[start-1]) == "" && !question[start-1].ends() {
			start--
		}
	}
	all := []alternative{{start, question[start:or]}, {or + 1, question[or+1 : end]}}
	for start > 0 && kind+kindOf(question[start-1]) == "" && strings.HasSuffix(question[start-1].post, ",") { // the others of a list
		to := start
		for start--; start > 0 && kindOf(question[start-1]) == "" && !question[start-1].ends(); start-- {
		}
		all = slices.Insert(all, 0, alternative{start, question[start:to]})
	}
	return all
}

// kindOf returns "verb", "preposition", "person" or "determiner" for a word with which an alternative may
// begin, and which is none itself; "" for others.
func kindOf(w word) string {
	switch {
	case imperatives[w.low] || proposed[w.low] || settledVerbs[w.low] || w.low == "prefer" || w.low == "want" || agreement[w.low] != "":
		return "verb"
	case leaning[w.low]:
		return "preposition"
	case secondPerson[w.low] || firstPerson[w.low]:
		return "person"
	case determiners[w.low]:
		return "determiner"
	}
	return ""
}

// tails go on behind the last alternative, with what holds for all.
var tails = set("here there now first instead when if as next again then")

// holds reports whether the words of one stand in a row in the words of the other.
func holds(words, part []word) bool {
	for i := 0; i+len(part) <= len(words); i++ {
		if slices.EqualFunc(words[i:i+len(part)], part, func(a, b word) bool { return a.low == b.low }) {
			return true
		}
	}
	return false
}
