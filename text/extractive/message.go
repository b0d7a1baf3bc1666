package extractive

import (
	"strings"

	"mcp-memory/memory"
)

// message is a user's turn while its facts are found.
type message struct {
	x     *extraction
	s     said   // of its sentences, without their words
	from  int    // facts there were before it
	asked string // the assistant's question, resolved, until it is answered
	// question is the same, kept when asked is emptied.
	question string
	open     bool // the sentence before became a fact, or part of one
	first    bool // nothing of the turn was taken yet
	mended   bool // a value was put right in the turn
	heard    bool // a sentence of the turn was heard that says something
	apart    bool // it came long after the one before
	// unreal is set if the user's turn before was a supposition.
	unreal bool
	// jest has the stems of the sentence before if that was a joke, nil if not. scorned is set if
	// the joke was sarcasm, dream if it was a wish ("I wish we had a lab").
	jest           map[string]bool
	scorned, dream bool
	// frame is set while the user's sentences go on with something imagined, supposed if the
	// assistant imagined something in the turn before.
	frame, supposed bool
	// about names whom the request before was for: "my dog Bruno".
	about []word
	// tale is set behind a sentence or a question about the plot of a story.
	tale bool
}

// fromUser finds the facts of a user's turn to an assistant.
func (x *extraction) fromUser(position int, who, listener person) {
	t := x.turns[position]
	m := &message{x: x, from: len(x.facts), first: true}
	m.s = said{speaker: who, listener: listener, at: t.SaidAt, previous: x.before(position, who), turn: position, brief: true}
	m.asked = m.asksStanding()
	m.question = m.asked
	if m.apart = !t.SaidAt.IsZero() && t.SaidAt.Sub(x.talk.at) > pause; m.apart {
		x.talk.play = 0
	}
	m.unreal, x.talk.unreal = x.talk.unreal && !m.sobered(), false
	m.supposed = m.supposes()
	m.tale = m.asked != "" && in("plots", cut(m.asked))
	if opening := cut(t.Content[:min(len(t.Content), 40)]); x.talk.echoed && len(opening) > 0 && contradicting[opening[0].low] {
		x.facts[len(x.facts)-1].shorten()
	}
	x.talk.echoed = false
	var said []string
	var asked map[int]bool
	if text, left := m.heeded(withoutHanded(t.Content)); left {
		said, asked = toKeep(untangled(m.denied(withExceptions(sentencesThat(brief, listed(withoutQuotes(withoutPasted(text))))))))
	}
	if chosen := m.chosen(); chosen != nil {
		said = chosen
	}
	for i, text := range said {
		opening := expand(cut(text))
		if len(opening) == 0 {
			continue // "@"
		}
		told := m.introduces(opening)
		if told != nil {
			opening = told
		}
		switch {
		case told == nil && m.passes(opening) || halfQuoted(text):
			m.open, m.asked = false, ""
		case foreign(text):
			m.foreign(text, t)
		default:
			before := len(x.facts)
			if m.hear(ungreeted(opening), i == 0); len(x.facts) == before && !m.open && i < 3 && listener.assistant {
				m.putRight(text)
			}
			if asked[i] && len(x.facts) == before && !m.open {
				s := m.s
				s.words, s.opening = expand(cut(text)), expand(cut(text))
				if content, at, ok := x.content(s); ok {
					x.keep(s, content, agreedImportance, at)
				}
			}
		}
	}
	from := m.from
	if last := from - 1; last >= 0 && x.facts[last].amended {
		from, x.facts[last].amended = last, false // which may be put right once more
	}
	x.talk.from, x.talk.turn, x.talk.at, x.talk.open = from, position, t.SaidAt, m.open
	x.talk.unreal = x.talk.unreal && !m.open
	x.talk.hear(strings.Join(said, " "))
}

// denied writes the denial with which a turn begins as a "no": "That's not right, it's 250" and "No. It's 250" become "No, it's 250".
func (m *message) denied(sentences []string) []string {
	if len(sentences) == 0 || m.s.previous == "" || !m.s.listener.assistant {
		return sentences
	}
	words := cut(sentences[0])
	switch n := opening("denials", words); {
	case n > 0 && words[n-1].ends():
		return append([]string{"No, " + uncapital(join(words[n:]))}, sentences[1:]...)
	case whole("denials", words) && len(sentences) > 1 && leansOn(sentences[1]):
		return append([]string{"No, " + uncapital(sentences[1])}, sentences[2:]...)
	}
	return sentences
}

