package slots

import "strings"

// had reads what somebody has, got or uses, if its noun or its name tells the
// class: "I have a dog called Bo", "we use Postgres".
func (c *clause) had(v int) bool {
	t := &c.tokens[v]
	begins := t.is(isBegin) || c.marker(v, c.hi, isBegin) != nil
	verb := t.e.verb
	if !t.is(isHave) && !begins && verb != "use" && verb != "like" && verb != "prefer" && verb != "own" && verb != "love" &&
		verb != "drive" && verb != "want" && verb != "see" && verb != "take" && verb != "share" && verb != "eat" {
		return false
	}
	lo := v + 1
	if lo >= c.hi || c.caused(v, lo) {
		return false
	}
	stop := c.hi
	for i := lo; i < c.hi; i++ {
		if w := c.tokens[i].word; (w == "as" || w == "for") && i+1 < c.hi {
			stop = i
			break
		}
	}
	if begins && verb == "take" && stop < c.hi { // "took over as captain"
		n := c.nounPhrase(stop+1, c.hi)
		if n.attr == nil {
			return false
		}
		return c.reversed(&n)
	}
	if verb == "become" {
		n := c.nounPhrase(lo, c.hi)
		if n.attr != nil && !n.attr.anyKind && c.subject == nouns {
			return c.reversed(&n)
		}
	}
	if numeral(c.tokens[lo].stem()) {
		return false // "two bikes": a count, not which
	}
	subject := c.s.Subject
	value := c.knownIn(lo, stop)
	if value != nil && (product(value) && !c.leads(lo, stop) || verb == "eat" && value.id != "diet" ||
		t.is(isHave) && c.partOf(value, lo, stop)) {
		value = nil
	}
	np := c.nounPhrase(lo, stop)
	switch {
	case stop < c.hi && c.nounAtAny(stop+1, c.phraseEnd(stop+1)) && np.attr == nil && !(value != nil && c.occasion(stop)):
		n := c.nounPhrase(stop+1, c.phraseEnd(stop+1))
		c.slotOf(&n)
		if c.s.Subject == "" {
			c.s.Subject = subject
		}
		c.value(lo, stop)
	case value != nil && value.id != "job":
		c.s.Attribute, c.s.single = value.id, value.single
		if np.attr == value {
			c.named(lo) // "a new phone, a Fairphone"
		} else {
			c.value(lo, stop)
		}
	case np.attr != nil && np.attr.id == "insurance" && c.with(lo, stop):
	case np.attr != nil && (t.is(isHave) || begins || verb == "own" || verb == "want") && np.attr.domain == "person" && c.person():
		c.s.Attribute, c.s.single = np.attr.id, np.attr.single
		c.s.Additive = c.s.Additive || np.additive
		c.s.Change = c.s.Change || np.fresh
		c.named(lo)
	default:
		return false
	}
	if begins {
		c.s.Change = true
	}
	if verb == "prefer" || verb == "like" || verb == "love" {
		c.s.Type = Preference
	}
	c.finish(State)
	return c.s.Norm != ""
}

// with takes the name behind "with" as the value of what stands before it, and reports
// whether there is one: "health insurance with TK".
func (c *clause) with(lo, hi int) bool {
	for i := lo + 1; i+1 < hi; i++ {
		if c.tokens[i].word != "with" || !c.tokens[i+1].cap {
			continue
		}
		n, subject := c.nounPhrase(lo, i), c.s.Subject
		c.slotOf(&n)
		if c.s.Subject == "" {
			c.s.Subject = subject
		}
		c.value(i+1, hi)
		return true
	}
	return false
}

// product reports whether the values of a class are products: things that one buys, whose number is
// a part of the name ("iPhone 12"), or programs. A program behind a preposition says in what
// something is done, and not which program one has: "tabs in Vim".
func product(a *attribute) bool {
	switch a.id {
	case "car", "bike", "phone", "laptop", "console", "watch", "tablet_computer", "ereader",
		"editor", "browser", "shell", "terminal", "note_app", "todo_app",
		"mail_client", "search_engine", "music_service", "password_manager":
		return true
	}
	return false
}

