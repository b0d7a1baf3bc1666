package slots

// Standing is how what a statement says stands to the moment at which it is said.
type Standing uint8

// The standings of a statement.
const (
	Holds  Standing = iota // is so
	Was                    // was so: "I used to live in Oslo"
	Comes                  // is meant to be so: "from May I live in Oslo", "I'll move to Oslo"
	Unreal                 // is not said to be so: a wish, a condition, a guess, the words of others, what nearly happened
)

var standingNames = [...]string{"holds", "was", "comes", "unreal"}

// String returns the name in lower case, such as "comes".
func (s Standing) String() string {
	if int(s) >= len(standingNames) {
		return "unknown"
	}
	return standingNames[s]
}

// Standing tells what is so from what was, will be or might be so. That a
// beginning has passed in the meantime is for the caller to know.
func (s *Statement) Standing() Standing {
	switch {
	case s.Hedged:
		return Unreal
	case s.Past:
		return Was
	case s.Type == Plan:
		return Comes
	}
	return Holds
}

// meant reports whether a phrase at i that can announce a plan or a wish does so here: not "plan
// to" in "my plan to Ayla", nor "one day" in "one day a week".
func (c *clause) meant(p *phrase, i int) bool {
	if p.flags&(isWill|isWish) == 0 {
		return true
	}
	next := i + len(p.words)
	switch p.words[0][0] {
	case "one":
		return next >= c.hi || c.tokens[next].word != "a" && c.tokens[next].word != "per"
	case "considered", "planned", "intended", "meant":
		if i > c.lo && c.tokens[i-1].is(isBe) {
			return false // of a thing: "is considered safe", "is planned to ship"
		}
	}
	if p.words[len(p.words)-1][0] != "to" {
		return true
	}
	return next < c.hi && !c.tokens[next].cap && !c.tokens[next].num && !c.tokens[next].is(isDet|isPossessive)
}

// meansTo returns the words of a phrase at i that announces the verb behind it:
// "am going to", "want to", "thinking about"; 0 if none stands there.
func (c *clause) meansTo(i int) int {
	p := c.marker(i, c.hi, isWill|isWish)
	if p == nil || i < c.verb || !c.meant(p, i) {
		return 0
	}
	switch p.words[len(p.words)-1][0] {
	case "to", "about", "of":
		return len(p.words)
	}
	return 0
}

// would reports whether the token at i is the "'d" of "I'd live", not of "I'd lived".
func (c *clause) would(i int) bool {
	t := c.tokens
	if t[i].word != "d" || i == c.lo || !t[i-1].is(isFirst|isThird) || i+1 >= c.hi {
		return false
	}
	return t[i+1].word != "been" && t[i+1].word != "better" && (!t[i+1].is(formPast) || t[i+1].is(formBase))
}

// nearly reports whether the token at i says that what the verb behind it tells did
// not happen: "I nearly moved". Before a number it says how much.
func (c *clause) nearly(i int) bool {
	t := c.tokens
	if t[i].word != "nearly" && t[i].word != "almost" || i+1 >= c.hi {
		return false
	}
	return t[i+1].is(formPast)
}

// once reports whether the token at i puts the verb behind it in the past: "I once
// lived in Rome", not "once a week".
func (c *clause) once(i int) bool {
	return c.tokens[i].word == "once" && i+1 < c.hi && c.tokens[i+1].is(formPast) && i >= c.lo
}

// moment reports whether a time stands at i: "next month", "1 July", "in June".
func (c *clause) moment(i int) bool {
	if c.tokens[i].is(isPreposition) && i+1 < c.hi {
		i++
	}
	return c.tokens[i].is(isTime) || c.tokens[i].num
}

// settled reports whether the wish at i is rather for how things are always to be ("I only want to
// fly with Skandar"), or how to address somebody ("I'd like to be called Jo"), and so is no plan.
func (c *clause) settled(i int) bool {
	for k := i; k+1 < min(c.hi, i+6); k++ {
		if w := c.tokens[k+1].word; c.tokens[k].word == "be" && (w == "called" || w == "addressed" || w == "named") {
			return true
		}
	}
	return i > c.lo && c.tokens[i-1].word == "only"
}
