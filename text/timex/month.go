package timex

import "time"

// loose reports whether f is a date without a year.
func (f phrase) loose() bool { return f.month != 0 && !f.dated }

// monthDay reads "May 7th, 2023", "May 7", "May 2023", "May of last year",
// "May".
func (p *parser) monthDay(i int) (phrase, bool) {
	m := p.lexAt(i).month
	n := i + 1
	if p.lexAt(i).sense >= short {
		n = p.skipDot(n)
	}
	n = p.skipMark(n, '-')
	n = p.skip(n, "the")
	d, ok := p.dayNumber(n, false)
	if !ok {
		n = i + 1
		if p.lexAt(i).sense >= short {
			n = p.skipDot(n)
		}
		return p.monthYear(i, n, m)
	}
	y, end, dated := p.yearPart(n + 1)
	if !dated {
		end = n + 1
		if p.tokens[n].after == ',' { // "May 7,000"
			return phrase{}, false
		}
	}
	if p.lexAt(i).sense == verb && !p.capital(i) && !dated && (p.lexAt(i-1).person || p.counted(n+1)) {
		return phrase{}, false
	}
	return p.dateOf(m, d, y, dated, end)
}

// monthYear reads a month without a day; n is the token after its name.
func (p *parser) monthYear(i, n int, m time.Month) (phrase, bool) {
	if y, end, ok := p.yearPart(p.skipMark(n, '-')); ok {
		return p.dateOf(m, 0, y, true, end)
	}
	if !p.monthStands(i) {
		return phrase{}, false
	}
	return p.dateOf(m, 0, 0, false, n)
}

// dayMonth reads "7 May 2023", "the 7th of May", "7-May-2023", and "15th of
// last month".
func (p *parser) dayMonth(i int) (phrase, bool) {
	d, ok := p.dayNumber(i, true)
	if !ok {
		return phrase{}, false
	}
	n := p.skip(p.skipMark(i+1, '-'), "of")
	ordinal := p.tokens[i].suffix == 'o'
	if f, ok := p.shifted(n); ok && ordinal && n > i+1 && f.precision == Month {
		f.interval, ok = dayOf(f.from.Year(), f.from.Month(), d)
		return f, ok
	}
	l := p.lexAt(n)
	if l.month == 0 {
		return phrase{}, false
	}
	end := n + 1
	if l.sense >= short {
		end = p.skipDot(end)
	}
	y, after, dated := p.yearPart(p.skipMark(end, '-'))
	if dated {
		end = after
	}
	// "step 7 may fail"
	if l.sense == verb && !p.capital(n) && !dated && !ordinal && !p.cued(i) {
		return phrase{}, false
	}
	return p.dateOf(l.month, d, y, dated, end)
}

// dateOf returns a date as a phrase. Without a year it is the latest one that
// is not after now.
func (p *parser) dateOf(m time.Month, d, y int, dated bool, next int) (phrase, bool) {
	f := phrase{next: next, month: m, day: d, dated: dated}
	if dated {
		f = p.withYear(f, y)
		return f, f.valid()
	}
	f.dated = false
	// a 29 February may be eight years back, as in 1904
	for y := p.now.Year(); y > p.now.Year()-9; y-- {
		if one := p.withYear(f, y); one.valid() && !one.from.After(p.now) {
			one.dated = false
			return one, true
		}
	}
	return f, false
}

// withYear returns the date f in the year y. The interval is empty if there is
// no such day.
func (p *parser) withYear(f phrase, y int) phrase {
	f.dated = true
	if f.day == 0 {
		f.interval = monthOf(y, f.month)
		return f
	}
	v, ok := dayOf(y, f.month, f.day)
	if !ok {
		v = interval{}
	}
	f.interval = v
	return f
}

// monthStands reports whether the name at i, which has neither day nor year
// beside it, means a month.
func (p *parser) monthStands(i int) bool {
	l := p.lexAt(i)
	if l.sense == plain {
		return true
	}
	if l.word == "may" && modalAfter[p.lexAt(i+1).word] {
		return false
	}
	before := p.lexAt(i - 1)
	listed := p.lexAt(i-2).month != 0 && (before.word == "and" || before.word == "or" || before.word == "to" || p.isMark(i-1, '-'))
	switch l.sense {
	case name:
		return p.cued(i) || listed || before.owner && p.capital(i)
	case verb:
		if p.capital(i) {
			return p.cued(i) || listed || before.owner
		}
		return strongCues[before.word] || listed
	case homonym:
		return (strongCues[before.word] || listed) && p.capital(i)
	default:
		return strongCues[before.word] || listed
	}
}

var modalAfter = map[string]bool{
	"be": true, "have": true, "not": true, "also": true, "need": true, "well": true, "still": true, "seem": true,
}

// strongCues are words that hardly ever stand before a verb.
var strongCues = map[string]bool{
	"in": true, "since": true, "during": true, "of": true, "by": true, "before": true, "after": true, "until": true,
	"till": true, "from": true, "early": true, "mid": true, "late": true, "throughout": true, "between": true,
	"last": true, "next": true,
}

// skipDot returns the token after the dot of an abbreviation at i, if a number
// follows the dot; else i.
func (p *parser) skipDot(i int) int {
	if p.isMark(i, '.') && i > 0 && p.tokens[i].start == p.tokens[i-1].end {
		if i+1 < len(p.tokens) && p.tokens[i+1].kind == number {
			return i + 1
		}
	}
	return i
}
