package slots

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

// introduces reports whether a note says at lo who the user is: "User is Ada Berg, ...",
// two names at least, neither a post nor a people.
func (c *clause) introduces(lo int) bool {
	end := c.phraseEnd(lo)
	if c.subject != nouns || !c.np.isUser || end < lo+2 || end > lo+4 {
		return false
	}
	for i := lo; i < end; i++ {
		t := &c.tokens[i]
		if !t.cap || t.num || t.is(isCountry|isTime) || c.nounAt(i, end) != nil || c.known(i, end, nil) != nil {
			return false
		}
	}
	return true
}

// apposed adds what stands behind a comma beside what the user is: "I'm Ana, a designer in
// Lisbon", "I'm a translator, living in Leeds", "User is based in Pune, timezone IST".
func (c *clause) apposed() {
	s := &c.s
	if s.Subject != User || c.end == 0 || s.Hedged || s.Negated || s.Past || s.Type != State || c.negated {
		return
	}
	for lo := c.end; lo < c.hi; {
		end := c.phraseEnd(lo)
		if c.tokens[lo-1].post == ',' {
			c.apposition(lo, end)
		}
		lo = end
	}
}

// apposition adds what one phrase from lo to end says of the user.
func (c *clause) apposition(lo, end int) {
	t := c.tokens
	for lo < end && (t[lo].is(isDet) || t[lo].word == "currently" || t[lo].word == "now") {
		lo++
	}
	if lo >= end {
		return
	}
	switch n := c.nounAt(lo, end); {
	case lo+2 < end && (t[lo].word == "living" || t[lo].word == "lives" || t[lo].word == "based") && (t[lo+1].word == "in" || t[lo+1].word == "near") && t[lo+2].cap:
		c.adds("home", lo+2, end)
	case lo+2 < end && (t[lo].word == "working" || t[lo].word == "works") && (t[lo+1].word == "at" || t[lo+1].word == "for"):
		c.adds("work", lo+2, end)
	case lo+2 < end && (t[lo].word == "working" || t[lo].word == "works") && t[lo+1].word == "as":
		c.trade(lo+2, end)
	case n != nil && n.attr.domain == "person" && n.attr.single && !person(n.attr) && n.attr.id != "job" && n.attr.id != "work" && n.attr.kind != Time && lo+len(n.words) < end && (t[lo+len(n.words)].cap || t[lo+len(n.words)].num):
		c.adds(n.attr.id, lo+len(n.words), end)
	case c.s.Attribute != "name":
	case lo+1 == end && t[lo].num && len(t[lo].word) <= 2:
		c.adds("age", lo, end)
	default:
		c.trade(lo, end)
	}
}

// trade adds a job that stands from lo to end, and where and for whom it is done: "a
// designer in Lisbon", "CTO of a startup", "owner of a bakery in Bath".
func (c *clause) trade(lo, end int) {
	stop := lo
	for stop < end && !c.tokens[stop].is(isPreposition) {
		stop++
	}
	known := c.knownIn(lo, stop)
	holder := stop > lo && c.nounAt(stop-1, stop) != nil && c.nounAt(stop-1, stop).attr.id == "holder"
	founder := stop > lo && founds[c.tokens[stop-1].word]
	if known == nil || known.id != "job" && known.id != "work" {
		if !holder && !founder {
			return
		}
	}
	job := stop
	if stop < end && c.tokens[stop].word == "of" {
		for job = stop + 1; job < end && !c.tokens[job].is(isPreposition); job++ {
		}
	}
	c.adds("job", lo, job)
	for i := job; i+1 < end; i++ {
		switch next := &c.tokens[i+1]; c.tokens[i].word {
		case "at", "for":
			if next.cap || next.is(isDet) {
				to := i + 2
				for to < end && !c.tokens[to].is(isPreposition) {
					to++
				}
				c.adds("work", i+1, to)
			}
		case "in", "from", "near":
			if next.cap && !next.is(isTime) {
				c.adds("home", i+1, end)
				return
			}
		}
	}
}

// founds are words for who has a business.
var founds = map[string]bool{"owner": true, "founder": true, "cofounder": true, "co-founder": true}

// adds makes a second statement of the user, with the words from lo to hi as its value.
func (c *clause) adds(attribute string, lo, hi int) {
	begin, end, main := c.begin, c.end, c.s
	c.s.Topic, c.s.Scope, c.s.open = "", "", false
	c.also(attribute, lo, hi)
	c.begin, c.end, c.s = begin, end, main
}

// paid adds what an amount is for that somebody pays: "pays 900 euros rent", "rents a flat
// near the park for 620 euros a month", and where that is.
func (c *clause) paid(m int) {
	if m >= c.hi || !c.person() || c.s.Hedged || c.s.Negated || c.s.Attribute != "" {
		return
	}
	t := c.tokens
	switch t[m].e.verb {
	case "pay":
		for i := m + 2; i < c.hi && t[m+1].num; i++ {
			if n := c.nounAt(i, c.hi); n != nil && n.attr.kind == Number && !n.attr.anyKind {
				to := i
				if t[i-1].word == "in" || t[i-1].word == "for" || t[i-1].word == "of" {
					to--
				}
				c.adds(n.attr.id, m+1, to)
				return
			}
		}
	case "rent":
		for i := m + 2; i+1 < c.hi; i++ {
			switch {
			case t[i].word == "for" && (t[i+1].num || t[i+1].word == "about" && i+2 < c.hi && t[i+2].num):
				c.adds("rent", i+1, c.hi)
			case (t[i].word == "in" || t[i].word == "near" || t[i].word == "at") && t[i+1].cap && !t[i+1].is(isTime) && c.homely(m+1):
				to := i + 1
				for to < c.hi && t[to].cap {
					to++
				}
				c.adds("home", i+1, to)
			}
		}
	}
}

// serves reads a note without a verb that says what something is there for: "Grafana for
// monitoring". False if it does not.
func (c *clause) serves(lo int) bool {
	for i := lo + 1; i+1 < c.hi; i++ {
		if c.tokens[i].word != "for" {
			continue
		}
		n := c.nounAt(i+1, c.hi)
		if n == nil || i+1+len(n.words) != c.hi || n.attr.domain != "system" && n.attr.domain != "team" || n.attr.kind != Name || c.knownIn(lo, i) == nil {
			return false
		}
		c.subject, c.verb = label, lo
		c.s.Attribute, c.s.single = n.attr.id, n.attr.single
		c.value(lo, i)
		c.finish(State)
		return c.s.Norm != ""
	}
	return false
}
