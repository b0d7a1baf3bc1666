package timex

type dayPart int8

const (
	noPart dayPart = iota
	morning
	afternoon
	evening
	night
)

// hoursOf has the hours of the parts of a day, from and to. The night ends on
// the next day.
var hoursOf = [...][2]int{morning: {0, 12}, afternoon: {12, 18}, evening: {17, 24}, night: {18, 30}}

// dayWord reads "yesterday", "tomorrow morning", "tonight", "the other day",
// "earlier this week".
func (p *parser) dayWord(i int) (phrase, bool) {
	today := midnight(p.now)
	switch p.lexAt(i).word {
	case "yesterday":
		return p.withPart(phrase{interval: dayAt(today.AddDate(0, 0, -1)), next: i + 1}), true
	case "today":
		return phrase{interval: dayAt(today), next: i + 1}, true
	case "tomorrow":
		return p.withPart(phrase{interval: dayAt(today.AddDate(0, 0, 1)), next: i + 1}), true
	case "tonight":
		return phrase{interval: hours(today, hoursOf[night][0], hoursOf[night][1]), next: i + 1}, true
	case "other":
		if p.is(i-1, "the") && p.is(i+1, "day") {
			return phrase{interval: interval{today.AddDate(0, 0, -7), today, Day}, next: i + 2}, true
		}
	case "earlier", "later":
		return p.restOf(i)
	}
	return phrase{}, false
}

// restOf reads "earlier this month", which ends with today, and "later this
// month", which begins with it.
func (p *parser) restOf(i int) (phrase, bool) {
	if p.is(i+1, "today") {
		return phrase{interval: dayAt(p.now), next: i + 2}, true
	}
	f, ok := p.shifted(i + 1)
	if !ok || !p.is(i+1, "this") {
		return phrase{}, false
	}
	if p.is(i, "earlier") {
		f.to = dayAt(p.now).to
	} else {
		f.from = dayAt(p.now).from
	}
	return f, true
}

// withPart reads a part of the day after a day, and then narrows f to it:
// "yesterday evening".
func (p *parser) withPart(f phrase) phrase {
	if part := p.lexAt(f.next).part; part != noPart {
		f.interval = hours(f.from, hoursOf[part][0], hoursOf[part][1])
		f.next++
	}
	return f
}

// shiftedPart reads "last night", "this morning". There is no "last morning".
func (p *parser) shiftedPart(s step, n int) (phrase, bool) {
	part := p.lexAt(n).part
	today := midnight(p.now)
	switch {
	case s == last && (part == night || part == evening):
		today = today.AddDate(0, 0, -1)
	case s != this:
		return phrase{}, false
	}
	return phrase{interval: hours(today, hoursOf[part][0], hoursOf[part][1]), next: n + 1}, true
}

// weekday reads "Friday", "Monday, May 7, 2023", "Friday last week", "Sunday
// before 25 May". A weekday alone is the latest one that is not after today.
func (p *parser) weekday(i int) (phrase, bool) {
	l := p.lexAt(i)
	n := p.skipMark(p.skipDot(i+1), ',')
	n = p.skip(n, "the")
	if n < len(p.tokens) && (p.tokens[n].kind == number || p.lexAt(n).month != 0) {
		if f, ok := firstOf(p, n, (*parser).numeric, (*parser).dayMonth, (*parser).monthDay); ok && f.precision <= Day {
			return f, true
		}
	}
	if !p.weekdayStands(i) || plural(l.word) && l.sense == plain {
		return phrase{}, false
	}
	n = p.skip(i+1, "of")
	if f, ok := p.shifted(n); ok && p.tokens[f.next-1].lex.unit == week {
		f.interval = dayAt(f.from.AddDate(0, 0, l.weekday-1))
		return p.withPart(f), true
	}
	if f, ok := p.besideDate(i); ok {
		return f, true
	}
	back := (isoWeekday(p.now) - l.weekday + 7) % 7
	return p.withPart(phrase{interval: dayAt(p.now.AddDate(0, 0, -back)), next: i + 1}), true
}

// besideDate reads a weekday at i that is before or after a date: "Sunday
// before 25 May".
func (p *parser) besideDate(i int) (phrase, bool) {
	before := p.is(i+1, "before")
	if !before && !p.is(i+1, "after") {
		return phrase{}, false
	}
	f, ok := p.simple(p.skip(i+2, "the"))
	if !ok || f.precision > Day || !f.written() {
		return phrase{}, false
	}
	away := (p.lexAt(i).weekday - isoWeekday(f.from) + 7) % 7
	switch {
	case before:
		away -= 7
	case away == 0:
		away = 7
	}
	f.interval, f.month = dayAt(f.from.AddDate(0, 0, away)), 0
	return f, true
}

// weekdayStands reports whether the name at i means one day. The name may be
// another word ("sat"), and "every Friday" is not one day.
func (p *parser) weekdayStands(i int) bool {
	before := p.lexAt(i - 1)
	if before.word == "every" || before.word == "each" {
		return false
	}
	switch p.lexAt(i).sense {
	case plain:
		return true
	case short:
		return p.cued(i) || before.word == "on"
	default:
		return p.capital(i) && (before.word == "on" || strongCues[before.word])
	}
}

// shiftedWeekday returns the weekday at n relative to today: "last Friday" is
// the latest before today, "next Friday" the first after it, "this Friday" that
// of this week.
func (p *parser) shiftedWeekday(s step, n int) (phrase, bool) {
	l := p.lexAt(n)
	if plural(l.word) && l.sense == plain || l.sense == homonym && !p.capital(n) {
		return phrase{}, false
	}
	days := l.weekday - isoWeekday(p.now)
	switch {
	case s == last && days >= 0:
		days -= 7
	case s == next && days <= 0:
		days += 7
	}
	return p.withPart(phrase{interval: dayAt(p.now.AddDate(0, 0, days)), next: n + 1}), true
}
