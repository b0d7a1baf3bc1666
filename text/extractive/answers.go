package extractive

import (
	"cmp"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// capitalUnnamed returns a person as the first word of a sentence: "The user" for "the user". A
// name stays as it is.
func capitalUnnamed(p person) string {
	if strings.HasPrefix(p.name, "the ") {
		return capital(p.name)
	}
	return p.name
}

// turnBefore returns the turn before a position, if somebody else than who said it.
func (x *extraction) turnBefore(position int, who person) (memory.Turn, bool) {
	for i := position - 1; i >= 0; i-- {
		if p, ok := speaker(x.turns[i]); ok {
			return x.turns[i], p != who && x.turns[i].Session == x.turns[position].Session
		}
	}
	return memory.Turn{}, false
}

// before returns the last sentence of the turn before a position, of a question with options the question;
// "" if there is none, or who speaks there said it.
func (x *extraction) before(position int, who person) string {
	turn, told := x.turnBefore(position, who)
	if question := beforeOptions(turn.Content); told && question != "" {
		return question
	}
	all := analysis.Sentences(plainLines(turn.Content))
	if !told || len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

const maxQuotedBytes = 160

// corrected makes a fact of a correction that makes sense only with the sentence it corrects, the
// last one that somebody else said. That is quoted: "No, it's 8081." is kept as `Ann corrected "The
// port is 8080.": it's 8081.` Where a user corrects an assistant, mended makes the fact instead.
func (x *extraction) corrected(s said) (memory.Extracted, bool) {
	previous := s.previous
	claim, short := x.disputed(s)
	if claim != "" {
		previous = claim
	}
	if previous == "" || s.later || s.speaker.assistant || !short && (!in("refersBack", s.opening) || !telling(previous)) ||
		len(analysis.Content(join(s.opening))) < 1 || len(previous) > maxQuotedBytes || strings.HasSuffix(previous, "?") {
		return memory.Extracted{}, false
	}
	words := strip(s.opening, x.names)
	if in("noise", words) && !telling(join(words)) {
		return memory.Extracted{}, false
	}
	content, ok := "", true
	if s.brief {
		content, ok = x.mended(s, previous, words)
	} else {
		var resolved []word
		resolved, ok = resolve(words, s.speaker, s.listener)
		content = absolute(s.quoting(previous, join(resolved)), s.at).text
	}
	return memory.Extracted{
		Content: content, Type: memory.FactCorrection, Importance: correctionImportance, Turn: x.turns[s.turn].Index,
	}, ok
}

// disputed returns the claim in a question of the turn before that s may put right ("So the port is
// 8080?"), "" if there is none. short reports whether s looks like a correction of a few words:
// "No, 8081."
func (x *extraction) disputed(s said) (claim string, short bool) {
	if !s.brief || len(s.words) == 0 {
		return "", false
	}
	lead, opens := leading(s.words), s.words[0].low == s.opening[0].low && !affirmation[s.words[0].low]
	value := onlyValue(join(lead))
	short = len(s.words) <= 5 && denying(s.opening) || len(s.words) < 6 && in("vouched", s.words) && onlyValue(join(s.words)) != ""
	claim = x.claimed(s.previous, false)
	if claim != "" {
		short = short || len(s.words) <= 3 && opens && !leaning[s.words[0].low] &&
			(onlyValue(join(s.words)) != "" || number(s.words[0].low))
	} else if opens && len(lead) < 4 {
		guess := expand(cut(s.previous))
		short = short || value != "" && len(unhedged(guess)) < len(guess)
	}
	return claim, short
}

// corrective are the words that begin a short correction.
var corrective = set("no nope nah wrong actually rather")

// denying reports whether words begin by denying what was said ("no, it's 8081"), rather than with
// a "no" that belongs to a noun: "no joke", "no shellfish".
func denying(words []word) bool {
	if !corrective[words[0].low] || words[0].low != "no" || words[0].ends() || len(words) < 2 {
		return corrective[words[0].low]
	}
	next := words[1].low
	return lostSubjects[head(next)] || determiners[next] || leaning[next] || number(next) || firstPerson[next] || named(words[1]) ||
		shape(words[1].text) != ""
}

// claimed returns the statement in a question that is one by its tone only ("So the deadline is 3
// May?"), by a tag at its end ("You work at Siemens, right?"), or that asks whether to note
// something (see noted); "" of any other question. With sure, the question is known to be a statement,
// so that its verb may have any form.
func (x *extraction) claimed(question string, sure bool) string {
	if !strings.HasSuffix(question, "?") || len(question) > maxQuotedBytes {
		return ""
	}
	words := strip(expand(cut(question)), x.names)
	hedged := len(unhedged(words)) < len(words)
	if words = unhedged(words); hedged {
		words = without(words, usual)
	}
	if what := noted(words); what != nil {
		return capital(join(swapped(what)))
	}
	words = slices.Clone(words)
	for i := range words {
		if words[i].text == "May" && i > 0 {
			words[i].low = "" // not the verb
		}
	}
	if len(words) < 3 || questionWords[words[0].low] || in("aside", words) || in("doubtful", words) ||
		!finite(words) && !secondPerson[words[0].low] && !(verbal(words) && (sure || hedged)) || hasAny(words, "or") {
		return ""
	}
	words[len(words)-1].post = "."
	return capital(join(words))
}

// hedges are verbs by which somebody guesses: "I think", "I suppose".
var hedges = set("think suppose guess believe assume suspect expect assumed guessed supposed thought figured presume imagine take")

// proposing are verbs that mark a guess only behind an auxiliary: "I would suggest".
var proposing = set("plan suggest recommend propose use take choose set schedule")

// unhedged removes the hedge from the start of a guess: "I would guess that you use Go" becomes
// "You use Go". Other words are returned as they are.
func unhedged(words []word) []word {
	rest := words
	if n := opening("looks", words); n > 0 && n+2 < len(words) {
		rest = slices.Clone(words[n:])
		rest[0].text = capital(rest[0].text)
		return rest
	}
	if len(rest) < 4 || rest[0].low != "i" {
		return words
	}
	if aux := rest[1].low; len(rest) > 4 && (aux == "would" || aux == "do" || aux == "have") {
		rest = rest[1:]
	}
	if !hedges[rest[1].low] && !(len(rest) < len(words) && proposing[rest[1].low]) {
		return words
	}
	for rest = rest[2:]; len(rest) > 2 && (rest[0].low == "that" || rest[0].low == "it"); {
		rest = rest[1:]
	}
	rest = append([]word(nil), rest...)
	rest[0].text = capital(rest[0].text)
	return rest
}

// mended makes a fact of a statement of the assistant, previous, that the user corrects. If it is
// clear which value takes the place of which, the statement is kept with the right one: of "So the
// port is 8080." and "No, it's 8081." it keeps "The port is 8081." Else both sentences are kept, as
// in corrected, unless the assistant had only guessed.
func (x *extraction) mended(s said, previous string, correct []word) (content string, ok bool) {
	wrong := unlabelled(strip(expand(cut(previous)), x.names))
	hedged := len(unhedged(wrong)) < len(wrong)
	if listItem().MatchString(previous) {
		return "", false // whose number is no value
	}
	if wrong = unhedged(wrong); len(wrong) == 0 || !hedged && lostSubjects[head(wrong[0].low)] && wrong[0].low != "there" {
		return "", false // "It prints 42."
	}
	claim := s.theirs(wrong)
	if hasAny(wrong, "we", "our") {
		claim = s.ours(swapped(wrong)) // theirs are the user's
	}
	claim = absolute(finish(claim), s.at).text
	if lead := leading(correct); len(lead) < len(correct) && len(lead) <= 4 && onlyValue(join(lead)) != "" {
		correct = lead
	}
	said := absolute(finish(s.ours(correct)), s.at).text
	old, now := onlyValue(claim), onlyValue(said)
	if in("vouched", correct) {
		old = onlyOf(claim, shape(now))
		return swap(certain(claim), old, now) + " " + said, old != ""
	}
	a, b := onlyDate(claim), onlyDate(said)
	more := adds(said, cmp.Or(b, now, onlyName(correct)), claim)
	wrongName, name := onlyName(wrong), onlyName(correct)
	switch {
	case len(correct) > 3 && !lostSubjects[head(correct[0].low)] && verbal(correct) && definite(correct):
		return "", false // it stands alone: "staging runs Valkey 8"
	case more && (old != "" && now != "" || a != "" && b != ""):
		return s.quoting(previous, said), true
	case len(correct) <= 6 && a != "" && b != "":
		return strings.Replace(claim, a, b, 1), true
	case len(correct) <= 6 && old != "" && shape(old) == shape(now):
		return swap(certain(claim), old, now), true
	case len(correct) <= 4 && !more && b == "" && !hasAny(correct, "not") && wrongName != "" && name != "" &&
		shape(wrongName) == shape(name):
		return strings.Replace(claim, wrongName, name, 1), true
	}
	guessed := hedged && (verbal(correct) || !denying(s.opening) && name == "")
	told := !guessed && !in("doubtful", wrong) && (lostSubjects[head(correct[0].low)] || !verbal(correct)) && telling(previous) &&
		!(len(correct) == 1 && corrective[correct[0].low])
	return s.quoting(previous, said), told
}

// adds reports whether a correction says more than the value that it puts in place of another: after
// "You run Postgres 15.", "No, MySQL 8." is no statement about Postgres.
func adds(said, value, claim string) bool {
	there := analysis.Content(claim)
	rest := slices.DeleteFunc(cut(strings.Replace(said, value, "", 1)), func(w word) bool {
		return corrective[w.low] || behindValue[w.low] || lostSubjects[head(w.low)]
	})
	return slices.ContainsFunc(rest, func(w word) bool { return shape(w.text) != "" && !has(claim, w.text) }) ||
		slices.ContainsFunc(analysis.Content(join(rest)), func(stem string) bool { return !slices.Contains(there, stem) })
}

// usual are adverbs that claimed leaves out of a guess: "I guess you usually deploy on Friday?"
// claims "You deploy on Friday."
var usual = set("usually often probably likely presumably typically mostly maybe perhaps still")

// certain writes a guess as a statement, before its value is put right: "It could be 8080" becomes "It
// is 8080".
func certain(claim string) string {
	words := cut(claim)
	for i := 0; i+1 < len(words); i++ {
		if guesses[words[i].low] && words[i+1].low == "be" {
			words = slices.Delete(words, i, i+1)
			words[i].set("is")
		}
	}
	return capital(join(words))
}

// guesses are modal verbs before "be" that certain turns into "is".
var guesses = set("could might may should must would")

// onlyName returns the only name in words, "" if there is none or more than one. In a sentence of
// more than three words the first word does not count, as it has a capital in any case.
func onlyName(words []word) string {
	if len(words) > 3 && !words[0].ends() {
		words = words[1:]
	}
	return only(words, func(w word) bool { return named(w) && !analysis.IsStop(head(w.low)) })
}
