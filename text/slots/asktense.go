package slots

import (
	"slices"
	"strings"
)

// tense finds which version is asked for.
func (a *asking) tense() {
	switch {
	case a.any("over time", "history of", "evolve", "how has", "how have", "how did") &&
		a.any("change", "evolve", "develop", "history", "over time"), a.any("timeline of"):
		a.q.Tense = History
		return
	case a.any("most recent", "latest", "newest", "most recently"), a.any("the last") && !a.any("before the last"):
		a.q.Tense = Latest
	}
	a.q.First = a.asksFirst()
	past := a.q.First
	for i := range a.tokens {
		t := &a.tokens[i]
		switch {
		case t.word == "before" && a.present(i):
		case t.word == "before" || t.word == "vor" || t.word == "bevor" || t.word == "avant" || t.word == "voor" && i > 2 ||
			t.word == "until" && a.did() || t.word == "till" && a.did() || t.word == "prior" && i > 2:
			past = true
			a.after = i
		case t.is(isPast), t.word == "use" && i+1 < len(a.tokens) &&
			a.tokens[i+1].word == "to", a.marker(i, len(a.tokens), isPast) != nil && !a.at(i+2, "past tense"):
			past = true
		case t.is(isOldAdj) && t.word != "last" && t.word != "late" && !a.at(i, "first name") && !a.at(i, "past tense") && i > 0 &&
			(a.tokens[i-1].is(isPossessive|isDet|isThird) || a.tokens[i-1].poss):
			past = true
		case t.num && len(t.word) == 4 && (t.word[:2] == "19" || t.word[:2] == "20") && i > 0 && a.tokens[i-1].is(isPreposition):
			past = true
		case t.word == "earlier" && i+1 == len(a.tokens):
			past = true
		}
	}
	a.q.Implied = !past && a.states()
	a.q.Ahead = !past && a.ahead()
	if past || a.q.Implied {
		a.q.Tense = Then
	}
	a.until()
}

// what reads a "was" at the start as the German word for "what", if other words of the question are
// German: "Was ist mein Beruf?"
func (a *asking) what() {
	if t := &a.tokens[0]; t.word == "was" && slices.ContainsFunc(a.tokens[1:], func(t token) bool { return isGerman(t.word) }) {
		t.word, t.e = "welches", a.find("welches")
		a.q.German = true
	}
}

// isGerman reports whether a word stands in most German questions, and in no English one.
func isGerman(w string) bool {
	switch w {
	case "ist", "sind", "hat", "haben", "habe", "von", "mit", "und", "der", "das", "den", "dem", "ich", "mein", "meine", "meiner", "zu",
		"zur", "zum", "für", "bei", "beim", "über", "im", "gibt", "macht", "hält", "mag",
		"isst", "trinkt", "steht", "kostet", "war", "wurde", "wird", "muss", "darf", "soll":
		return true
	}
	return false
}

// yesNo reports whether yes or no is the answer.
func (a *asking) yesNo() bool {
	if a.tokens[0].is(isQuestion) {
		return false
	}
	return a.tokens[0].is(isOpener|isBe|isHave|isDo|isModal) ||
		a.any("still", "noch", "immer noch", "nog", "encore", "toujours", "todavía", "aún", "sigue", "sigo")
}

// asksFirst reports whether the question is for how something began.
func (a *asking) asksFirst() bool {
	if i := slices.IndexFunc(a.tokens, func(t token) bool { return t.word == "first" }); i > 0 && a.did() {
		next := min(i+1, len(a.tokens)-1)
		return next == i || a.tokens[next].is(formPast) ||
			a.tokens[i-1].is(isDet|isPossessive) && !a.tokens[next].is(isTime) && a.tokens[next].word != "name" &&
				a.tokens[next].word != "person"
	}
	return a.any("at first", "originally", "the original", "the initial", "our original", "our initial", "my original", "my initial",
		"initially", "in the beginning", "at the beginning", "begin with",
		"start with", "start out", "start off", "at the start", "at the outset", "first of all",
		"first plan", "first version", "first choice", "anfangs", "ursprünglich", "zuerst", "zu beginn",
		"am anfang", "au début", "d abord", "al principio", "al comienzo", "primero", "aanvankelijk", "eerst")
}

// until takes what stands behind "before" as what ended the version that is
// asked for: "before the upgrade", "before I moved to Ghent". In front of the
// question it ends with a comma: "Before Ghent, where did I live?"
func (a *asking) until() {
	from := slices.IndexFunc(a.tokens, func(t token) bool {
		return t.word == "before" || t.word == "until" || t.word == "till" || t.word == "bevor" || t.word == "vor" || t.word == "avant" ||
			t.word == "antes" || t.word == "prior"
	})
	if from < 0 || a.q.Tense != Then {
		return
	}
	var words []string
	for i := from + 1; i < len(a.tokens); i++ {
		t := &a.tokens[i]
		if !t.is(isDet|isFirst|isPossessive|isThird|isBe|isHave|isDo|isModal|isPreposition|isConjunction|isAdverb|isQuestion) ||
			t.cap && !t.is(isFirst) {
			words = append(words, t.word)
		}
		if from == 0 && t.post != 0 {
			break
		}
	}
	a.q.Until = strings.Join(words, " ")
}

