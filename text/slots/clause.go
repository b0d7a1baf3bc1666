package slots

import "cmp"

// clause is a run of tokens with at most one subject and verb of its own.
type clause struct {
	*reader
	lo, hi             int
	before             *clause // the one before it in the sentence, nil at the first
	s                  Statement
	np                 nounPhraseRead // the subject, if it is a noun phrase
	np0                int            // where it begins
	subject            int            // how the subject was found
	verb               int            // where the verb group begins
	negated            bool
	passive            bool
	ing                bool
	past               bool
	timed              bool        // names a day, a month or a year to come or gone
	gone               bool        // says that something is over: "no longer", "any more"
	begin              int         // token at which the last value that was taken begins
	end                int         // token at which the last value that was taken ends
	product0, product1 int         // where the product stands whose version is told
	extra              []Statement // what else the clause says
}

// How the subject of a clause was found.
const (
	unfound  = iota
	pronoun  // I, we
	referred // he, she, it: whoever that was
	nouns    // a noun phrase
	implied  // none stands there: "Switched to Zed."
	label    // a noun phrase before a colon: "Vet: Dr. Pell"
)

// read fills the statement from the clause; false if the clause has nothing to be kept: no subject,
// or neither a slot nor a value.
func (c *clause) read() bool {
	c.markers()
	if c.foreign() {
		return true
	}
	i := c.leading(c.lo)
	if i >= c.hi {
		return false
	}
	if !c.findSubject(i) {
		return false
	}
	if c.subject == label {
		c.slotOf(&c.np)
		c.value(c.verb, c.hi)
		c.finish(State)
		c.scope()
		c.s.Rest = c.s.Rest || c.goesOn()
		return c.s.Norm != ""
	}
	c.predicate(c.verbGroup(c.verb))
	c.scope()
	c.companions()
	c.s.Rest = c.s.Rest || c.goesOn()
	return c.s.Slot() || c.s.Norm != "" && (c.s.Subject != "" || c.s.open)
}

// markers sets what single words and phrases of the clause decide: "maybe" makes the statement
// hedged, "used to" past, "no longer" a change, "also" an addition.
func (c *clause) markers() {
	for i := c.lo; i < c.hi; i++ {
		t := &c.tokens[i]
		f := t.e.flags & marker
		if len(t.e.phrases) > 0 {
			for _, p := range t.e.phrases {
				if p.role == markerPhrase && p.flags&marker != 0 && c.match(p, i, c.hi) > 0 && c.meant(p, i) {
					f |= p.flags
				}
			}
		}
		if f&isHedge != 0 && !c.month(i, c.lo, c.hi) {
			c.s.Hedged = true
		}
		if (f&isWish != 0 || c.would(i)) && !c.settled(i) || c.nearly(i) {
			c.s.Hedged, c.s.Type = true, Plan
		}
		if c.once(i) || f&isPast != 0 && (t.word != "before" && t.word != "initially" || i+1 == c.hi || rank(t.post) > 0) {
			c.s.Past = true
		}
		if f&isWill != 0 && !t.is(isTime) {
			c.s.Type = Plan
		}
		if f&isWill != 0 && t.is(isTime) {
			c.s.From = true
		}
		if f&(isNow|isOver|isCorrection) != 0 {
			c.s.Change = true
		}
		if f&isOver != 0 {
			c.s.Exclusive, c.gone = true, true
			if t.word == "no" || t.word == "any" || t.word == "anymore" || t.word == "nicht" || t.word == "niet" || t.word == "not" {
				c.negated = true
			}
		}
		if f&isAdditive != 0 && (t.word != "second" && t.word != "third" && t.word != "other" ||
			i > c.lo && c.tokens[i-1].is(isDet|isPossessive) && c.tokens[i-1].word != "the" && i+1 < c.hi && rank(t.post) == 0) {
			c.s.Additive = true
		}
		c.times(i)
	}
}

