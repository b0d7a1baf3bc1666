package slots

import "slices"

// framed reads a clause by the frames of attributes.txt: "live in" with the value behind it is a
// home. The main verb is at m; false if no frame fits.
func (c *clause) framed(m int) bool {
	for _, p := range c.tokens[m].e.phrases {
		if p.role != framePhrase {
			continue
		}
		end := c.match(p, m, c.hi)
		if end == 0 || !c.suits(p, m, end) {
			continue
		}
		if p.attr.id == "holder" {
			n := c.nounPhrase(end, c.hi)
			if n.attr == nil || n.attr.id != "holder" || c.subject != nouns {
				continue
			}
			c.past = false
			c.s.Change = c.s.Change || p.mode == '+'
			return c.reversed(&n)
		}
		a := c.precise(p.attr, end)
		if p.words[0][0] == "stay" && c.passing(end) {
			a = c.byID["stay"]
		}
		c.s.Attribute, c.s.single = a.id, a.single
		c.frameSubject(a)
		lo := end
		last := p.words[len(p.words)-1][0]
		if len(p.words) > 1 && p.words[0][0] != "be" && c.find(last).flags&isPreposition == 0 {
			lo = m + 1 // the last word is a part of the value: "eat meat"
		} else if p.words[0][0] == "be" && c.find(last).flags&(isPreposition) == 0 {
			lo = m + 1
			if a.id == "name" || a.id == "feature_state" || a.id == "team_size" {
				lo = end
			}
		}
		c.s.unsure = p.words[0][0] == "join"
		if a.id == "commute" && last == "work" { // by what is in the verb
			c.s.Value, c.s.Norm, c.s.Kind, c.end = c.tokens[m].word, c.tokens[m].stem(), Text, end
		} else if p.words[0][0] == "retire" {
			c.s.Value, c.s.Norm, c.s.Kind = "retired", stemmed("retired"), Text
			c.end = c.hi
		} else if a.id == "work" {
			c.workAs(lo)
		} else if a.id == "job" {
			c.jobAt(lo)
		} else {
			c.value(lo, c.hi)
		}
		switch {
		case p.mode == '-':
			c.s.Negated, c.s.Change, c.s.Exclusive, c.s.Former = true, true, true, c.s.Norm
			if last == "notice" {
				c.s.Value, c.s.Norm, c.s.Former = "", "", ""
			}
		case p.mode == '+':
			c.s.Change, c.s.Exclusive, c.s.pinned = true, true, c.s.pinned && c.tokens[c.hi-1].word == "ago"
			if c.ing || c.tokens[m].is(formIng) && c.tokens[m].e.noun == "" {
				c.s.Type = Plan
			}
		case a.id == "answer_style": // what was asked for holds
		case c.tokens[m].is(formPast) && !c.tokens[m].is(formBase) && !c.passive && c.verb == m || c.past && !c.passive:
			c.s.Past = true
		}
		c.finish(State)
		if p.mode == '-' && a.id == "work" && c.end > 0 {
			return true
		}
		for i := range c.extra {
			x := &c.extra[i]
			x.Change, x.Type, x.From, x.Past = c.s.Change, c.s.Type, c.s.From, c.s.Past
		}
		return true
	}
	return false
}

// workAs takes a place of work as the value, and the job behind "as" as a
// second statement.
func (c *clause) workAs(lo int) {
	for i := lo; i < c.hi; i++ {
		if c.tokens[i].word == "as" && i+1 < c.hi {
			c.also("job", i+1, c.hi)
			c.value(lo, i)
			if c.s.Norm == "" && i > 0 && c.tokens[i-1].e.verb != "" { // "I freelance as"
				c.s.Value, c.s.Norm = c.tokens[i-1].word, c.tokens[i-1].stem()
			}
			return
		}
	}
	c.value(lo, c.hi)
}