// did reports whether the question is in the past, by "did", "was", "were" or "had".
func (a *asking) did() bool { return a.any("did", "was", "were", "had") }

// present reports whether the "before" at i is no word for an earlier version, as the question is
// in the present: "what should I take before breakfast".
func (a *asking) present(i int) bool {
	asks := false
	for k := range a.tokens[:i] {
		t := &a.tokens[k]
		switch {
		case t.word == "did" || t.word == "was" || t.word == "were" || t.word == "had" ||
			t.is(formPast) && !t.is(formBase) && !a.participle(k):
			return false
		case t.is(isBe | isDo | isModal | isWill | isHedge):
			asks = true
		}
	}
	return asks
}

// participle reports whether the word at i is a participle of the passive in the present, in spite
// of its form of the past: "should commits be squashed", "is the dough kneaded".
func (a *asking) participle(i int) bool {
	if i == 0 || a.tokens[i-1].is(isFirst|isThird) {
		return false
	}
	return a.tokens[0].is(isBe) || a.tokens[i-1].is(isBe)
}

// states reports whether the question, by its verb, is how something was: "what
// car did I have", "who led the team". What happened at a moment has no versions
// ("what did we decide"), and "what was the port again" asks for now.
func (a *asking) states() bool {
	n := len(a.tokens)
	if a.any("again", "when did", "why did", "nochmal", "noch mal", "noch gleich") {
		return false
	}
	if a.foreignPast() {
		return true
	}
	for i := range a.tokens[:min(n, 8)] {
		t := &a.tokens[i]
		switch {
		case t.word == "did":
			return slices.ContainsFunc(a.tokens[i+1:], func(t token) bool {
				return t.is(isLasting) && t.is(formBase) || t.word == "have" || t.word == "do"
			}) || n > 2 && a.at(n-2, "go to")
		case t.word == "had":
			return !slices.ContainsFunc(a.tokens[i+1:], func(t token) bool { return t.is(formPast) && !t.is(isLasting) })
		case t.word == "was" || t.word == "were":
			when := a.tokens[0].word == "when" || a.tokens[0].word == "why"
			return !slices.ContainsFunc(a.tokens[i+1:], func(t token) bool {
				return t.is(anyVerb) && t.is(formPast) && !t.is(isLasting) && !t.is(formBase) || when && t.is(formPast) || happened(&t)
			}) && !a.any("about", "say", "said")
		case t.is(isLasting) && t.is(formPast) && !t.is(formBase) && i > 0 && i < 5 && a.tokens[0].is(isQuestion):
			return true
		case t.is(isBe|isHave|isDo|isModal|isWill) && i > 0:
			return false
		}
	}
	return false
}

// happened reports whether a word is likely the participle of a verb that no table has,
// of what was done once: "was the visa granted".
func happened(t *token) bool {
	return t.e.flags == 0 && t.e.verb == "" && t.e.noun == "" && !t.cap && len(t.word) > 5 && strings.HasSuffix(t.word, "ed")
}

// foreignPast reports whether a question of another language stands in its past.
func (a *asking) foreignPast() bool {
	if !a.tokens[0].is(isQuestion) && !a.tokens[min(1, len(a.tokens)-1)].is(isQuestion) {
		return false
	}
	switch a.tokens[0].word {
	case "what", "which", "who", "whom", "whose", "where", "when", "why", "how":
		return false
	}
	return slices.ContainsFunc(a.tokens[1:], func(t token) bool {
		return t.is(isWas) || !t.cap && slices.ContainsFunc(imperfects, func(end string) bool {
			return len(t.word) > len(end)+1 && strings.HasSuffix(t.word, end)
		})
	})
}

// imperfects are endings of verbs of the past in Spanish and French.
var imperfects = []string{"aba", "abas", "aban", "ábamos", "ía", "ías", "ían", "íamos", "ait", "ais", "aient"}

// ahead reports whether the question is for what is to come, planned or wished.
func (a *asking) ahead() bool {
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.is(isWill|isWish) && !t.is(isTime) || t.is(isTime) && t.word == "next" && i+1 < len(a.tokens) && a.tokens[i+1].is(isTime) ||
			a.marker(i, len(a.tokens), isWill|isWish) != nil {
			return true
		}
	}
	return a.any("want to", "plan to", "dream", "wish", "future", "soon", "would i like", "would i love", "would i rather",
		"do i hope", "i hope")
}