// leansOn reports whether a sentence begins with a pronoun for what was named before it.
func leansOn(sentence string) bool {
	words := cut(sentence)
	return len(words) > 0 && lostSubjects[head(words[0].low)]
}

// ended keeps that what the assistant said is no longer so: "not any more" to "You live with Anna."
func (m *message) ended(words []word) bool {
	previous := m.s.previous
	if claim := m.x.claimed(previous, false); claim != "" {
		previous = claim
	}
	lead := leading(strip(words, m.x.names))
	if previous == "" || !m.s.listener.assistant || strings.HasSuffix(previous, "?") || len(previous) > maxQuotedBytes ||
		!whole("ended", lead) || !telling(previous) {
		return false
	}
	m.x.note(m.s.turn, memory.FactCorrection, correctionImportance, m.s.quoting(previous, capital(finish(join(lead)))))
	m.took()
	if rest := behind(words); len(rest) > 0 {
		m.sentence(rest)
	}
	return true
}

// theirs writes words of the assistant, ours those of the user, so that they no longer depend on who says
// them: both have a name, so that there is always a way.
func (s said) theirs(words []word) string {
	resolved, _ := resolve(words, s.listener, s.speaker)
	return join(resolved)
}

func (s said) ours(words []word) string {
	resolved, _ := resolve(words, s.speaker, s.listener)
	return join(resolved)
}

// sobered reports whether a turn is no part of what was supposed in the user's turn before: it
// says yes to the assistant, or answers a question about the user that makes sense alone.
func (m *message) sobered() bool {
	content := m.x.turns[m.s.turn].Content
	answer := cut(content[:min(len(content), 20)])
	return len(answer) > 0 && plainYes[answer[0].low] ||
		m.asked != "" && !goesOn(m.asked) && in("ofUser", expand(cut(strings.Join(m.lastSentences(1), " "))))
}

// passes reports whether a sentence is left out because it states nothing that is so: a guess or
// the words of others in another language, or what unmeant finds.
func (m *message) passes(opening []word) bool {
	first := opening[0].low // goes on with what the assistant imagined ("Then I get 2 kW"), or not
	m.supposed = m.supposed && (first == "then" || first == "so" || number(first) || lostSubjects[head(first)] || !verbal(opening))
	return in("abroad", opening) || in("gossip", opening) || m.unmeant(ungreeted(opening))
}

// hear reads a sentence that is meant. If it puts right or takes back what was said before ("wait,
// Wednesday", "scrap that"), it changes the earlier facts; what else it says goes to sentence.
// first is set for the first sentence of the turn.
func (m *message) hear(opening []word, first bool) {
	x := m.x
	if m.mended && lostSubjects[head(opening[0].low)] && !m.x.details(opening) {
		return // "They moved it again."
	}
	if m.puts(opening) {
		m.open, m.mended, m.first, m.asked = true, true, false, ""
		return
	}
	if m.midway(opening) || first && m.ended(opening) {
		return
	}
	stripped := strip(opening, x.names)
	if len(stripped) == 0 { // "Hey Ann,"
		stripped = opening
	}
	if rest, ok := m.takesBack(stripped, first); ok {
		m.asked, m.first = m.question, true
		if opening, stripped = rest, rest; len(rest) == 0 {
			return
		}
	}
	for i := max(1, len(stripped)-3); i < len(stripped); i++ {
		if stripped[i-1].ends() && in("dismissal", stripped[i:]) { // "We have no key for that, forget it"
			return
		}
	}
	rest, again := reconsidered(stripped)
	if !again && (in("wait", opening) || in("sobering", opening)) {
		rest, again = reconsidered(opening)
	}
	if again && first && in("ofOther", stripped) {
		if len(rest) > 1 && definite(rest) { // "That's wrong, staging runs Valkey 8."
			m.sentence(rest)
		}
		return
	}
	if again && (m.open && x.exchange(rest, m.s.at, m.from) || first && x.exchange(rest, m.s.at, x.talk.from)) {
		m.open = true
		return
	}
	if n := len(opening) - 1; n > 0 && n < 4 && behindValue[opening[n].low] && onlyValue(join(opening[:n])) != "" &&
		x.exchange(opening[:n], m.s.at, x.talk.from) { // "95 please", "2018 actually"
		m.open = true
		return
	}
	if again {
		if !x.takeBack(leading(stripped)) {
			m.retract(!first, rest)
		}
		m.asked, m.first = m.question, true
		if opening = rest; len(opening) == 0 {
			return
		}
	}
	m.sentence(opening)
}
