package timex

// bounded reads "between A and B", "from A to B" and "from A on".
func (p *parser) bounded(i int) (phrase, bool) {
	between := p.is(i, "between")
	a, ok := p.end(i + 1)
	if !ok {
		return phrase{}, false
	}
	if !between && !a.bareDay() && (p.is(a.next, "on") || p.is(a.next, "onwards") || p.is(a.next, "onward")) {
		a.next++
		return p.since(a)
	}
	if between != p.is(a.next, "and") || !between && !p.connects(a.next) {
		return phrase{}, false
	}
	b, ok := p.end(a.next + 1)
	if !ok && !between && p.lexAt(a.next+1).present {
		b, ok = phrase{interval: dayAt(p.now), next: a.next + 2, dated: true}, true
	}
	if !ok {
		return phrase{}, false
	}
	return p.join(a, b)
}

// dates reads a phrase, or a range "A to B" or "A-B" without "from" or
// "between". Such a range needs two ends that are written as dates: "moved it
// yesterday to Friday" is none.
func (p *parser) dates(i int) (phrase, bool) {
	f, ok := p.simple(i)
	a, dated := f, ok && f.valid() && f.written()
	if !ok {
		a, dated = p.bare(i)
	}
	if !dated || !p.connects(a.next) || a.isBareYear() && !p.isMark(a.next, '-') {
		return f, ok
	}
	if b, isEnd := p.end(a.next + 1); isEnd && b.written() {
		if joined, isRange := p.join(a, b); isRange && joined.valid() {
			return joined, true
		}
	}
	return f, ok
}

func (p *parser) connects(i int) bool { return p.isMark(i, '-') || p.lexAt(i).connects }

// end reads one end of a range. There a year needs no cue and a day no month.
func (p *parser) end(i int) (phrase, bool) {
	if f, ok := p.simple(i); ok {
		return f, true
	}
	return p.bare(i)
}

// bare reads a year or a day that stands alone.
func (p *parser) bare(i int) (phrase, bool) {
	if y, ok := p.yearNumber(i, true); ok {
		return phrase{interval: yearOf(y), next: i + 1, dated: true}, true
	}
	if d, ok := p.dayNumber(i, true); ok {
		return phrase{next: i + 1, day: d}, true
	}
	return phrase{}, false
}

// written reports whether a phrase names a year, a month or a day of a month,
// and so is not relative to now.
func (f phrase) written() bool { return f.dated || f.month != 0 || f.day != 0 }

func (f phrase) isBareYear() bool { return f.dated && f.month == 0 && f.precision == Year }

func (f phrase) bareDay() bool { return f.day != 0 && f.month == 0 }

// join makes a range of two ends. A year or a month that only one of them names
// holds for both.
func (p *parser) join(a, b phrase) (phrase, bool) {
	if p.counted(b.next) && (a.isBareYear() || b.isBareYear()) { // "2000 to 2050 users"
		return phrase{}, false
	}
	switch {
	case a.bareDay() && b.bareDay(), a.bareDay() && b.day == 0:
		return phrase{}, false
	case a.bareDay(): // "3 to 5 June"
		a.interval, a.dated = b.interval, b.dated
		a.from = date(b.from.Year(), b.month, a.day)
		a.month = b.month
	case b.bareDay(): // "June 3-5, 2023"
		if a.month == 0 || a.day == 0 {
			return phrase{}, false
		}
		n := p.skipMark(b.next, ',')
		if y, ok := p.yearNumber(n, false); ok && !a.dated {
			a, b.next = p.withYear(a, y), n+1
		}
		day := b.day
		b.interval, b.month = a.interval, a.month
		last, ok := dayOf(a.from.Year(), a.month, day)
		if !ok {
			return phrase{}, false
		}
		b.to = last.to
	case a.loose() && b.loose(), a.loose() && b.dated:
		// "between November and March 2023" begins in the November before
		one := p.withYear(a, b.from.Year())
		if one.from.After(b.from) {
			one = p.withYear(a, b.from.Year()-1)
		}
		a = one
	case a.dated && b.loose():
		one := p.withYear(b, a.from.Year())
		if one.from.Before(a.from) {
			one = p.withYear(b, a.from.Year()+1)
		}
		b = one
	}
	if a.from.After(b.from) || !a.to.Before(b.to) && !a.bareDay() && a.day == 0 {
		return phrase{}, false
	}
	return phrase{interval: interval{a.from, b.to, min(a.precision, b.precision)}, next: b.next, dated: a.dated || b.dated}, true
}

// open reads "since A", "before A", "after A" and the like.
func (p *parser) open(i int) (phrase, bool) {
	w := p.lexAt(i).word
	switch w {
	case "since", "before", "after", "until", "till":
	case "prior":
		if i++; !p.is(i, "to") {
			return phrase{}, false
		}
	default:
		return phrase{}, false
	}
	n := p.skip(i+1, "the", "about", "around", "my", "our")
	f, ok := p.simple(n)
	if !ok {
		return phrase{}, false
	}
	switch w {
	case "since":
		return p.since(f)
	case "after":
		f.from, f.to = f.to, Latest
	case "until", "till":
		f.from = Earliest
	default:
		f.from, f.to = Earliest, f.from
	}
	f.month = 0
	return f, true
}

// since returns the interval from f to the end of today, or without an end if f
// begins later.
func (p *parser) since(f phrase) (phrase, bool) {
	f.month = 0
	f.to = dayAt(p.now).to
	if !f.from.Before(f.to) {
		f.to = Latest
	}
	return f, true
}
