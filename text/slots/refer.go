package slots

import "slices"

// refer sets who a pronoun of the third person is: whom the clause before is about, but never the
// user who says "I". In "my best friend is Hannah, she lives in Bristol" it is the friend. If
// nobody fits, the pronoun is the subject and the statement is unbound.
func (c *clause) refer(t *token) {
	b := c.before
	if b == nil { // nobody knows who that is: not the user, and hardly whom others mean
		c.s.Subject, c.s.unbound = t.word, true
		return
	}
	c.s.Subject, c.s.Alias = b.s.Subject, b.s.Alias
	if b.s.Subject != User || t.word == "it" || t.word == "es" {
		return
	}
	own := func(t token) bool { return t.is(isFirst | isPossessive) }
	switch role, name := b.s.linked(), b.s.named(); {
	case role != "" && name != "":
		c.s.Subject, c.s.Alias = role, name
	case !slices.ContainsFunc(c.tokens[b.lo:b.hi], own): // "The user moved; he lives in Oslo"
	case name != "" && t.word != "they":
		c.s.Subject = name
	default:
		c.s.Subject, c.s.unbound = t.word, true
	}
}