// times marks what a time stands beside: "from May", "until Friday", "in 2009".
func (c *clause) times(i int) {
	t := &c.tokens[i]
	switch t.word {
	case "today", "tonight", "tomorrow", "yesterday", "ago":
		c.s.pinned = c.s.pinned || i == c.lo || c.tokens[i-1].word != "from" && c.tokens[i-1].word != "of" && c.tokens[i-1].word != "since"
	}
	if i+1 >= c.hi {
		return
	}
	next := &c.tokens[i+1]
	c.s.pinned = c.s.pinned || t.word == "this" && next.is(isTime) && next.word != "second"
	timed := next.is(isTime) || next.num && len(next.word) <= 4
	switch t.word {
	case "in", "since", "from", "of", "im", "seit", "ab", "sinds", "vanaf", "desde":
		c.s.began = cmp.Or(c.s.began, c.yearAt(i+1))
	}
	switch t.word {
	case "from", "starting", "beginning", "effective", "ab", "vanaf", "desde":
		if (timed || t.word != "from" && c.moment(i+1)) && next.word != "today" && next.word != "now" {
			c.s.From = true
		}
	case "of":
		if timed && i > c.lo && c.tokens[i-1].word == "as" && next.word != "today" {
			c.s.From = true
		}
	case "on", "next":
		c.timed = c.timed || timed
	case "since", "seit", "sinds":
		c.s.From = timed
	case "until", "till", "bis":
		if timed {
			c.s.Until = true
		}
	case "im", "am", "en", "le":
		c.timed = c.timed || timed
	case "in":
		c.timed = c.timed || timed
		if isYear(next.word) {
			c.s.pinned = true
		}
	}
}

// leading skips what may stand before a subject: adverbs, "and", "from May",
// "After the operation".
func (c *clause) leading(i int) int {
	t := c.tokens
	for i < c.hi {
		switch w := &t[i]; {
		case (w.word == "no" || w.word == "yes" || w.word == "sorry" || w.word == "hi" || w.word == "hello" || w.word == "hey" ||
			w.word == "well" || w.word == "ok" || w.word == "update" || w.word == "correction" || w.word == "note") && w.post != 0:
			i++
		case w.is(isConjunction) && !w.is(isFirst) && w.word != "that":
			i++
		case w.word == "no" && i+1 < c.hi && t[i+1].word == "longer": // "No longer lives in Lund"
			i += 2
		case w.is(isAdverb) && !w.is(isPreposition) && !(w.word == "no"):
			i++
		case w.word == "years" || w.word == "lately" || w.word == "ago":
			i++
		case w.is(isPreposition) && w.word != "like":
			j := c.leadingPhrase(i)
			if j == i {
				return i
			}
			i = j
		case w.is(isTime) && (w.post == ',' || i+1 < c.hi && t[i+1].is(isFirst)):
			i++
		case (w.word == "starting" || w.word == "beginning" || w.word == "effective") && i+1 < c.hi && c.moment(i+1):
			j := c.leadingPhrase(i)
			if j == i {
				return i
			}
			i = j
		default:
			return i
		}
	}
	return i
}

// leadingPhrase returns the end of the phrase with a preposition at i, such as "from May" or "After
// the operation": behind a comma, or before what looks like the subject. It is i if there is no
// such end.
func (c *clause) leadingPhrase(i int) int {
	t := c.tokens
	begin := i
	for i++; i < c.hi; i++ {
		if t[i-1].post == ',' || t[i-1].post == ':' {
			return i
		}
		if i == begin+1 {
			continue
		}
		if t[i].is(isFirst) || t[i].is(isThird) && t[i].word != "it" || t[i].is(isPossessive) ||
			t[i].is(isDet) && !t[i-1].is(isPreposition) ||
			t[i-1].is(isTime) && t[i].cap && !t[i].is(isTime) || t[i].is(isAdverb) && i+1 < c.hi && t[i+1].is(isFirst) {
			return i
		}
		if t[i].is(isBe) {
			return i
		}
		if (t[i-1].num || t[i-1].is(isTime)) && !t[i].is(isPreposition|isTime|isUnit) && !t[i].num {
			return i
		}
	}
	return begin
}

