package slots

// raised reads verbs that change a value: "we raised the limit from 5 to 10",
// "the limit was raised to 10", "switched from Vim to Helix as my editor".
func (c *clause) raised(v int) bool {
	to, from, stop := 0, 0, c.hi
	for i := v + 1; i < c.hi; i++ {
		switch w := c.tokens[i].word; {
		case (w == "to" || w == "into" || w == "onto" || w == "at" && c.tokens[v].e.verb == "set" ||
			w == "in" && c.tokens[v].e.verb == "rewrite" || w == "nach") && to == 0:
			to = i
		case w == "from" && from == 0 && i+1 < c.hi && c.tokens[i+1].word != "now" &&
			!(to > 0 && c.tokens[i+1].is(isTime)): // "to 480 from January"
			from = i
		case (w == "for" || w == "as") && to > 0 && i > to+1 && stop == c.hi:
			stop = i
		}
	}
	first := to
	if from > 0 && (from < to || to == 0) {
		first = from
	}
	if to == 0 || to+1 >= c.hi {
		return false
	}
	value, ok := c.raisedSlot(v, raising{to, from, first, stop})
	if !ok {
		return false
	}
	c.s.Change, c.s.Exclusive, c.s.pinned = true, true, false
	if value != nil && c.s.Attribute == "" {
		c.s.Attribute, c.s.single = value.id, value.single
	}
	if !c.s.Slot() {
		c.s.open = true
	}
	if from > 0 {
		end := c.hi
		if from < to {
			end = to
		}
		lo, hi := c.valueSpan(from+1, end)
		if lo < hi {
			c.s.Former, _ = c.norm(lo, hi)
		}
	}
	c.value(to+1, stop)
	c.productValue()
	c.finish(State)
	return c.s.Norm != ""
}

// raising has the tokens at which the parts of a change stand: to and from are the prepositions, 0
// where one is missing, first is the one that comes first, and stop is the end of the new value.
type raising struct{ to, from, first, stop int }

// raisedSlot sets the slot that is changed ("the limit" of "we raised the limit to 10"). It returns
// the class of the new value if that is well-known (an editor in "switched to Helix") or told by the
// verb (a home in "moved from Oslo to Lund"), and false if the verb does not change a value here.
func (c *clause) raisedSlot(v int, r raising) (*attribute, bool) {
	object := r.first > v+1 && !c.adverbs(v+1, r.first)
	verb := c.tokens[v].e.verb
	value := c.knownIn(r.to+1, c.hi)
	if verb == "go" && !c.over(v, r.to) && c.subject == nouns && c.np.attr == nil && r.from == 0 {
		return nil, false
	}
	if verb == "bring" || verb == "go" && object || verb == "hand" && (object || c.subject != nouns) ||
		verb == "port" && c.person() && !object {
		return nil, false
	}
	switch {
	case object && !c.passive && c.versioned(v+1, r.first, r.to), !object && c.subject == nouns && c.versioned(c.np0, c.verb, r.to):
		return nil, true
	case object && !c.passive:
		n := c.nounPhrase(v+1, r.first)
		if c.person() && n.attr == nil && verb == "move" && !n.definite && n.owner == "" {
			return nil, false
		}
		c.slotOf(&n)
		if n.attr == nil && len(n.words) > 0 && n.owner == "" && value != nil {
			c.s.Subject, c.s.Topic = n.entity, ""
		}
	case c.subject == nouns && !(c.person() && c.np.attr == nil && value == nil && !c.passive && c.np.kin):
		entity := c.np.entity
		c.slotOf(&c.np)
		switch {
		case verb == "rename" && (c.np.attr == nil || c.np.attr.domain == "person"):
			c.s.Subject, c.s.Topic, c.s.Attribute, value = entity, "", "", c.byID["name"]
		case (verb == "move" || verb == "relocate") && c.np.kin && r.from == 0 && !c.passive:
			c.s.Subject, c.s.Topic, c.s.Attribute, c.s.Alias = entity, "", "", c.np.alias
			return nil, false
		case c.np.attr == nil && value == nil && c.person() && !c.passive &&
			(verb == "switch" || verb == "change" || verb == "go" || verb == "migrate"):
			c.s.Subject, c.s.Topic, c.s.Alias, c.s.open = entity, "", c.np.alias, true
		case c.np.attr != nil:
		case value != nil:
			c.s.Subject, c.s.Topic = entity, ""
		case verb == "move" || verb == "relocate":
			if (c.np.named || c.np.isUser) && r.from == 0 && !c.passive {
				c.s.Subject, c.s.Topic = entity, ""
				return nil, false
			}
			if r.from == 0 {
				c.s.Subject, c.s.Topic, value = entity, "", c.byID["location"]
			}
		case verb == "hand":
			c.s.Subject, c.s.Topic, value = entity, "", c.byID["owner"]
		case verb == "relicense":
			c.s.Subject, c.s.Topic, value = entity, "", c.byID["license"]
		}
	default:
		if value == nil && (c.over(v, r.to) || c.back(v, r.to)) {
			return nil, true // "moved over to Argo", "went back to Argo"
		}
		if value == nil && r.from == 0 && (verb == "move" || verb == "relocate" || verb == "go" || verb == "transfer") && r.stop == c.hi {
			return nil, false
		}
		if value == nil && (verb == "move" || verb == "relocate") && r.stop == c.hi {
			value = c.byID["home"]
		}
		if r.stop < c.hi {
			n := c.nounPhrase(r.stop+1, c.hi)
			c.slotOf(&n)
		}
	}
	return value, true
}

