package slots

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed foreign.txt
var foreignText string

// gap stands for the value in a frame of foreign.txt.
const gap = "*"

// maxBetween is how many words may stand between two of a frame: "bin im Mai nach".
const maxBetween = 4

// foreign registers a row of foreign.txt.
func (b *builder) foreign(c []string) {
	for _, frame := range list(c[2]) {
		b.phrase(frame, &phrase{role: foreignPhrase, attr: b.byID[c[0]], mode: c[1][0]})
	}
}

// foreign reads a clause by a frame of another language, whose verb may stand in two
// parts around the value: "Ich bin nach Bremen gezogen". False if none fits.
func (c *clause) foreign() bool {
	for i := c.lo; i < c.hi && (i == c.lo || c.passes(i-1) || c.tokens[i-1].is(isConjunction)); i++ {
		for _, p := range c.tokens[i].e.phrases {
			if p.role != foreignPhrase {
				continue
			}
			if at, ok := c.around(p, i); ok && c.fill(p, at) {
				return true
			}
		}
	}
	return false
}

// span is where the value of a frame stands, and the one that is over, if the frame
// has both: "von Vim auf Zed".
type span struct{ lo, hi, formerLo, formerHi int }

// around returns where the value stands in a frame that begins at i ("Bremen" in "bin nach Bremen
// gezogen"), and whether the whole frame is there.
func (c *clause) around(p *phrase, i int) (s span, ok bool) {
	for n, words := range p.words {
		switch {
		case words[0] == gap:
			s.formerLo, s.formerHi = s.lo, s.hi
			s.lo, s.hi = i, c.hi
			if n+1 < len(p.words) {
				for i++; i < c.hi && !slices.Contains(p.words[n+1], c.tokens[i].word); i++ {
				}
				s.hi = i
			}
			continue
		case n > 0 && p.words[n-1][0] != gap:
			for skipped := 0; i < c.hi && skipped < maxBetween && !slices.Contains(words, c.tokens[i].word) && c.passes(i); skipped++ {
				i++
			}
		}
		if i >= c.hi || !slices.Contains(words, c.tokens[i].word) {
			return span{}, false
		}
		i++
	}
	return s, s.lo < s.hi
}

// passes reports whether the token at i may stand between the words of a frame: an article, an
// adverb, a time or a negation, as "im Mai" in "bin im Mai nach Bremen gezogen".
func (c *clause) passes(i int) bool {
	t := &c.tokens[i]
	return t.is(isAdverb|isNow|isPast|isTime|isDet|isNegation) || t.word == "mehr" || t.num ||
		i+1 < c.hi && t.is(isPreposition) && (c.tokens[i+1].is(isTime) || c.tokens[i+1].num)
}

// fill takes what stands in the gap of a frame as the value of the user's statement; false if that
// cannot be a value of the frame's class.
func (c *clause) fill(p *phrase, at span) bool {
	lo, hi := at.lo, at.hi
	for lo+1 < hi && c.tokens[lo].is(isNow|isPast) {
		lo++
	}
	hi = c.cut(lo, hi)
	from, end := c.valueSpan(lo, hi)
	_, kind := c.norm(from, end)
	known := c.knownIn(from, end)
	a := p.attr
	switch {
	case a == nil:
		if a = known; a == nil {
			return false
		}
	case a.id == "diet" || a.id == "phone":
		if known != a && !(a.id == "phone" && p.mode == '=') {
			return false
		}
	case a.kind == Name && !a.anyKind && kind != Name && !(a.id == "home" && kind == Number && c.street(from, end)):
		return false
	}
	for i := c.lo; i < lo; i++ {
		c.negated = c.negated || c.tokens[i].is(isNegation)
	}
	c.subject, c.s.Subject, c.s.first, c.verb = pronoun, User, true, c.lo
	c.s.Attribute, c.s.single = a.id, a.single
	c.value(lo, hi)
	if c.s.Norm == "" {
		return false
	}
	if at.formerLo < at.formerHi {
		c.s.Former, _ = c.norm(at.formerLo, at.formerHi)
	}
	switch p.mode {
	case '+':
		c.s.Change, c.s.Exclusive, c.s.pinned = true, true, false
	case '-':
		c.s.Negated, c.s.Change, c.s.Exclusive, c.s.Former = true, true, true, c.s.Norm
	case '>':
		c.s.Type = Plan
	case '<':
		c.s.Past = true
	}
	c.finish(State)
	c.s.Rest = c.s.Rest || c.goesOn()
	return true
}

// street reports whether a value with a number is a street and a house: "Lindenstraße 4", "8 rue du
// Moulin", and not "2 Zimmern".
func (c *clause) street(lo, hi int) bool {
	return !c.tokens[lo].num || lo+1 < hi && !c.tokens[lo+1].cap
}

// cut returns where a value ends before what it is used as, or in place of what: "als
// Editor", "statt Vim".
func (c *clause) cut(lo, hi int) int {
	for i := lo + 1; i < hi; i++ {
		if strings.Contains(" als comme como statt anstatt seit depuis desde ab mit avec con ", " "+c.tokens[i].word+" ") {
			return i
		}
		if w := &c.tokens[i]; i+1 < hi && (w.is(isPreposition|isDet) || w.word == "en") && (c.tokens[i+1].num || c.tokens[i+1].is(isTime)) {
			return i // "en mai", "am 3. Juni", "le 3 juin"
		}
	}
	return hi
}
