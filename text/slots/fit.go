package slots

import (
	"slices"
	"strings"
)

// Fit is how well a statement fits a question.
type Fit uint8

// The fits, from weak to strong.
const (
	NoFit      Fit = iota
	FitSubject     // about the same subject
	FitSlot        // fills the slot that is asked for, of a subject that may be the same
	FitBoth        // fills the slot that is asked for, of the same subject
)

// Fits returns how well a statement fits: for the caller to rank by.
func (q *Question) Fits(s *Statement) Fit {
	asked := Statement{Subject: q.Subject, Alias: q.Alias, Attribute: q.Attribute, Topic: q.Topic}
	var subject sameness
	switch {
	case q.Alias != "" && s.Alias != "" && q.Subject == s.Subject && !contains(q.Alias, s.Alias) && !contains(s.Alias, q.Alias):
		return NoFit
	case q.Subject != "" && (q.Subject == s.Subject || q.Subject == s.Alias || q.Alias != "" && q.Alias == s.Subject):
		subject = equal
	case sameKey(&asked, s), q.asksOfThing(s):
		subject = equal
	case q.Keywords && q.Subject == "" && q.Topic == "" && q.Attribute != "" && s.Topic == "" && !strings.HasPrefix(s.Subject, User):
		subject = equal // of whatever has it: "package manager"
	case q.Topic != "" && s.Topic != "" && !contains(q.Topic, s.Topic) && !contains(s.Topic, q.Topic):
		// The name of one thing is not the name of another.
	case q.Subject == "" || s.Subject == "" || q.Subject == User && s.first:
		subject = possible
	case q.Topic != "" && strings.HasPrefix(s.Subject, q.Subject+"'s "):
		subject = possible // "my kitty" may be "my cat"
	}
	slot := q.Attribute != "" && (q.Attribute == s.Attribute || q.Beside != "" && q.Beside == s.Attribute || relatives(q.Attribute, s.Attribute)) || q.Attribute == "" && s.Attribute == "" && q.Topic != "" && s.Topic != "" && contains(q.Topic, s.Topic)
	switch {
	case slot && subject == equal:
		return FitBoth
	case slot && subject == possible:
		return FitSlot
	case subject == equal:
		return FitSubject
	}
	return NoFit
}

// asksOfThing reports whether what a statement is about is a thing that the question
// names beside who asks: "which database do we use for orders" asks of the orders
// table.
func (q *Question) asksOfThing(s *Statement) bool {
	a := table().byID[s.Attribute]
	if q.Subject != User || q.Attribute == "" || a == nil || a.domain == "person" || strings.HasPrefix(s.Subject, User) {
		return false
	}
	topic := strings.Fields(q.Topic)
	return slices.ContainsFunc(strings.Fields(s.Subject), func(w string) bool { return slices.Contains(topic, stemmed(w)) })
}

// relatives reports whether a question for one attribute is answered by the
// other as well.
func relatives(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	for _, family := range table().families {
		if slices.Contains(family, a) && slices.Contains(family, b) {
			return true
		}
	}
	return false
}

// forms returns the words of a question, each as it is compared with a subject, a
// topic or a scope.
func (a *asking) forms() (words []string) {
	same := scopes().same
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.is(isDet|isPreposition|isBe|isDo|isQuestion) && !t.cap {
			continue
		}
		words = append(words, t.stem(), stemmed(t.word), stemmed(t.base()), scopeStem(same, t))
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Names returns how many of the words that tell a statement from others of its
// attribute a question has, and how many it lacks: "work" of "my work phone", the
// name of somebody, "product" of "in production". The user, who needs no name, has
// none.
func (q *Question) Names(s *Statement) (has, lacks int) {
	subject := strings.TrimPrefix(s.Subject, User+"'s ")
	if subject == User {
		subject = ""
	}
	named := q.has(s.Alias) > 0 || q.Subject != "" && (q.Subject == s.Subject || q.Subject == s.Alias || q.Alias != "" && q.Alias == s.Subject)
	topic := s.Topic
	if s.open {
		topic = "" // that is its verb
	}
	words := strings.Fields(topic + " " + s.Scope)
	for w := range strings.FieldsSeq(subject) {
		if named {
			has++
		} else {
			words = append(words, stemmed(w))
		}
	}
	for _, w := range words {
		if _, found := slices.BinarySearch(q.words, w); found {
			has++
		} else {
			lacks++
		}
	}
	return has, lacks
}

// has counts the words of a name that a question has.
func (q *Question) has(name string) (n int) {
	for w := range strings.FieldsSeq(name) {
		if _, found := slices.BinarySearch(q.words, stemmed(w)); found {
			n++
		}
	}
	return n
}
