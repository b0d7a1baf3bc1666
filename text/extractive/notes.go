package extractive

import (
	"slices"
	"strings"
)

// noting are the openings by which an assistant asks whether to keep something ("Shall I note that
// …"). What is to be kept are the words behind them.
var noting = []phrase{
	compile("^ so|and|then? shall|should|may|can|could i also|just|then? note|remember|save|record|store|keep|write|add down? in? mind? that|down|:?"),
	compile("^ so|and|then? do|would you want|like me to also|just? note|remember|save|record|store|keep|write|add down? in? mind? that?"),
	compile("^ so|and|then? want me to also|just? note|remember|save|record|store|keep|write|add down? in? mind? that?"),
	compile("^ is it true|right|correct that"),
	compile("^ am i right that|in? thinking? that?"),
}

// noted returns what an assistant asks whether to keep, as the user would say it:
// "Shall I note that you use Postgres 16?" is "I use Postgres 16". Nil of any
// other question.
func noted(words []word) []word {
	for _, p := range noting {
		n := p.length(words)
		if n == 0 || n >= len(words) {
			continue
		}
		rest := append([]word(nil), words[n:]...)
		rest[len(rest)-1].post = "."
		if len(rest) < 3 || !(verbal(rest) && len(rest) > 3) && !secondPerson[rest[0].low] && rest[0].low != "we" {
			return nil
		}
		for i := 1; i < len(rest)-1; i++ {
			if rest[i].low == "that" && rest[i-1].low == "and" {
				rest = append(rest[:i], rest[i+1:]...)
			}
		}
		return swapped(rest)
	}
	return nil
}

// swapped exchanges speaker and listener, in words itself: "you use your own" becomes "I use my
// own", and "I" becomes "you".
func swapped(words []word) []word {
	literal := literals(words)
	for i := range words {
		if literal[i] {
			continue
		}
		switch words[i].low {
		case "you":
			words[i].set("I")
			if i == 0 || subjectYou(words, i) || i+1 < len(words) {
				continue
			}
			words[i].set("me")
		case "your":
			words[i].set("my")
		case "yours":
			words[i].set("mine")
		case "are":
			if i > 0 && words[i-1].low == "i" {
				words[i].set("am")
			}
		case "i", "me":
			words[i].set("you")
		case "my":
			words[i].set("your")
		}
	}
	return words
}

// confirmed makes a fact of what an assistant asked whether to keep, or stated
// in the tone of a question, where the user says yes and nothing else. Said no
// to, it is dropped. It reports whether the turn before asked so.
func (x *extraction) confirmed(m *message, words []word) bool {
	if !m.first || len(words) == 0 || len(words) > 6 || strings.Contains(words[len(words)-1].post, "?") {
		return false
	}
	yes := affirmation[words[0].low] || plainYes[words[0].low] || in("assent", words)
	no := denial[words[0].low]
	if in("notingAbroad", cut(m.asked)) && noAbroad.length(words) == len(words) {
		return true
	}
	if !yes && !no || yes && !idle(words) && !in("assent", words) || no && len(words) > 1 {
		return false
	}
	said, ok := x.before(m.s.turn, m.s.speaker)
	if !ok || !strings.HasSuffix(said, "?") || len(said) > maxQuestionBytes {
		return false
	}
	asked := strip(expand(cut(said)), x.names)
	what := noted(asked)
	if what == nil {
		claim := x.claimed(surely(said))
		if claim == "" {
			return false
		}
		what = swapped(expand(cut(claim)))
	}
	if no {
		return true
	}
	s := m.s
	s.words, s.opening = what, what
	return x.state(s, minStems)
}

// noAbroad is a no in another language to what an assistant asks whether to keep.
var noAbroad = compile("^ nein|nee|neen|non|no danke|dank|bedankt|merci|gracias|grazie? je|u?")

// surely removes adverbs such as "probably" from a claim of the assistant that the user confirms.
func surely(claim string) string {
	words := cut(claim)
	if len(words) > 3 {
		words = slices.DeleteFunc(words, func(w word) bool { return likely[w.low] && w.post == "" })
	}
	return capital(join(words))
}

var likely = set("probably maybe perhaps presumably")
