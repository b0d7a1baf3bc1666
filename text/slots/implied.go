package slots

// startsWithVerb reports whether the clause begins at i with its verb, so that its subject is left
// out: "Switched to Zed".
func (c *clause) startsWithVerb(i int) bool {
	t := &c.tokens[i]
	if !t.is(anyVerb) && t.e.verb == "" && !(t.is(isBe|isHave) && c.before != nil) {
		return false
	}
	if t.is(isBe | isHave | isDo) {
		return c.before != nil || c.ownsAlone(i, c.hi)
	}
	next := i+1 < c.hi
	if c.before == nil && t.is(formThird) {
		return c.actsAlone(i)
	}
	if t.is(formPast | formThird | formIng) {
		moved := t.is(formIng) && c.before == nil && c.changesAlone(i+1)
		return !next || !c.tokens[i+1].is(isBe|isHave|isModal) && !moved && c.tokens[i].post != ':'
	}
	return t.is(formBase) && next && t.e.noun == "" &&
		(c.before != nil || c.tokens[i+1].is(isDet|isPreposition|isPossessive|isFirst) || !c.hasVerb(i+1)) && t.post == 0
}

// changesAlone reports whether a verb of change of the past follows at i, behind nouns
// alone: "Training moved to Monday", "Billing module handed over to Li".
func (c *clause) changesAlone(i int) bool {
	for ; i < c.hi; i++ {
		t := &c.tokens[i]
		switch {
		case t.is(isRaise) && t.is(formPast):
			return true
		case t.post != 0 || t.num || t.is(isDet|isPossessive|isPreposition|isConjunction|isFirst|isThird|isAdverb|isBe|isHave|isModal):
			return false
		}
	}
	return false
}

// actsAlone reports whether a sentence begins at i with a verb in the third person and
// leaves out the user: "Lives in Lund", neither "Tests are slow" nor "Notes for Monday".
func (c *clause) actsAlone(i int) bool {
	t := &c.tokens[i]
	if i+1 >= c.hi || t.post != 0 || t.quoted || c.tokens[i+1].is(isBe|isHave|isModal|isConjunction) || c.finite(i+1) {
		return false
	}
	next := &c.tokens[i+1]
	return t.e.noun == "" || next.is(isDet|isPossessive) || next.num
}

// ownsAlone reports whether "has" begins a sentence at i that tells what the user has:
// "Has a cat named Miso", not "Has a date been set".
func (r *reader) ownsAlone(i, hi int) bool {
	t := r.tokens
	if t[i].word != "has" || i+1 >= hi || t[i+1].word != "a" && t[i+1].word != "an" && t[i+1].word != "no" && !numeral(t[i+1].stem()) {
		return false
	}
	for k := i + 2; k < hi; k++ {
		if t[k].is(formPast|isBe) && t[k].e.noun == "" && t[k].word != "named" && t[k].word != "called" {
			return false
		}
	}
	return t[hi-1].post != '?'
}

// finite reports whether a verb follows i that has a subject before it.
func (c *clause) finite(i int) bool {
	for ; i < c.hi && rank(c.tokens[i].post) < 2; i++ {
		t := &c.tokens[i]
		if t.is(isBe|isModal) || t.is(formThird) && t.e.noun == "" && t.e.verb != "" {
			return true
		}
		if t.is(isConjunction) {
			return false
		}
	}
	return false
}

func (c *clause) hasVerb(i int) bool {
	for ; i < c.hi; i++ {
		if c.verbAt(i) {
			return true
		}
	}
	return false
}