// findSubject reads the subject at i and sets where the verb stands.
func (c *clause) findSubject(i int) bool {
	t := &c.tokens[i]
	c.np0 = i
	switch {
	case t.is(isFirst):
		c.subject, c.verb, c.s.Subject, c.s.first = pronoun, i+1, User, true
		if i+1 < c.hi && c.tokens[i+1].word == "and" {
			c.subject = referred
			return c.findNouns(i)
		}
		return true
	case t.is(isThird) && t.word != "his" && t.word != "her" && t.word != "its" && t.word != "their" && t.word != "seine" &&
		t.word != "ihre":
		c.subject, c.verb = referred, i+1
		c.refer(t)
		if t.poss {
			c.verb = i // "it's": the verb is in the token
		}
		return true
	}
	if c.startsWithVerb(i) {
		c.subject, c.verb = implied, i
		switch {
		case c.before != nil && c.before.s.Subject != "":
			c.s.Subject, c.s.Alias = c.before.s.Subject, c.before.s.Alias
			c.np, c.np0 = c.before.np, c.before.np0
		case t.is(formBase) && !t.is(formPast) && t.word != "first":
			c.s.Subject, c.s.Type = "", Preference
		default:
			c.s.Subject = User
		}
		return true
	}
	c.s.unbound = t.is(isThird) && c.before == nil // "her phone"
	return c.findNouns(i)
}

// verbAt reports whether the token at i, behind a noun, is a verb.
func (c *clause) verbAt(i int) bool {
	t := &c.tokens[i]
	if t.is(isBe|isHave|isModal|isWill) && !t.is(isTime) || t.is(isDo) {
		return true
	}
	if t.e.verb == "" {
		return c.likeVerb(i)
	}
	if i+1 < c.hi && c.tokens[i+1].is(isBe|isHave) {
		return false
	}
	before := &c.tokens[i-1]
	if before.is(isDet|isPossessive|isPreposition|isNewAdj) || before.poss {
		return false
	}
	if t.is(formPast) {
		return true
	}
	if t.is(formThird) {
		return !before.is(formPlural) || t.e.noun == ""
	}
	many := before.is(formPlural) || len(before.word) > 3 && before.word[len(before.word)-1] == 's' || before.is(isAdverb)
	return t.is(formBase) && many
}

// likeVerb reports whether an unknown word at i looks like a verb in the third
// person: "the sprint lasts two weeks".
func (c *clause) likeVerb(i int) bool {
	t, n := &c.tokens[i], len(c.tokens[i].word)
	if t.e != nothing || t.cap || n < 4 || t.word[n-1] != 's' || t.word[n-2] == 's' || rank(t.post) > 0 || i+1 >= c.hi || i <= c.lo {
		return false
	}
	before, next := &c.tokens[i-1], &c.tokens[i+1]
	return !before.is(isDet|isPossessive|isPreposition|isConjunction|isFluff) && !before.poss && !before.num &&
		(next.is(isDet|isPossessive) || next.num || numeral(next.stem()))
}

// findNouns reads a noun phrase up to its verb or a colon.
func (c *clause) findNouns(i int) bool {
	end, named := i, 0
	for ; end < c.hi; end++ {
		if end > i && (c.verbAt(end) ||
			c.tokens[end].is(isAdverb) && !c.tokens[end].cap && !c.tokens[end].is(isPreposition) && end+1 < c.hi && c.verbAt(end+1)) {
			break
		}
		if c.tokens[end].post == ':' && end+1 < c.hi && end-i < 8 {
			c.subject, c.verb = label, end+1
			c.np = c.nounPhrase(i, end+1)
			c.key(&c.np, i, end+1)
			return true
		}
		if c.bracketed(end) {
			named = end + 1
			end++
			continue
		}
		if p := c.tokens[end].post; rank(p) == 2 {
			return false
		}
	}
	if end >= c.hi {
		return false
	}
	if end > i+1 && c.tokens[end-1].word == "i" && c.tokens[end-2].word == "and" { // "Ada and I live in Bath"
		c.subject, c.verb, c.s.Subject, c.s.first = pronoun, end, User, true
		return true
	}
	c.subject, c.verb = nouns, end
	if named > 0 {
		c.np = c.nounPhrase(i, named)
		c.np.alias, c.np.kin = c.tokens[named].word, true
	} else {
		c.np = c.nounPhrase(i, end)
		if c.np.owner == User {
			c.key(&c.np, i, end)
		}
		c.appoint(i, end)
	}
	c.s.Subject, c.s.Alias, c.s.first = c.np.entity, c.np.alias, c.np.owner == User
	if c.np.past {
		c.s.Past = c.s.Past || c.np.entity != User
	}
	return true
}

