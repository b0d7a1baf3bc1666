package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// maxQuestionBytes is the length of a question that an answer is kept with.
const maxQuestionBytes = 160

// asks returns the question that ended the assistant's turn before, as it was said; false if there is none,
// or it is too long to keep an answer with it.
func (m *message) asks() (string, bool) {
	return m.s.previous, strings.HasSuffix(m.s.previous, "?") && len(m.s.previous) <= maxQuestionBytes
}

// asksStanding returns the question of [message.asks] so that it stands alone ("Where do you live?" is
// "Where does the user live?"); "" if there is none, or none about facts.
func (m *message) asksStanding() string {
	text, ok := m.asks()
	if !ok {
		return ""
	}
	words := strip(expand(cut(text)), nil)
	if rest := unhedged(words); len(rest) < len(words) {
		words = supposed(rest)
	} else if len(words) > 1 && likely[words[0].low] {
		if words = words[1:]; finite(words) {
			words = supposed(words)
		} else {
			words = nil
		}
	}
	if len(words) == 0 || !settles(words) && (in("aside", words) || mentions(words, ours)) || in("asksConsent", words) {
		return ""
	}
	if m.x.claimed(text, false) != "" {
		return capital(said{speaker: person{name: theAssistant, assistant: true}, listener: m.s.speaker}.ours(words))
	}
	return aboutUser(words, m.s.speaker)
}

// settles reports whether an assistant asks what to use or how to do its work from then on, so that the
// answer is a decision: "What should we use for the queue?"
func settles(words []word) bool {
	i := indexOf(words, "should")
	return i > 0 && i+2 < len(words) && questionWords[words[0].low] && (words[i+1].low == "i" || words[i+1].low == "we") &&
		(settling[words[i+2].low] || words[i+2].low == "set") && !leans(words) && !hasAny(words, "here")
}

// aboutUser puts a question of the assistant to the user into the third person: of "do you live" it makes
// "does the user live".
func aboutUser(words []word, who person) string {
	for i, w := range words {
		switch {
		case w.low == "you":
			words[i].set(who.name)
			if i > 0 && agreement[words[i-1].low] != "" {
				words[i-1].text = likeCase(agreement[words[i-1].low], words[i-1].text)
			}
		case w.low == "i" || w.low == "me":
			words[i].set(theAssistant)
		case w.low == "we":
			words[i].set(who.company())
		case secondPerson[w.low]:
			words[i].set(objectForm(w.low, who))
		}
	}
	return capital(join(words))
}

// supposed returns the subject of a guess of the assistant as the label for the user's answer: of
// "The password is in a file?" it is "The password:", as the rest was only the assistant's idea. It
// is nil if the guess is about the user.
func supposed(words []word) []word {
	for i := 1; i < min(maxLabel+1, len(words)-1) && !secondPerson[words[0].low]; i++ {
		if agreement[words[i].low] != "" || modals[words[i].low] {
			label := slices.Clone(words[:i])
			label[i-1].post = ":"
			return label
		}
	}
	return nil
}

// wanted makes a fact of an answer that says more than yes or no to an offer of the assistant:
// "Would you like a weekly summary?" and "Yes, on Sundays." are kept as "The user wants a weekly
// summary: on Sundays."
func (m *message) wanted(words []word) (besides []word, kept bool) {
	x := m.x
	yes := affirmation[words[0].low]
	text, ok := m.asks()
	if !ok || len(words) < 2 || !yes && !denial[words[0].low] || strings.Contains(words[len(words)-1].post, "?") {
		return nil, false
	}
	asked := strip(expand(cut(text)), nil)
	more := ungreeted(strip(words[1:], x.names))
	for len(more) > 0 && (more[0].low == "please" || interjections[more[0].low]) {
		more = more[1:]
	}
	if len(asked) < 4 || !in("offered", asked) || len(more) == 0 || idle(more) || unreal(more) ||
		hasAny(asked, "or") {
		return nil, false
	}
	if yes && len(more) == 1 && has(text, more[0].text) {
		return nil, true // "yes wait"
	}
	if !yes && finite(more) && mentions(asked, oneTime) {
		return nil, false // why not
	}
	asked = asked[3:]
	if asked[0].low == "me" {
		asked = slices.Clone(asked)
		asked[0].set(theAssistant)
	}
	verb := " wants "
	if !yes {
		verb = " doesn't want "
	}
	content := m.s.speaker.name + verb + strings.TrimRight(m.s.theirs(asked), "?") + ": " + m.s.ours(more)
	x.note(m.s.turn, memory.FactPreference, agreedImportance, absolute(finish(content), m.s.at).text)
	return nil, true
}

// ours are words of a question that is about the assistant too, and so not asked for a fact.
var ours = set("we us our ours let's lets my mine am")

// unproposed shortens a question in which the assistant proposes a number to a label, if the answer
// names a number too: of "Reviews within one day?" and "Two." it keeps "Reviews:", as the day was
// only the assistant's idea. Another question is returned as it is.
func unproposed(question string, s said) string {
	counted := func(w word) bool { return number(w.low) }
	words := cut(question)
	at := slices.IndexFunc(words, counted)
	if at < 1 || affirmation[s.opening[0].low] || !slices.ContainsFunc(s.words, counted) || polar[words[0].low] ||
		analysis.IsStop(words[0].low) && !determiners[words[0].low] {
		return question
	}
	for at > 1 && (analysis.IsStop(words[at-1].low) || bounds[words[at-1].low]) {
		at--
	}
	words[at-1].post = ":"
	return join(words[:at])
}

// bounds are the words before a number that say how much of it is meant.
var bounds = set("within under over about around roughly every per max maximum least most until after before say")

// maxLabel is how many words a label has at most.
const maxLabel = 4

// alternatives returns the question to keep with an answer. Of one that offers alternatives only
// the topic is kept, so that nothing is kept that was not chosen: "Drinks:" of "Drinks: tea or
// coffee?", nothing of "Tea or coffee?"
func alternatives(question string) string {
	if !strings.Contains(" "+question+" ", " or ") {
		return question
	}
	topic, _, ok := strings.Cut(question, ":")
	if ok && len(topic) < maxQuestionBytes/2 {
		return topic + ":"
	}
	return ""
}
