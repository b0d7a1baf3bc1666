package slots

// predicate reads what is said of the subject; the main verb is at m.
func (c *clause) predicate(m int) {
	if m >= c.hi {
		c.finish(Other)
		return
	}
	t := &c.tokens[m]
	main := m
	if t.is(isBe) || t.poss && c.subject == referred {
		for main = m + 1; main < c.hi && c.tokens[main].is(isAdverb) && c.tokens[main].e.verb == ""; main++ {
		}
		c.negated = c.negated || m+1 < c.hi && c.tokens[m+1].word == "not"
	}
	if main < c.hi {
		v := &c.tokens[main]
		switch {
		case main > m && !c.passive && !v.is(formPast):
		case v.is(isReplace) && c.replaced(main):
			return
		case v.is(isRaise) && c.raised(main):
			return
		}
	}
	if c.framed(m) || main != m && main < c.hi && c.framed(main) {
		return
	}
	switch {
	case main == m && c.ended(m):
	case main == m && c.had(m):
	case t.is(isBe) || t.poss:
		c.copula(m)
	default:
		c.opened(m)
	}
}

// finish sets the type of the statement unless its words have set one (a State replaces a
// Preference, too), and whether it is negated.
// It also drops a class that the kind of value does not fit, see demote.
func (c *clause) finish(otherwise Type) {
	s := &c.s
	if s.Type == Other || s.Type == Preference && otherwise == State {
		s.Type = otherwise
	}
	s.Negated = s.Negated || c.negated
	s.From = s.From || s.Type == Plan && c.timed
	if s.Negated && c.gone && s.Former == "" {
		s.Former = s.Norm
	}
	s.Exclusive = s.Exclusive || s.single
	if a := c.byID[s.Attribute]; a != nil && !a.anyKind && a.kind >= Number && s.Kind < Number && s.Norm != "" && s.Kind != a.kind &&
		!s.Negated {
		c.demote(a)
	}
}

// demote takes the class from a statement whose value is of the wrong kind: in "the deadline is
// silly" it is no date. The id of the class becomes a part of the topic.
func (c *clause) demote(a *attribute) {
	s := &c.s
	switch a.id {
	case "version", "holder", "release", "commit", "price":
		if s.Kind == Name {
			return
		}
	}
	s.Attribute, s.single, s.Exclusive = "", false, false
	s.Topic = topic([]string{s.Topic, a.id})
}

// person reports whether the subject is somebody, as far as one can tell.
func (c *clause) person() bool {
	return c.s.Subject == User || c.np.kin || c.np.named || c.subject == referred || c.subject == implied && c.s.Subject != ""
}

// copula reads a clause whose verb is a form of be: "X is Y".
func (c *clause) copula(m int) {
	lo := m + 1
	for lo < c.hi && c.tokens[lo].is(isAdverb|isNegation) && c.tokens[lo].word != "off" && !c.tokens[lo].is(isPreposition) {
		lo++
	}
	if lo >= c.hi {
		c.finish(State)
		return
	}
	if c.past && !c.passive {
		c.s.Past = true
	}
	if c.ing || c.passive && !c.adverbs(lo+1, c.hi) {
		c.opened(lo)
		return
	}
	first := &c.tokens[lo]
	n := &c.np
	if c.subject == nouns && n.attr == nil && !first.num {
		p := c.nounPhrase(lo, c.phraseEnd(lo))
		if p.attr != nil && !p.past &&
			(p.owner != "" || p.definite && p.attr.domain != "person" || p.attr.id == "holder" || p.attr.id == "oncall") &&
			!(p.attr.kind != Name && !p.attr.anyKind) && !first.is(isPreposition) {
			if n.isUser && p.attr.id == "holder" {
				c.alsoJob(lo)
			}
			c.reversed(&p)
			return
		}
	}
	if c.subject == pronoun && !first.is(isPreposition) {
		if p := c.nounPhrase(lo, c.phraseEnd(lo)); p.attr != nil && p.attr.id == "holder" && !p.past {
			if c.s.Subject == User {
				c.alsoJob(lo)
			}
			c.reversed(&p)
			return
		}
	}
	about := c.subject != nouns || n.attr == nil && (n.named || n.kin) || n.kin && !first.cap || n.isUser && n.attr == nil && !first.cap
	if about {
		c.said(lo)
		return
	}
	entity := n.entity
	c.slotOf(n)
	end := c.value(lo, c.hi)
	if n.attr == nil && c.s.Attribute == "" && first.is(isPreposition) && first.word != "on" && first.word != "off" {
		c.s.Subject, c.s.Topic, c.s.open = entity, "be "+first.word, true
	}
	c.denied(end)
	if c.s.Attribute != "" && n.attr != nil && n.attr.kind == Time && (c.s.Kind < Number || c.s.Kind == Number && first.word == "in") &&
		first.is(isPreposition) {
		c.s.Attribute, c.s.single = "location", true
	}
	c.finish(State)
}