// bracketed reports whether a name in brackets follows the token at i.
func (r *reader) bracketed(i int) bool {
	t := r.tokens
	return t[i].post == '(' && i+2 < len(t) && t[i+1].cap && t[i+1].post == '('
}

// appoint splits a subject into a role and the name behind it: "our CTO Ines", "the billing service
// Ledger". The role becomes the subject and the name its alias, so that the clause is about who
// bears the name.
func (c *clause) appoint(lo, hi int) {
	n := &c.np
	for lo < hi && c.tokens[lo].is(isPossessive|isDet) {
		lo++
	}
	cut, role := lo, false
	for cut < hi {
		switch p := c.nounAt(cut, hi); {
		case p != nil && person(p.attr):
			cut, role = cut+len(p.words), true
			continue
		case !c.tokens[cut].cap && !c.tokens[cut].is(isPreposition|isConjunction):
			role = c.tokens[cut].is(isNoun) && cut > lo
			cut++
			continue
		}
		break
	}
	if n.kin || !role || cut >= hi || n.owner != User && !n.definite || c.tokens[hi-1].poss {
		return
	}
	for i := cut; i < hi; i++ {
		if !c.tokens[i].cap || c.tokens[i].num {
			return
		}
	}
	entity, _ := c.naming(lo, cut)
	n.alias, _ = c.naming(cut, hi)
	if n.attr != nil && n.attr.id != "holder" && n.attr.domain == "person" {
		entity = c.owned(n.owner, entity)
	}
	n.entity, n.attr, n.kin = entity, nil, true
}

// verbGroup skips auxiliaries and adverbs from i on, notes what they tell, and
// returns where the main verb stands, or the last form of be.
func (c *clause) verbGroup(i int) int {
	t := c.tokens
	be := -1
	for ; i < c.hi; i++ {
		w := &t[i]
		c.negated = c.negated || w.neg || w.is(isNegation) && w.word != "without" && w.word != "no" && w.word != "none"
		switch {
		case w.word == "used" && i+1 < c.hi && t[i+1].word == "to":
			i++
		case c.meansTo(i) > 0:
			i += c.meansTo(i) - 1
			be = -1
		case w.is(isBe) || w.poss && c.subject == referred:
			be = i
			c.past = w.word == "was" || w.word == "were" || w.word == "war"
		case w.is(isHave) && i+1 < c.hi && c.participleNear(i+1):
			if w.word == "had" {
				c.past = true
			}
			be = -1
		case w.is(isModal|isWill|isHedge|isDo) && (w.e.verb == "" || i+1 < c.hi && !t[i+1].is(isDet|isPossessive)) && !w.is(anyVerb):
			if w.word == "did" {
				c.past = true
			}
		case c.would(i), c.nearly(i), c.once(i):
		case w.is(isAdverb), w.word == "to" && i > c.verb && be < 0, w.is(isNegation) && w.word != "no":
		default:
			if be >= 0 {
				if w.is(formIng) {
					c.ing = true
					return i
				}
				if w.is(formPast) && w.e.verb != "" {
					c.passive = true
				}
				return be
			}
			return i
		}
	}
	if be >= 0 {
		return be
	}
	return i
}

// participleNear reports whether a participle follows from i on, with nothing but adverbs and
// negations before it: "moved" in "have recently moved".
func (c *clause) participleNear(i int) bool {
	for ; i < c.hi; i++ {
		t := &c.tokens[i]
		if t.is(formPast) || t.word == "been" || t.word == "become" {
			return true
		}
		if !t.is(isAdverb | isNegation) {
			return false
		}
	}
	return false
}
