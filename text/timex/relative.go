package timex

// shift reads "last", "this", "next", "this past", "this coming". It returns
// the step and the token after it.
func (p *parser) shift(i int) (step, int) {
	s := p.lexAt(i).shift
	if s == noStep {
		return noStep, i
	}
	if inner := p.lexAt(i + 1).shift; s == this && inner != noStep {
		return inner, i + 2
	}
	return s, i + 1
}

// shifted reads "last week", "next summer", "this May", "last Friday night",
// "last Christmas", "last night".
func (p *parser) shifted(i int) (phrase, bool) {
	s, n := p.shift(i)
	if s == noStep || n >= len(p.tokens) || p.tokens[n].kind != word {
		return phrase{}, false
	}
	l := p.lexAt(n)
	switch {
	case l.behindDigits:
		return phrase{}, false
	case l.part != noPart:
		return p.shiftedPart(s, n)
	case l.weekday != 0:
		return p.shiftedWeekday(s, n)
	case l.month != 0:
		return p.shiftedMonth(s, n)
	case l.season != noSeason:
		return phrase{interval: p.seasonFrom(l.season, s), next: n + 1}, true
	case l.unit >= day && !plural(l.word):
		if l.unit == day && s != this || l.unit == fortnight {
			return phrase{}, false
		}
		return phrase{interval: l.unit.calendar(p.now, s.offset()), next: n + 1}, true
	}
	if f, ok := p.quarterName(n, p.now.Year()); ok && p.is(n, "q") {
		return p.stepYears(f, s), true
	}
	if f, ok := p.holiday(n); ok && !f.dated {
		return p.stepYears(f, s), true
	}
	return phrase{}, false
}

// stepYears moves f, which comes once a year, to the last one that is over,
// that of this year, or the next one that has not begun.
func (p *parser) stepYears(f phrase, s step) phrase {
	at := func(y int) interval {
		years := y - f.from.Year()
		return interval{f.from.AddDate(years, 0, 0), f.to.AddDate(years, 0, 0), f.precision}
	}
	f.interval = choose(s, p.now.Year(), dayAt(p.now), at)
	return f
}

// choose returns at of the latest year near y whose interval is over before
// today (last), of y itself (this), or of the first year whose interval begins
// after today (next).
func choose(s step, y int, today interval, at func(y int) interval) interval {
	switch s {
	case last:
		for try := y + 1; try > y-10; try-- {
			if v := at(try); v.valid() && !v.to.After(today.from) {
				return v
			}
		}
	case next:
		for try := y - 1; try < y+10; try++ {
			if v := at(try); v.valid() && !v.from.Before(today.to) {
				return v
			}
		}
	}
	return at(y)
}

func (p *parser) shiftedMonth(s step, n int) (phrase, bool) {
	l := p.lexAt(n)
	// in lower case "this may" and "this march" are not months
	if s == this && l.sense != plain && (!p.capital(n) || modalAfter[p.lexAt(n+1).word]) {
		return phrase{}, false
	}
	if l.sense == homonym && !p.capital(n) {
		return phrase{}, false
	}
	f := phrase{next: n + 1, month: l.month}
	if d, ok := p.dayNumber(n+1, false); ok {
		f.day, f.next = d, n+2
	}
	at := func(y int) interval { return p.withYear(f, y).interval }
	f.interval = choose(s, p.now.Year(), dayAt(p.now), at)
	f.dated = true
	return f, true
}

// rolling reads "the last 3 days", "the past two weeks", "the next few months",
// "the past year": an interval that ends or begins today, or for hours now.
func (p *parser) rolling(i int) (phrase, bool) {
	s, n := p.shift(i)
	if s == noStep || s == this {
		return phrase{}, false
	}
	q, ok := p.quantity(n)
	if past := p.is(i, "past"); !ok && past && p.is(i-1, "the") && p.lexAt(n).unit >= day && p.lexAt(n).unit != weekend {
		q, ok = quantity{low: 1, high: 1, unit: p.lexAt(n).unit, next: n + 1}, true
	}
	if !ok || q.short || q.unit < hour || q.high == 0 || q.unit == day && q.high == 1 && p.lexAt(n).unit == day {
		return phrase{}, false
	}
	today := dayAt(p.now)
	precision := unitFacts[q.unit].precision
	at := p.away(q.unit, s.offset()*q.high)
	v := interval{midnight(at), today.to, precision}
	switch {
	case q.unit == hour && s == last:
		v = interval{at, p.now, precision}
	case q.unit == hour:
		v = interval{p.now, at, precision}
	case s == next:
		v = interval{today.from, midnight(at).AddDate(0, 0, 1), precision}
	}
	return phrase{interval: v, next: q.next}, true
}
