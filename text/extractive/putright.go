package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// putRight keeps a sentence to an assistant that nothing else was made of, as it was said: a rule
// for its work ("You must not email clients"), or a denial of what it said last, which is then quoted
// (see quoting).
func (m *message) putRight(text string) {
	x := m.x
	previous := m.s.previous
	words := strip(expand(cut(text)), x.names)
	if len(words) < 2 || len(words) > 30 || strings.HasSuffix(text, "?") || strings.HasSuffix(text, ":") || m.supposed || m.tale ||
		in("hypothetical", words) {
		return
	}
	denied := corrective[cut(text)[0].low]
	if denied && corrective[words[0].low] && len(words) > 2 {
		words = words[1:]
	}
	said, quotes := finish(text), false
	once := len(words) > 3 && words[0].low == "don't" && single[object(words[1:]).low] && !definite(words) && !strings.Contains(text, ",")
	switch about := shares(previous, words); {
	case !once && in("workRules", words) && !in("passingRules", words) && !atOneThing(words) &&
		(stems(words) >= minStems || len(words) == 2 && kindVerbs[words[0].low] && strings.HasSuffix(words[1].low, "s")) &&
		(advice(words) || !mentions(words, firstPerson) || secondPerson[words[0].low]) && !mentions(words, doubting):
		quotes = lostSubjects[head(words[0].low)] && previous != ""
	case strings.HasSuffix(previous, "?") || len(previous) > maxQuotedBytes || len(stemSet(previous)) == 0 || unreal(words) ||
		in("noise", words):
		return
	case len(words) <= 14 && (denied || hasAny(words, "not")) && (about || denied && lostSubjects[head(words[0].low)]) &&
		!leansOn(previous) &&
		definite(words):
		quotes = true
	default:
		return
	}
	if quotes {
		said = m.s.quoting(previous, said)
	}
	x.note(m.s.turn, memory.FactCorrection, correctionImportance, said)
	m.open, m.first = true, false
}

// atOneThing reports whether words are about something at hand ("in this file"), and not about all that is
// worked on ("in this repo").
func atOneThing(words []word) bool {
	for i := 1; i < len(words); i++ {
		if leadingTo[words[i-1].low] && demonstrative[words[i].low] && (i+1 == len(words) || !wholeWork[words[i+1].low]) {
			return true
		}
	}
	return false
}

var (
	leadingTo     = set("in from of to for")
	demonstrative = set("that this these those")
	wholeWork     = set("repo repository project codebase monorepo workspace code app package module service team")
)

// quoting returns a correction together with the sentence that it corrects.
func (s said) quoting(previous, correction string) string {
	return finish(s.speaker.name + ` corrected "` + strings.TrimRight(previous, " ") + `": ` + correction)
}

// shares reports whether words have a stem in common with a text.
func shares(text string, words []word) bool {
	there := stemSet(text)
	return slices.ContainsFunc(analysis.Content(join(words)), func(stem string) bool { return there[stem] })
}

// definite reports whether words name a value: a number, a name, a day, a path or a word that
// is quoted.
func definite(words []word) bool {
	return slices.ContainsFunc(words[1:], func(w word) bool {
		return number(w.low) || named(w) || shape(w.text) != "" || strings.ContainsAny(w.text, "./_`\"")
	})
}

// kindVerbs with a plural are a rule about things of a kind: "use tabs", not "use force".
var kindVerbs = set("use prefer avoid")

// doubting are words of what is only supposed.
var doubting = set("if would could might maybe perhaps probably unless guess suppose")
