package slots

import "strings"

// A clause may say more than its statement: with whom somebody does something, or what stands
// behind a comma. A newer text that replaces the statement does not replace that. So Rest is set in
// the statement, and its text is not taken to be replaced as a whole.

// companions marks the statement if the clause says with whom somebody does it: "I live in Bergen
// with my husband Mikkel".
func (c *clause) companions() {
	for i := c.verb; i+2 < c.hi; i++ {
		c.s.Rest = c.s.Rest || c.tokens[i].word == "with" && c.accompanies(i)
	}
}

// accompanies reports whether "with" or "and" at i stands before somebody's
// relation, "my husband".
func (r *reader) accompanies(i int) bool {
	t := r.tokens
	return i+2 < len(t) && (t[i].word == "with" || t[i].word == "and") && rank(t[i].post) == 0 &&
		(t[i+1].is(isPossessive) || t[i+1].is(isThird) && possessives[t[i+1].word]) && t[i+2].is(isKin)
}

// possessives are the possessive pronouns for others than the user.
var possessives = map[string]bool{"his": true, "her": true, "their": true}

// company returns where a value ends before the people who share it: "Bergen" of "Bergen with my
// husband". The value of a home ends before any "with" or "for".
func (c *clause) company(lo, end int) int {
	for i := lo + 1; i+1 < end; i++ {
		w := c.tokens[i].word
		if c.accompanies(i) && w == "with" || c.s.Attribute == "home" && (w == "with" || w == "for") {
			if !c.accompanies(i) && w == "with" {
				c.s.Rest = true
			}
			return i
		}
	}
	return end
}

// goesOn reports whether the clause says more behind the comma, dash or bracket that follows its
// value: "We have a dog, a border collie". A reason ("because …") or a beginning ("since …") does
// not count.
func (c *clause) goesOn() bool {
	i := max(c.end, c.verb+1)
	for i < c.hi && c.tokens[i-1].post == 0 {
		i++
	}
	if i < c.hi && c.s.Kind == Name && c.tokens[i-1].post == ',' && c.inState(i) { // "Lund, Sweden"
		i++
	}
	return c.tells(i, c.hi)
}

// inState reports whether a country stands at i, or the two letters of a state.
func (c *clause) inState(i int) bool {
	t := &c.tokens[i]
	word := c.quote(i, i+1)
	return t.is(isCountry) || len(word) == 2 && strings.ToUpper(word) == word && !t.num
}

// tells reports whether a content word stands from lo to hi, before any reason ("because …").
func (r *reader) tells(lo, hi int) bool {
	const empty = isDet | isPossessive | isFirst | isThird | isBe | isHave | isDo | isModal |
		isPreposition | isConjunction | isAdverb | isTime | isUnit | isNow | isOver | isCorrection | isFluff
	for i := lo; i < hi; i++ {
		t := &r.tokens[i]
		switch t.word {
		case "because", "since", "so", "until", "when", "weil", "omdat":
			return false
		}
		if !t.is(empty) && !(t.num && i+1 < hi && r.tokens[i+1].is(isTime|isUnit)) && !(t.num && i > 0 && r.tokens[i-1].is(isTime)) {
			return true
		}
	}
	return false
}
