package timex

// part reads "early June", "mid-2023", "the end of last year", "late summer".
func (p *parser) part(i int) (phrase, bool) {
	t, n := p.lexAt(i).third, i+1
	if w := p.lexAt(i).word; w != "early" && w != "mid" && w != "late" {
		if !p.is(n, "of") {
			return phrase{}, false
		}
		n++
	}
	f, ok := p.whole(p.skipMark(p.skip(n, "in"), '-'))
	if !ok {
		return phrase{}, false
	}
	f.interval, ok = f.third(t)
	f.month, f.dated = 0, true
	return f, ok
}

// whole reads the phrase of which part reads a part. "the month" alone is the
// present one.
func (p *parser) whole(i int) (phrase, bool) {
	n := p.skip(i, "the")
	if f, ok := p.simple(n); ok {
		return f, true
	}
	if u := p.lexAt(n).unit; n > i && u >= week && !plural(p.lexAt(n).word) && !p.is(n+1, "of") {
		return phrase{interval: u.calendar(p.now, 0), next: n + 1}, true
	}
	return phrase{}, false
}

// nth reads "first week of June 2023", "second half of 2023", "third quarter of
// 2023", "last weekend of May".
func (p *parser) nth(i int) (phrase, bool) {
	n, which := i+1, p.lexAt(i).ordinal
	if t := p.tokens[i]; t.kind == number && t.suffix == 'o' && t.before == 0 && t.after == 0 {
		which = t.value
	}
	u, half := p.lexAt(n).unit, p.is(n, "half")
	if which == 0 || which > 5 || u < week && !half || plural(p.lexAt(n).word) || !p.is(n+1, "of") && !p.is(n+1, "in") {
		return phrase{}, false
	}
	f, ok := p.whole(n + 2)
	if !ok {
		return phrase{}, false
	}
	f.month, f.dated = 0, true
	if half {
		f.interval, ok = f.slice(min(which-1, 1)&1, 2)
		return f, ok && which <= 2
	}
	return nthUnit(f, which, u)
}

// nthUnit replaces the interval of f by one of the units in it. which counts
// from 1; -1 is the last.
func nthUnit(f phrase, which int, u unit) (phrase, bool) {
	whole, length := f.interval, unitFacts[u].precision
	if length >= f.precision {
		return f, false
	}
	at := u.shift(whole.from, which-1)
	switch {
	case u == week && which > 0: // days 1 to 7 are the first week, whatever their weekdays
		f.interval = interval{at, at.AddDate(0, 0, 7), Week}
	case u == week:
		f.interval = interval{whole.to.AddDate(0, 0, -7), whole.to, Week}
	case u == weekend && which > 0:
		saturday := whole.from.AddDate(0, 0, (13-isoWeekday(whole.from))%7)
		f.interval = weekendAt(saturday.AddDate(0, 0, 7*(which-1)))
	case u == weekend:
		f.interval = weekendAt(whole.to.AddDate(0, 0, -1))
		if f.from.AddDate(0, 0, 1).After(whole.to) || !f.from.Before(whole.to) {
			f.interval = weekendAt(whole.to.AddDate(0, 0, -8))
		}
	case which > 0:
		f.interval = u.around(at)
	default:
		f.interval = u.around(whole.to.AddDate(0, 0, -1))
	}
	return f, f.from.Before(whole.to) && !f.from.Before(whole.from)
}