// denied reads what is said not to be so behind a value: "Y, not X".
func (c *clause) denied(end int) {
	if end >= c.hi || c.tokens[end].word != "not" {
		return
	}
	if l, h := c.valueSpan(end+1, c.hi); l < h {
		c.s.Former, _ = c.norm(l, h)
		c.s.Change = true
	}
}

// alsoJob notes that to hold a post is a job: "I'm the head nurse at St Mary's" says
// who holds it, and what the user does and where.
func (c *clause) alsoJob(lo int) {
	stop := lo
	for stop < c.hi && !(stop > lo && c.tokens[stop].is(isPreposition) && c.tokens[stop].word != "of") {
		stop++
	}
	c.also("job", lo, stop)
	if stop+1 < c.hi && (c.tokens[stop].word == "at" || c.tokens[stop].word == "for") &&
		(c.tokens[stop+1].cap || c.tokens[stop+1].is(isDet)) {
		c.also("work", stop+1, c.hi)
	}
}

// said reads what somebody or something with a name is: "I am vegan", "my
// sister is a nurse", "Max is 34".
func (c *clause) said(lo int) {
	first := &c.tokens[lo]
	from, end := c.valueSpan(lo, c.hi)
	stop := end
	for i := from; i < end; i++ {
		if c.tokens[i].is(isPreposition) {
			stop = max(i, from+1)
			break
		}
	}
	a := c.knownIn(from, stop)
	switch {
	case a != nil && a.domain == "person" && (c.person() || c.subject == nouns && a.id == "job"):
		c.s.Attribute, c.s.single = a.id, a.single
		c.value(lo, stop)
		if w := c.tokens[min(stop, c.hi-1)].word; a.id == "job" && (w == "at" || w == "for") && stop+1 < c.hi && c.tokens[stop+1].cap {
			c.also("work", stop+1, c.hi)
		}
	case first.num && end == lo+1 && len(first.word) <= 2 && c.person():
		c.s.Attribute, c.s.single = "age", true
		c.value(lo, end)
	case c.s.Subject == User && c.subject == pronoun && first.cap && !c.german() && !first.is(isTime) && !first.is(isCountry):
		c.s.Attribute, c.s.single = "name", true
		c.s.Past = c.past // "originally from" says nothing of the name
		c.value(lo, c.hi)
	default:
		c.s.open = true
		c.s.Topic = "be"
		if first.is(isPreposition) {
			c.s.Topic = "be " + first.word
		}
		c.denied(c.value(lo, c.hi))
		c.callsRole(lo)
	}
	c.finish(State)
}

// german reports whether the subject is "ich". In German any noun has a capital, so that this marks
// no name.
func (c *clause) german() bool {
	for i := c.lo; i < c.hi && i < c.lo+3; i++ {
		if c.tokens[i].word == "ich" {
			return true
		}
	}
	return false
}

// reaches are verbs whose past tells a value that holds since then: "coverage reached 78%".
var reaches = map[string]bool{"reached": true, "hit": true}

// callsRole notes that a name is said to be somebody or something of the user's:
// "Jana is my sister", "Ledger is our billing service".
func (c *clause) callsRole(lo int) {
	if c.subject != nouns || !c.np.named || c.np.owner != "" || c.negated || !c.tokens[lo].is(isPossessive) {
		return
	}
	if n := c.nounPhrase(lo, c.end); n.owner == User {
		c.s.called = n.entity
	}
}

// opened reads a clause whose verb stands for no class. The verb is then the topic, and what
// follows is the value: "I avoid sugar".
func (c *clause) opened(v int) {
	t := &c.tokens[v]
	if !t.is(anyVerb|isHave|isBe) && t.e.verb == "" && c.subject != pronoun && !c.likeVerb(v) {
		c.finish(Other)
		return
	}
	c.s.open = true
	c.s.Topic = t.stem()
	if t.e.verb != "" {
		c.s.Topic = stemmed(t.e.verb)
	}
	lo := v + 1
	if lo < c.hi && c.tokens[lo].is(isPreposition) {
		c.s.Topic += " " + c.tokens[lo].word
	}
	c.value(lo, c.hi)
	if a := c.np.attr; a != nil && c.subject == nouns && a.kind >= Number && !a.anyKind && c.s.Kind == a.kind &&
		(!t.is(formPast) || reaches[t.word]) {
		c.slotOf(&c.np)
		c.s.Change = c.s.Change || reaches[t.word]
		c.s.open = false
		c.finish(State)
		return
	}
	kind := State
	switch {
	case (t.is(formPast) && !t.is(formBase) || t.word == "had") && !c.passive && c.verb == v:
		kind = Event
	case t.e.verb == "like" || t.e.verb == "love" || t.e.verb == "hate" || t.e.verb == "prefer" || t.e.verb == "enjoy" ||
		t.e.verb == "dislike":
		kind = Preference
	}
	c.finish(kind)
}
