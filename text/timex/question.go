package timex

import "strings"

// Kind is the kind of time for which a question asks.
type Kind int

// The kinds of question.
const (
	None    Kind = iota
	When         // for a date or a moment: "when did", "which year", "how long ago"
	HowLong      // for a duration: "how long", "how many weeks"
	Order        // for what was first or last, or for a sequence
)

var kindNames = [...]string{"none", "when", "how long", "order"}

// String returns the name in lower case, such as "how long".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// Question returns what text asks about time. If it asks for several things,
// the first one counts. Order counts only if it asks for nothing else.
func Question(text string) Kind {
	p := borrowParser(text, reference)
	defer returnParser(p)
	q := asking{p}
	order := false
	for i := range q.tokens {
		if q.tokens[i].kind != word {
			continue
		}
		if k := q.interrogative(i); k != None {
			return k
		}
		order = order || q.order(i)
	}
	if order {
		return Order
	}
	return None
}

// asking compares words as they are written, because most words of a question
// are not in the lexicon.
type asking struct{ *parser }

// at reports whether the word at i is one of the words of list, which are
// separated by blanks.
func (q *asking) at(i int, list string) bool {
	if i < 0 || i >= len(q.tokens) || q.tokens[i].kind != word {
		return false
	}
	w := q.text[q.tokens[i].start:q.tokens[i].end]
	for one := range strings.FieldsSeq(list) {
		if strings.EqualFold(one, w) {
			return true
		}
	}
	return false
}

const (
	auxiliaries = "did do does is are was were will would can could should shall has have had am isn't didn't doesn't exactly precisely else"
	timeNouns   = "date dates day days month months year years time times week weeks weekend weekends weekday season quarter decade century hour age birthday"
	spanNouns   = "second seconds minute minutes hour hours day days night nights week weeks weekend weekends month months year years decade decades time"
	asks        = "know tell me remember recall since by until about and exactly wonder wondering check find out sure just ask knows remind"
)

// interrogative returns what the question word at i asks for.
func (q *asking) interrogative(i int) Kind {
	switch {
	case q.at(i, "when"):
		if q.when(i) {
			return When
		}
	case q.at(i, "what which"):
		if q.at(i+1, timeNouns) && !q.at(i+2, "zone zones format") {
			return When
		}
		if n := i + 1; q.at(n, "is was are were") || q.genitive(i) {
			if q.genitive(i) {
				n = i
			}
			if q.at(n+1, "the my your his her their") &&
				(q.at(n+2, "date time day year month") || q.at(n+2, "exact last first") && q.at(n+3, "date time day year month")) {
				return When
			}
		}
	case q.at(i, "how"):
		return q.how(i)
	}
	return None
}

// when reports whether "when" at i asks. In "what did she say when we met" it
// is a conjunction.
func (q *asking) when(i int) bool {
	if i+1 == len(q.tokens) || q.genitive(i) || q.at(i-1, asks) {
		return true
	}
	if q.isMark(i+1, '?') {
		return true
	}
	return q.at(i+1, auxiliaries) || i == 0 && q.lone()
}

// lone reports whether the text is a question of one clause: "When Anna made
// tacos?" asks for a time, "When I am away, who helps?" does not.
func (q *asking) lone() bool {
	for i := range q.tokens {
		if q.isMark(i, ',') {
			return false
		}
	}
	return q.isMark(len(q.tokens)-1, '?')
}

// genitive reports whether the word at i has "'s" after it, as in "when's". It
// is not part of the token.
func (q *asking) genitive(i int) bool {
	return apostrophe(q.text, q.tokens[i].end) > 0
}

func (q *asking) how(i int) Kind {
	switch {
	case q.at(i+1, "old recently soon"):
		return When
	case q.at(i+1, "long"):
		if q.at(i+2, "ago before after") || q.at(i+2, "has have") && q.at(i+5, "since") {
			return q.ago(i + 2)
		}
		return HowLong
	case q.at(i+1, "many much") && (q.at(i+2, spanNouns) || q.at(i+2, "more full whole") && q.at(i+3, spanNouns)):
		if q.at(i+2, "times") {
			return None
		}
		return q.ago(i + 3)
	}
	return None
}

// ago returns When if the question is for the distance from now ("how many days
// ago"), else HowLong.
func (q *asking) ago(i int) Kind {
	if q.at(i, "ago") || q.at(i+1, "ago") {
		return When
	}
	return HowLong
}

const (
	notAfterFirst = "name names aid class person lady hand thing place"
	notAfterLast  = "name names night week month year weekend minute evening time's resort word straw few couple two three"
)

// order reports whether the word at i asks for a sequence, or for the first or
// last of it.
func (q *asking) order(i int) bool {
	switch {
	case q.at(i, "earliest latest chronological chronologically newest oldest"):
		return true
	case q.at(i, "most"):
		return q.at(i+1, "recent recently")
	case q.at(i, "before after"):
		return q.at(i+1, "or") && q.at(i+2, "before after")
	case q.at(i, "order"):
		return q.at(i-1, "what which") || q.at(i-1, "in") && !q.at(i+1, "to") ||
			q.at(i-1, "the") && q.at(i+1, "in of") && q.at(i+2, "which events things")
	case q.at(i, "sooner"):
		return true
	case q.at(i, "first"):
		return !q.at(i+1, notAfterFirst)
	case q.at(i, "last"):
		if q.at(i+1, notAfterLast) || i+1 < len(q.tokens) && q.tokens[i+1].kind == number {
			return false
		}
		l := q.lexAt(i + 1)
		return l.month == 0 && l.weekday == 0 && l.season == noSeason && l.unit == noUnit
	}
	return false
}
