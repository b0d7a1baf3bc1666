package timex

// unitPhrase reads phrases that begin with a unit: "day before yesterday",
// "week before last", "week of 12 June", "week before 9 June", "weekend after
// Christmas".
func (p *parser) unitPhrase(i int) (phrase, bool) {
	u := p.lexAt(i).unit
	if u < day || plural(p.lexAt(i).word) {
		return phrase{}, false
	}
	if p.is(i+1, "of") {
		return p.unitOf(i, u)
	}
	sign := -1
	if p.is(i+1, "after") {
		sign = 1
	} else if !p.is(i+1, "before") {
		return phrase{}, false
	}
	n := i + 2
	if s := p.lexAt(n).shift; u > day && (s == last && sign < 0 || s == next && sign > 0) && !p.shiftsMore(n) {
		return phrase{interval: u.calendar(p.now, 2*sign), next: n + 1}, true
	}
	f, ok := p.simple(p.skip(n, "the"))
	if !ok || f.precision > Day || u > week && u != weekend {
		return phrase{}, false
	}
	switch u {
	case day:
		f.interval = dayAt(f.from.AddDate(0, 0, sign))
	case week: // the seven days before or after that day
		if sign < 0 {
			f.interval = interval{midnight(f.from).AddDate(0, 0, -7), midnight(f.from), Week}
		} else {
			f.interval = interval{dayAt(f.from).to, dayAt(f.from).to.AddDate(0, 0, 7), Week}
		}
	default:
		f.interval = weekendBeside(f.interval, sign)
	}
	f.month, f.dated = 0, true
	return f, true
}

// shiftsMore reports whether "last" at i belongs to the words after it, as in
// "last Friday".
func (p *parser) shiftsMore(i int) bool {
	_, ok := p.shifted(i)
	return ok
}

// weekendBeside returns the last weekend that ends before v (sign -1), or the
// first that begins after it (sign 1).
func weekendBeside(v interval, sign int) interval {
	one := weekendAt(v.from)
	for sign < 0 && one.to.After(midnight(v.from)) {
		one = weekendAt(one.from.AddDate(0, 0, -7))
	}
	for sign > 0 && one.from.Before(v.to) {
		one = weekendAt(one.from.AddDate(0, 0, 7))
	}
	return one
}

// unitOf reads "week of 12 June", "weekend of June 3", "month of May".
func (p *parser) unitOf(i int, u unit) (phrase, bool) {
	f, ok := p.simple(p.skip(i+2, "the"))
	if !ok || u < week && f.precision != Day {
		return phrase{}, false
	}
	switch {
	case unitFacts[u].precision == f.precision && u != week && u != weekend: // "month of May"
	case f.precision <= Day && (u == week || u == weekend):
		f.interval = u.around(f.from)
	case f.precision == Day && u == day:
	default:
		return phrase{}, false
	}
	f.dated = true
	return f, true
}
