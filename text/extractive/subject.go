package extractive

import (
	"slices"
	"strings"
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
	if words = impersonal(words); words[0].low != first.low {
		return words
	}
	verb := words[at]
	subject := "I"
	switch {
	case verb.low == "going" && at+1 < len(words) && words[at+1].low == "to",
		gerund(verb.low) && !verb.ends() && objectOf(words[at:]):
		subject = "I am"
	case past(verb.low) && !ambiguous[verb.low] && (objectOf(words[at:]) || len(words) == 2 && told[verb.low]),
		at == 0 && wants[verb.low] && (len(words) < 3 || !beForms[words[2].low]) &&
			(verb.low != "plan" || len(words) > 1 && words[1].low == "to"): // "Plan a trip" is an order
	default:
		return words
	}
	rest := slices.Clone(words)
	if !named(rest[0]) || rest[0].low != p.name {
		rest[0].text = small(rest[0].text)
	}
	return append(cut(subject), rest...)
}

// objectOf reports whether what follows the participle or gerund that words begin with depends on
// it ("Booked the flights", "Ordered shoes from Zalando"), rather than that the two are the subject
// of a verb behind them ("Deleted rows stay", "Billing runs on Stripe"). Where a noun follows at
// once, two in a row may always be a noun and its verb, and one in s behind a gerund may be either.
func objectOf(words []word) bool {
	if len(words) < 3 {
		return false
	}
	next, ing := words[1], gerund(words[0].low)
	if beForms[next.low] || modals[next.low] || past(next.low) || ing && verbBehind(words) {
		return false
	}
	if binds(next) || named(next) {
		return true
	}
	if ing && strings.HasSuffix(next.low, "s") {
		return false
	}
	for i, w := range words[1:] {
		if beForms[w.low] || modals[w.low] || i > 0 && !binds(w) && !named(w) && !binds(words[i]) && !words[i].ends() {
			return false
		}
	}
	return true
}

// verbBehind reports whether the gerund that words begin with is what a verb behind it is about:
// "Sharing that isn't easy", "Building the image takes 14 minutes", "Training run 14 diverged",
// "Style: …". A word in s counts if it stands right behind a noun.
func verbBehind(words []word) bool {
	for i, w := range words {
		behind := i > 1 && !words[i-1].ends()
		switch {
		case strings.Contains(w.post, ":"), i > 0 && (beForms[head(w.low)] || modals[head(w.low)] || modals[w.low]):
			return true
		case behind && number(words[i-1].low) && past(w.low):
			return true
		case behind && strings.HasSuffix(w.low, "s") && !strings.HasSuffix(w.low, "ss") && !binds(w) && !binds(words[i-1]):
			return true
		case w.ends():
			return false
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
	subject, rest := "It", slices.Clone(words)
	switch first, second := words[0].low, words[1].low; {
	case (first == "turned" || first == "turns") && second == "out":
		if hasAny(words[2:3], "that", "the", "a") || firstPerson[words[2].low] {
			return words[2:]
		}
	case first == "used" && second == "to" && words[2].low == "be":
	case past(first) && second == "by" && !ambiguous[first]:
		subject = "It was"
	default:
		return words
	}
	rest[0].text = rest[0].low
	return append(cut(subject), rest...)
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
