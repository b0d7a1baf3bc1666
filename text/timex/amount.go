package timex

// quantity is a number of units, between low and high.
type quantity struct {
	low, high int
	unit      unit
	next      int  // the token after it
	short     bool // the unit is abbreviated
}

// count reads a number such as "3", "two", "a few", "a couple of",
// "twenty-five", "2-3", "two or three". half is true if a half is to be added,
// as for "half a" and "2.5".
func (p *parser) count(i int) (low, high, next int, half, ok bool) {
	if p.is(i, "half") && (p.is(i+1, "a") || p.is(i+1, "an")) {
		return 0, 0, i + 2, true, true
	}
	low, high, next, ok = p.oneCount(i)
	if !ok {
		return 0, 0, i, false, false
	}
	if n, isHalf := p.pointFive(i); isHalf {
		return low, high, n, true, true
	}
	if p.is(next, "or") || p.is(next, "to") || p.isMark(next, '-') {
		if _, to, n, ok := p.oneCount(next + 1); ok && to > high {
			return low, to, n, false, true
		}
	}
	return low, high, next, false, true
}

// pointFive returns the token after a number with ".5" at i. isHalf is false
// for other fractions, which are not read.
func (p *parser) pointFive(i int) (int, bool) {
	c, ok := p.joined(i)
	if !ok || c != '.' || p.tokens[i].kind != number {
		return i, false
	}
	t := p.tokens[i+2]
	return i + 3, t.value == 5 && t.digits == 1 && t.suffix == 0
}

func (p *parser) oneCount(i int) (low, high, next int, ok bool) {
	if i >= len(p.tokens) {
		return 0, 0, i, false
	}
	if t := p.tokens[i]; t.kind == number {
		free := t.before == 0 || t.before == '-'
		return t.value, t.value, i + 1, free && t.suffix == 0 && t.digits <= 6 && t.after != ',' && t.after != ':' && t.after != '/'
	}
	l := p.lexAt(i)
	if l.low == 0 {
		return 0, 0, i, false
	}
	low, high, next = l.low, l.high, i+1
	if inner := p.lexAt(next); low == 1 && high == 1 && (inner.word == "few" || inner.word == "couple") {
		low, high, next = inner.low, inner.high, next+1
		l = inner
	}
	if l.word == "couple" {
		next = p.skip(next, "of")
	}
	if low >= 20 && low%10 == 0 { // "twenty-five"
		n := p.skipMark(next, '-')
		if ones := p.lexAt(n); ones.low >= 1 && ones.low == ones.high && ones.low < 10 && ones.word != "a" && ones.word != "an" {
			low, high, next = low+ones.low, high+ones.low, n+1
		}
	}
	return low, high, next, true
}

// quantity reads a count and its unit: "two weeks", "a year and a half", "5d".
// A plural without a count ("weeks") means 2 to 10.
func (p *parser) quantity(i int) (quantity, bool) {
	low, high, n, half, ok := p.count(i)
	if !ok {
		if u := p.lexAt(i).unit; u == noUnit || p.lexAt(i).behindDigits || !plural(p.lexAt(i).word) || p.numbered(i) {
			return quantity{}, false
		}
		low, high, n = 2, 10, i
	}
	if !half && p.is(n, "and") && (p.is(n+1, "a") || p.is(n+1, "one")) && p.is(n+2, "half") {
		half, n = true, n+3
	}
	l := p.lexAt(n)
	if l.unit == noUnit {
		return quantity{}, false
	}
	q := quantity{low, high, l.unit, n + 1, l.behindDigits}
	if !half && p.is(n+1, "and") && p.is(n+2, "a") && p.is(n+3, "half") {
		half, q.next = true, n+4
	}
	if !q.unit.allows(q.low) || !q.unit.allows(q.high) {
		return quantity{}, false
	}
	if half && q.low == q.high {
		q.low, q.unit = q.unit.inHalves(q.low)
		q.high = q.low
	}
	return q, true
}

// numbered reports whether a count stands before i. It was not read there
// because it is too large or not valid.
func (p *parser) numbered(i int) bool {
	return i > 0 && (p.tokens[i-1].kind == number || p.lexAt(i-1).low != 0 || p.is(i-1, "half"))
}

func plural(w string) bool { return w != "" && w[len(w)-1] == 's' }

// span returns the interval that is between low and high units from now; sign
// is -1 for the past, 1 for the future.
func (p *parser) span(q quantity, sign int) interval {
	return union(q.unit.near(p.away(q.unit, sign*q.low)), q.unit.near(p.away(q.unit, sign*q.high)))
}

// amount reads "two weeks ago", "in 3 months", "3 days from now".
func (p *parser) amount(i int) (phrase, bool) {
	if p.is(i, "in") {
		q, ok := p.quantity(i + 1)
		// "in a second" is no date, and "in days" tells nothing.
		if !ok || q.short || q.unit == second || p.lexAt(i+1).unit != noUnit || p.is(q.next, "of") {
			return phrase{}, false
		}
		if p.is(q.next, "ago") {
			return phrase{}, false
		}
		return phrase{interval: p.span(q, 1), next: q.next}, true
	}
	if p.is(i-1, "and") && p.is(i, "a") && p.is(i+1, "half") {
		return phrase{}, false
	}
	q, ok := p.quantity(i)
	if !ok {
		return phrase{}, false
	}
	switch {
	case p.is(q.next, "ago"):
		return phrase{interval: p.span(q, -1), next: q.next + 1}, true
	case q.short:
		return phrase{}, false
	case p.is(q.next, "back") && q.unit >= day:
		return phrase{interval: p.span(q, -1), next: q.next + 1}, true
	case p.is(q.next, "from") && p.is(q.next+1, "now"):
		return phrase{interval: p.span(q, 1), next: q.next + 2}, true
	case p.is(q.next, "from") && p.is(q.next+1, "today"):
		return phrase{interval: p.span(q, 1), next: q.next + 2}, true
	}
	return phrase{}, false
}

// offset reads "two weeks before 9 June", "3 days after Christmas".
func (p *parser) offset(i int) (phrase, bool) {
	q, ok := p.quantity(i)
	if !ok || q.short || q.unit < day || p.lexAt(i).unit != noUnit {
		return phrase{}, false
	}
	sign := -1
	if p.is(q.next, "after") {
		sign = 1
	} else if !p.is(q.next, "before") {
		return phrase{}, false
	}
	f, ok := p.simple(q.next + 1)
	if !ok || f.precision > Day {
		return phrase{}, false
	}
	at := f.from
	f.interval = union(q.unit.near(q.unit.shift(at, sign*q.low)), q.unit.near(q.unit.shift(at, sign*q.high)))
	f.month = 0
	return f, true
}