// leads reports whether a well-known value stands before any preposition: "a
// meeting with Garmin" has none.
func (c *clause) leads(lo, hi int) bool {
	for i := lo; i < hi && !c.tokens[i].is(isPreposition); i++ {
		if c.known(i, hi, product) != nil {
			return true
		}
	}
	return false
}

// partOf reports whether a well-known value is only what belongs to something else: "the
// Skoda's keys", "a replica of Postgres", "a vegan burger".
func (c *clause) partOf(value *attribute, lo, hi int) bool {
	if value.id == "diet" && c.tokens[hi-1].word != "diet" && hi > lo+1 {
		return true
	}
	for i := lo; i+1 < hi; i++ {
		t := &c.tokens[i]
		if t.word == "of" || t.poss && c.known(i, i+1, func(a *attribute) bool { return a == value }) != nil {
			return true
		}
	}
	return false
}

// occasion reports whether a "for" at i stands before an occasion ("for my birthday"), and not
// before what something is used as.
func (c *clause) occasion(i int) bool {
	n := c.nounPhrase(i+1, c.hi)
	return c.tokens[i].word == "for" && n.attr != nil && n.attr.kind == Time
}

// named takes the name in "a dog called Bo", "a new phone, a Fairphone" as
// the value, else the whole phrase.
func (c *clause) named(lo int) {
	for i := lo; i+1 < c.hi; i++ {
		if w := c.tokens[i].word; w == "called" || w == "named" {
			c.value(i+1, c.hi)
			return
		}
		if c.tokens[i].post == ',' && (c.tokens[i+1].is(isDet) || c.tokens[i+1].cap) || c.tokens[i].post == ':' && c.tokens[i+1].cap {
			c.value(i+1, c.hi)
			return
		}
	}
	c.value(lo, c.hi)
}

func (c *clause) nounAtAny(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if c.nounAt(i, hi) != nil {
			return true
		}
	}
	return false
}

// reversed reads "Petra is my manager": the subject is the value.
func (c *clause) reversed(n *nounPhraseRead) bool {
	verb := c.verb
	c.slotOf(n)
	c.value(c.np0, verb)
	if c.s.Kind == Text {
		c.s.Kind = Name
	}
	c.s.Change = c.s.Change || c.tokens[verb].is(isBegin)
	c.finish(State)
	return true
}

// caused reports whether "had" or "got" tells that something was done to a thing, and not that
// somebody has it: "had the Volvo repaired", "got the boiler's pump replaced last week".
func (c *clause) caused(v, lo int) bool {
	switch c.tokens[v].word {
	case "had", "having", "get", "gets", "got", "getting", "gotten":
	default:
		return false
	}
	for i := lo + 1; i < c.hi; i++ {
		t := &c.tokens[i]
		switch {
		case t.is(isPreposition | isConjunction):
			return false
		case done(t):
			return i+1 == c.hi || c.tokens[i+1].is(isPreposition|isAdverb|isTime|isConjunction|isDet) || c.tokens[i+1].word == "today" ||
				c.tokens[i+1].word == "last"
		}
	}
	return false
}

// done reports whether a word is a participle of what was done to something: "repaired". "called"
// and "named" are none, as a name follows them.
func done(t *token) bool {
	if t.e.verb == "call" || t.e.verb == "name" || t.cap {
		return false
	}
	return t.is(formPast) && t.e.verb != "" || strings.HasSuffix(t.word, "ed") && len(t.word) > 4 || t.word == "stolen" ||
		t.word == "cut" || strings.HasSuffix(t.word, "done")
}

// phraseEnd returns where the phrase at lo ends at the latest: behind a comma stands more
// of the same, "CTO of a startup, mother of two".
func (c *clause) phraseEnd(lo int) int {
	for i := lo; i < c.hi; i++ {
		if c.tokens[i].post == ',' {
			return i + 1
		}
	}
	return c.hi
}