// jobAt takes a job as the value, and the place of work behind "at" or "for" as a
// second statement.
func (c *clause) jobAt(lo int) {
	for i := lo + 1; i+1 < c.hi; i++ {
		if w := c.tokens[i].word; (w == "at" || w == "for") && c.tokens[i+1].cap && c.tokens[i-1].post == 0 {
			c.also("work", i+1, c.hi)
			c.value(lo, i)
			c.s.Kind = Name // as it is called there
			return
		}
	}
	c.value(lo, c.hi)
}

// also makes a second statement of the same subject.
func (c *clause) also(attribute string, lo, hi int) {
	extra := c.s
	main := c.s
	c.s = extra
	c.s.Attribute, c.s.single, c.s.Exclusive = attribute, c.byID[attribute].single, true
	c.s.Value, c.s.Norm, c.s.Former = "", "", ""
	c.value(lo, hi)
	c.finish(State)
	extra = c.s
	c.s = main
	if extra.Norm != "" {
		c.extra = append(c.extra, extra)
	}
}

// precise returns the class that a frame means here, by its subject or by the value at lo: "runs
// on" or "is written in" may stand for several.
func (c *clause) precise(a *attribute, lo int) *attribute {
	switch a.id {
	case "runtime", "language_used", "framework":
		if a.id == "runtime" && c.subject == nouns && c.np.attr != nil && c.np.attr.domain == "system" && c.np.attr.kind == Name {
			return c.np.attr
		}
		if v := c.knownIn(lo, c.hi); v != nil && v.domain == "system" {
			return v
		}
	case "work":
		for i := lo; i < c.hi; i++ {
			if p := c.nounAt(i, c.hi); p != nil && (p.attr.id == "school" || p.attr.id == "university") && c.tokens[lo-1].e.verb == "" {
				return p.attr
			}
		}
	}
	return a
}

// frameSubject settles whom a frame is about when its subject is a phrase with
// an owner or a cue: "my sister's car runs on" is about the car.
func (c *clause) frameSubject(a *attribute) {
	if c.subject != nouns {
		return
	}
	n := &c.np
	if a.id == "name" && n.owner != "" && n.attr != nil && n.attr.domain == "person" {
		c.slotOf(n)
		c.s.single = true
		return
	}
	if a.id == "location" && n.attr != nil && n.attr.kind == Name && !n.attr.anyKind && !self(n.attr) {
		c.slotOf(n)
		return
	}
	if n.attr == a || n.attr != nil && self(n.attr) && a.domain != "person" {
		c.slotOf(n)
		c.s.Attribute, c.s.single = a.id, a.single
	}
}

