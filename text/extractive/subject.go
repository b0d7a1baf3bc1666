package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
)

// withSubject adds the subject that a sentence has left out: "Just signed up for a class", "Booked
// flights to Porto". Words are returned as they are if they have one, or may have one: "Deleted rows
// stay for 90 days", "Billing runs on Stripe".
func withSubject(words []word, p person) []word {
	first, at := words[0], 0
	if adverb(first.low) && len(words) > 1 {
		at = 1
	}
	if first.low == "not" {
		return words // "Not decided yet"
	}
	if words = impersonal(words); words[0].low == "it" || words[0].low != first.low {
		return words
	}
	verb := words[at]
	var subject []word
	switch {
	case verb.low == "going" && at+1 < len(words) && words[at+1].low == "to",
		gerund(verb.low) && !verb.ends() && objectOf(words[at:]) && !gerundSubject(words[at:]):
		subject = []word{{text: "I", low: "i"}, {text: "am", low: "am"}}
	case past(verb.low) && !ambiguous[verb.low] && (objectOf(words[at:]) || len(words) == 2 && told[verb.low]),
		at == 0 && wants[verb.low] && (len(words) < 3 || !beForms[words[2].low]):
		subject = []word{{text: "I", low: "i"}}
	default:
		return words
	}
	rest := slices.Clone(words)
	if !named(rest[0]) || rest[0].low != p.name {
		rest[0].text = small(rest[0].text)
	}
	return append(subject, rest...)
}

// objectOf reports whether what follows the participle or gerund that words begin with depends on
// it ("Booked the flights", "Ordered shoes from Zalando"), rather than that the two are the subject
// of a verb behind them ("Deleted rows stay", "Billing runs on Stripe"). Where a noun follows at
// once, two in a row may always be a noun and its verb, and one in s behind a gerund may be either.
func objectOf(words []word) bool {
	if len(words) < 3 {
		return false
	}
	next := words[1]
	if beForms[next.low] || modals[next.low] || past(next.low) {
		return false
	}
	if binds(next) || named(next) {
		return !gerund(words[0].low) || !verbBehind(words[1:])
	}
	if gerund(words[0].low) && strings.HasSuffix(next.low, "s") {
		return false
	}
	for i, w := range words[1:] {
		if beForms[w.low] || modals[w.low] || i > 0 && !binds(w) && !named(w) && !binds(words[i]) && !words[i].ends() {
			return false
		}
	}
	return true
}

// verbBehind reports whether a word of the form of "takes" stands right behind a noun of words: "the
// image takes 14 minutes", "without a tag fails".
func verbBehind(words []word) bool {
	for i := 1; i < len(words) && !words[i-1].ends(); i++ {
		if w := words[i].low; strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !binds(words[i]) && !binds(words[i-1]) {
			return true
		}
	}
	return false
}

// binds reports whether a word joins others to a verb or stands before a noun: a preposition, a
// determiner, a number, an adverb.
func binds(w word) bool {
	return leaning[w.low] || bindsNouns[w.low] || determiners[w.low] || adverb(w.low) || number(w.low) || firstPerson[w.low] ||
		secondPerson[w.low] || weekdays[w.low] || strings.ContainsAny(w.text, "0123456789")
}

// impersonal gives "fixed by adding an index", "used to be weekly" and "turned out to be the cache" the
// subject "it"; before a clause, "turned out" says nothing.
func impersonal(words []word) []word {
	if len(words) < 4 {
		return words
	}
	first, second := words[0], words[1].low
	it := word{text: "It", low: "it"}
	switch {
	case (first.low == "turned" || first.low == "turns") && second == "out":
		if words[2].low == "that" || words[2].low == "the" || words[2].low == "a" || firstPerson[words[2].low] {
			return words[2:]
		}
		first.text = first.low
		return append([]word{it, first}, words[1:]...)
	case first.low == "used" && second == "to" && words[2].low == "be":
		first.text = first.low
		return append([]word{it, first}, words[1:]...)
	case past(first.low) && second == "by" && !ambiguous[first.low]:
		first.text = first.low
		return append([]word{it, {text: "was", low: "was"}, first}, words[1:]...)
	}
	return words
}

var (
	// wants and told are verbs that begin a sentence whose "I" is left out: wants in the present
	// ("Need a new bike"), told in the past even if a single word follows ("Ordered shoes").
	wants = set("want need hope can't plan")
	told  = set("told asked signed ordered booked bought called phoned deployed merged paid sent moved resigned quit")
	// statives are verbs of states, which nobody gives orders about: "Don't love it" lacks its "I".
	statives = set("love like need want have know care drink eat drive own smoke speak believe stand afford")
)

// bindsNouns are the words of binds that no other set has.
var bindsNouns = set(`of into onto about as and or over through under against between up out off down back around away along yesterday
	today tonight tomorrow last next this that again ago every each some any another more both his her its their one two three new`)

// gerundVerbs are verbs that may follow a gerund as their subject: "Painting helps me relax".
var gerundVerbs = set("are helps makes gives brings takes means keeps requires feels seems sounds made helped gave brought looks looked isn't wasn't sure do")

// gerundSubject reports whether the gerund that starts words is what the
// sentence is about: "Painting helps me relax".
func gerundSubject(words []word) bool {
	for i, w := range words[1:] {
		if i > 14 {
			break
		}
		if strings.Contains(w.post, ":") || modals[head(w.low)] || gerundVerbs[w.low] || strings.HasSuffix(w.low, "'s") && i == 0 {
			return true
		}
		if i > 0 && i < 4 && number(words[i].low) && past(w.low) && !w.ends() {
			return true // "Training run 14 diverged"
		}
		if i > 0 && strings.HasSuffix(words[i].low, "s") && strings.HasSuffix(w.low, "s") && !w.ends() && !analysis.IsStop(w.low) &&
			!analysis.IsStop(words[i].low) {
			return true // "Retrying mails annoys people"
		}
		if strings.HasSuffix(w.low, "s") && i+2 < len(words) && (firstPerson[words[i+2].low] || secondPerson[words[i+2].low]) {
			return true // "Seeing that fills me with joy"
		}
		if w.ends() {
			return i+2 < len(words) && (firstPerson[words[i+2].low] || secondPerson[words[i+2].low])
		}
	}
	return strings.HasSuffix(words[0].low, "'s")
}
