package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
)

// puts reads a correction of what the user said before that names both values in words of any sort
// ("not Lena, Lara", "I meant badger, otter is gone"), or begins with the right value and goes on with
// why ("14, Kim just added one"). It reports whether a fact was put right. While nothing of the turn was
// taken it may be an answer to the assistant, or be about what that said.
func (m *message) puts(words []word) bool {
	if m.first && !m.aboutOwn() || len(words) == 0 || strings.Contains(words[len(words)-1].post, "?") {
		return false
	}
	last := m.x.latest(m.x.talk.from)
	if n := opening("apologyAbroad", words); n > 0 && len(words)-n < 4 && last != nil &&
		strings.HasPrefix(last.Content, capital(m.s.speaker.name)+": ") {
		return last.exchange(words[n:], m.s.at) || last.join(finish(join(words)))
	}
	opens := words
	words = unapologetic(words)
	now, old := m.exchanged(words)
	for f := range m.x.recent() {
		said := func(w word) bool { return shape(w.text) == shape(now) && has(f.Content, w.text) }
		if at := slices.IndexFunc(old, said); now != "" && at >= 0 && !has(f.Content, now) {
			f.amend(swap(f.Content, old[at].text, likeCase(now, old[at].text)))
			return true
		}
	}
	for len(words) > 1 && len(words) < len(opens) && (lostSubjects[head(words[0].low)] || words[0].low == "is") {
		words = words[1:]
	}
	lead := leading(words)
	sorry := len(words) < len(opens)
	if !sorry && len(lead) == len(words) && shape(lead[0].text) == "number" && len(m.x.turns[m.s.turn].Content) < len(join(words))+3 {
		return false // a number alone may be anything
	}
	alone := len(lead) < 4 && shape(lead[0].text) != "" && onlyValue(join(lead)) != "" || // with no more than its unit
		len(lead) == 2 && leaning[lead[0].low] && shape(lead[1].text) != ""
	rest := words[len(lead):] // tells why it is the right one, or more
	why := len(rest) == 0 || rest[0].low == "not" || subordinators[rest[0].low] || lostSubjects[head(rest[0].low)] ||
		firstPerson[rest[0].low] || named(rest[0]) || rest[0].low == "somebody" || rest[0].low == "someone"
	return alone && (sorry || m.first && why) && m.x.exchange(lead, m.s.at, m.x.talk.from)
}

// exchanged returns the new word of a correction and those that may be the old one; "" if it is none.
func (m *message) exchanged(words []word) (now string, old []word) {
	lead := leading(words)
	rest := words[len(lead):]
	n := opening("meant", lead)
	switch {
	case n > 0 && len(lead) == n+1:
		return plainWord(lead[n:]), rest[:min(1, len(rest))]
	case lead[0].low == "not" && len(lead) == 2 && len(rest) > 0:
		for len(rest) > 1 && (rest[0].low == "but" || rest[0].low == "rather" || lostSubjects[head(rest[0].low)]) {
			rest = rest[1:]
		}
		return plainWord(leading(rest)), lead[1:]
	case mentions(lead, gone) && len(rest) == 3 && lostSubjects[head(rest[0].low)] && rest[2].low == "now": // "it's fern now"
		return plainWord(rest[1:2]), lead[:1]
	case len(lead) == 1 && len(rest) == 2 && rest[0].low == "not":
		return plainWord(lead), rest[1:]
	}
	return "", nil
}

// plainWord returns the only word of words, "" if they are more, or a word that names nothing.
func plainWord(words []word) string {
	if len(words) != 1 || analysis.IsStop(words[0].low) || interjections[words[0].low] {
		return ""
	}
	return words[0].text
}

// gone are the words for what is no more.
var gone = set("gone dead retired decommissioned replaced history deprecated left quit")

// apologies are the words besides corrective that begin a correction.
var apologies = set("sorry wait oh oops ah hmm")

// aboutOwn reports whether a correction that begins a turn is one of the user's own words: the assistant
// asked nothing, and said nothing that could be put right, or only said the user's value again.
func (m *message) aboutOwn() bool {
	turn, told := m.x.turnBefore(m.s.turn, m.s.speaker)
	last := len(m.x.facts) - 1
	if !told || last < 0 {
		return last >= 0
	}
	words := unlabelled(cut(turn.Content))
	if strings.Contains(turn.Content, "?") || len(words) > 0 && (imperatives[words[0].low] || requests[words[0].low]) {
		return false
	}
	value := onlyValue(turn.Content)
	return !telling(turn.Content) || value != "" && has(m.x.facts[last].Content, value)
}

// unapologetic returns words without the apology at their start.
func unapologetic(words []word) []word {
	for len(words) > 1 && (corrective[words[0].low] || apologies[words[0].low]) {
		words = words[1:]
	}
	return words
}