// over reports whether "over" stands between the verb and "to" ("moved over to Argo"), which tells
// of a change of tools. Before a country it may be a move.
func (c *clause) over(v, to int) bool {
	return v+1 < to && c.tokens[v+1].word == "over" && to+1 < c.hi && !c.tokens[to+1].is(isCountry)
}

// back reports whether somebody goes "back to" a name that is no country ("went back to Argo"),
// which tells of a change of tools.
func (c *clause) back(v, to int) bool {
	return c.tokens[v].e.verb == "go" && to == v+2 && c.tokens[v+1].word == "back" && to+1 < c.hi && c.tokens[to+1].cap &&
		!c.tokens[to+1].is(isCountry|isTime)
}

// adverbs reports whether nothing but adverbs stands from lo to hi.
func (c *clause) adverbs(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if !c.tokens[i].is(isAdverb) && c.tokens[i].word != "over" && c.tokens[i].word != "back" && c.tokens[i].word != "up" &&
			c.tokens[i].word != "down" {
			return false
		}
	}
	return true
}

// replaced reads "we replaced X with Y" and "X was replaced by Y".
func (c *clause) replaced(v int) bool {
	with := 0
	for i := v + 1; i < c.hi; i++ {
		if w := c.tokens[i].word; w == "with" || w == "by" || w == "for" && c.tokens[v].e.verb != "replace" && i > v+1 {
			with = i
			break
		}
	}
	if with == 0 {
		return false
	}
	lo, hi := v+1, with
	if c.passive || with == v+1 {
		lo, hi = c.np0, c.verb
	}
	n := c.nounPhrase(lo, hi)
	if n.attr != nil {
		c.slotOf(&n)
	} else if c.passive || with == v+1 {
		c.s.Subject = User
	}
	if l, h := c.valueSpan(lo, hi); l < h && n.attr == nil {
		c.s.Former, _ = c.norm(l, h)
	}
	if a := c.knownIn(with+1, c.hi); a != nil && c.s.Attribute == "" {
		c.s.Attribute, c.s.single = a.id, a.single
	}
	c.s.open = !c.s.Slot()
	c.value(with+1, c.hi)
	c.s.Change, c.s.Exclusive = true, true
	c.finish(State)
	return true
}

// ended reads verbs that end something ("I quit smoking", "sold the Skoda"): the statement is
// negated, and its value is the former one.
func (c *clause) ended(v int) bool {
	t := &c.tokens[v]
	if !t.is(isEnd) {
		p := c.marker(v, c.hi, isEnd)
		if p == nil {
			return false
		}
		v += len(p.words) - 1
	}
	if v+1 >= c.hi || t.is(isEnd) && t.e.verb == "close" && !c.person() || t.e.verb == "finish" {
		return false
	}
	past, lo := c.s.Past, v+1
	if c.subject == nouns && !c.person() ||
		c.subject == nouns && (rank(c.tokens[v].post) > 0 || c.tokens[lo].is(isPreposition|isConjunction)) {
		return c.endedItself(past)
	}
	if c.tokens[lo].is(formIng) && c.framed(lo) {
		c.s.Type = Other
	} else {
		if c.tokens[lo].is(formIng) && lo+1 < c.hi {
			c.s.Topic = c.tokens[lo].stem()
			c.s.open = true
			lo++
		} else {
			n := c.nounPhrase(lo, c.hi)
			if a := c.knownIn(lo, c.hi); a != nil {
				c.s.Attribute, c.s.single = a.id, a.single
			} else if n.attr != nil {
				c.s.Attribute, c.s.single = n.attr.id, n.attr.single
				c.s.bare = len(n.words) == 0
			}
			c.s.open = true
		}
		c.value(lo, c.hi)
	}
	s := &c.s
	s.Past, s.Negated, s.Change, s.Exclusive, s.Former = past, !c.negated, true, true, s.Norm
	if c.negated {
		s.Change, s.Negated, s.Former, c.negated = false, false, "", false
	}
	c.finish(State)
	return s.Norm != ""
}

// endedItself reads "Pravolin cancelled", where the subject is what ended.
func (c *clause) endedItself(past bool) bool {
	c.value(c.np0, c.verb)
	s := &c.s
	s.Subject, s.open = User, true
	if c.np.attr != nil {
		s.Attribute, s.single = c.np.attr.id, c.np.attr.single
	}
	s.Past, s.Negated, s.Change, s.Exclusive, s.Former = past, true, true, true, s.Norm
	c.finish(State)
	return s.Norm != ""
}