// suits reports whether a frame is likely to mean its class here, by its subject and by the kind of
// value behind it: "joined" means an employer only of a person and before a name.
func (c *clause) suits(p *phrase, m, end int) bool {
	a := p.attr
	switch p.words[0][0] {
	case "retire":
		return c.person() && (end >= c.hi || c.tokens[end].word != "from" && c.tokens[end].is(isPreposition|isTime|isAdverb))
	case "join":
		return c.person() && kindOf(c, end) == Name && !c.nounAtAny(end, c.hi)
	}
	if len(p.words) == 1 && end >= c.hi {
		return a.id == "smoking" || p.words[0][0] == "freelance" || a.id == "merging"
	}
	if a.id == "school" && p.words[0][0] == "go" {
		for i := end; i < c.hi; i++ {
			if n := c.nounAt(i, c.hi); n != nil && (n.attr.id == "school" || n.attr.id == "university") {
				return true
			}
		}
		return false
	}
	if a.domain == "person" && c.subject == nouns && !c.person() && a.id != "name" && a.id != "renamed" && a.id != "home" {
		return false
	}
	lo, hi := c.valueSpan(end, c.hi)
	_, kind := c.norm(lo, hi)
	if a.kind != Time && kind >= Number && lo < hi {
		before := c.s.From
		_, kind = c.norm(lo, c.undated(lo, hi))
		c.s.From = before
	}
	switch a.id {
	case "work":
		return kind == Name && !c.tokens[lo].is(isTime) || lo >= hi || p.mode != 0 ||
			c.person() && kind == Text && (c.tokens[end-1].word == "at" || c.tokens[end-1].word == "for") &&
				c.tokens[min(end, c.hi-1)].is(isDet)
	case "runtime":
		return kind == Name || c.knownIn(lo, hi) != nil
	case "home":
		if p.mode == '+' && (p.words[0][0] == "move" || p.words[0][0] == "go") {
			return kind == Name
		}
		if p.words[0][0] == "leave" || p.words[0][0] == "settle" {
			return kind == Name && c.known(lo, hi, nil) == nil && p.words[0][0] != "leave"
		}
		return p.words[0][0] != "be" && p.words[0][0] != "work" || kind == Name
	case "job":
		return !(p.words[0][0] == "become") || c.person() && kind != Name && !c.nounAtAny(end, c.hi)
	case "partner":
		if w := c.tokens[min(end, c.hi-1)].word; p.words[0][0] == "see" && c.tokens[m].is(formIng) && (w == "someone" || w == "somebody") {
			return c.person()
		}
		return kind == Name && c.person() && (p.words[0][0] != "see" && p.words[len(p.words)-1][0] != "with" || len(p.words) > 2)
	case "car", "instrument", "bike", "hobby", "language", "university", "school",
		"study", "diet", "drink", "food", "airline", "rate", "deploy", "release":
		return c.suitsObject(a, p, lo, hi, kind)
	case "meeting_time", "schedule", "hours", "wake":
		return kind >= Number
	case "port", "timeout", "version", "retention", "ttl", "weight", "salary", "price", "age", "height", "build_time", "limit":
		return kind == Number || kind == Time || a.id == "version" && c.knownIn(lo, hi) != nil
	case "location":
		return kind < Time && c.subject == nouns && !c.person() && (len(p.words) > 2 || kind == Name)
	case "owner":
		if end < c.hi && c.tokens[end].word == "as" {
			return false
		}
		return c.subject == nouns && !c.np.kin || len(p.words) > 2
	case "doctor", "manager":
		return kind == Name && !c.passive && c.person()
	}
	return true
}

// kindOf returns what the value that begins at lo looks like.
func kindOf(c *clause, lo int) Kind {
	lo, hi := c.valueSpan(lo, c.hi)
	if lo >= hi {
		return Text
	}
	_, kind := c.norm(lo, c.undated(lo, hi))
	return kind
}

// passing reports whether what stands from lo on says when a stay ends: "until
// Friday", "for two weeks", "tonight". Nobody moves house for that.
func (c *clause) passing(lo int) bool {
	return slices.ContainsFunc(c.tokens[lo:c.hi], func(t token) bool {
		switch t.word {
		case "until", "till", "for", "through", "during", "over", "this", "tonight", "overnight", "bis", "tot", "hasta":
			return true
		}
		return false
	})
}

// suitsObject is suits for verbs that take many objects.
func (c *clause) suitsObject(a *attribute, p *phrase, lo, hi int, kind Kind) bool {
	if lo >= hi {
		return false
	}
	switch a.id {
	case "car":
		return kind == Name && c.tokens[lo].word != "to" && !c.tokens[lo].is(isPreposition) || p.mode == '+'
	case "language", "airline":
		return kind == Name
	case "instrument":
		known := c.known(lo, hi, nil)
		return c.person() && (kind == Text && c.tokens[lo-1].is(isDet) || known != nil && known.id == "instrument")
	case "study":
		return c.person() && kind < Number
	case "diet":
		return p.words[0][0] != "go" && p.words[0][0] != "follow" && p.words[0][0] != "be" && (len(p.words) > 1 || kind == Text) ||
			c.knownIn(lo, hi) != nil && c.knownIn(lo, hi).id == "diet"
	case "hobby", "drink", "food", "bike":
		return c.person() && p.words[0][0] != "eat" && p.words[0][0] != "ride"
	case "rate":
		return c.person() && kind == Number
	case "release":
		return kind == Time || len(p.words) > 1
	}
	return true
}
