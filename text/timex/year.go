package timex

// The first and last year that a plain number may mean.
const (
	firstYear = 1900
	lastYear  = 2099
)

// yearNumber reads a number that looks like a year. If it is ranged, a dash may
// follow it directly.
func (p *parser) yearNumber(i int, ranged bool) (int, bool) {
	if i < 0 || i >= len(p.tokens) {
		return 0, false
	}
	t := p.tokens[i]
	if t.kind != number || t.digits != 4 || t.suffix != 0 || t.value < firstYear || t.value > lastYear {
		return 0, false
	}
	free := t.before == 0 || t.before == '-' || t.before == ','
	return t.value, free && (t.after == 0 || ranged && t.after == '-')
}

// dayNumber reads a number that may be a day of a month. If it leads a date,
// nothing but a dash may be directly before it.
func (p *parser) dayNumber(i int, leads bool) (int, bool) {
	if i >= len(p.tokens) {
		return 0, false
	}
	t := p.tokens[i]
	if t.kind != number || t.digits > 2 || t.suffix == 's' || t.value < 1 || t.value > 31 {
		return 0, false
	}
	if leads && t.before != 0 && t.before != '-' || t.before == '.' || t.before == '$' || t.before == ':' {
		return 0, false
	}
	return t.value, t.after == 0 || t.after == '-' || t.after == ','
}

// yearPart reads the year of a date: "2023", ", 2023", "of 2023", "'23", "last
// year", "of this year".
func (p *parser) yearPart(i int) (y, next int, ok bool) {
	n := p.skipMark(i, ',')
	n = p.skip(n, "of", "in")
	n = p.skip(n, "the")
	n = p.skip(n, "year")
	if y, ok := p.yearNumber(n, false); ok {
		return y, n + 1, true
	}
	if n > i+1 {
		return 0, i, false
	}
	if p.isMark(n, '\'') && n+1 < len(p.tokens) {
		if t := p.tokens[n+1]; t.kind == number && t.digits == 2 && t.suffix == 0 && t.after == 0 && t.start == p.tokens[n].end {
			return shortYear(t.value), n + 2, true
		}
	}
	if s := p.lexAt(n).shift; s != noStep && p.is(n+1, "year") {
		return p.now.Year() + s.offset(), n + 2, true
	}
	return 0, i, false
}

// shortYear returns the full year for one of two digits: 1970 to 2069.
func shortYear(y int) int {
	if y < 70 {
		return 2000 + y
	}
	return 1900 + y
}

// year reads a year that stands alone. It needs a cue before it, and must not
// count anything.
func (p *parser) year(i int) (phrase, bool) {
	y, ok := p.yearNumber(i, false)
	before := p.lexAt(i - 1)
	if !ok || !p.cued(i) || before.shift != noStep || before.word == "the" || before.word == "on" || before.word == "over" ||
		before.word == "for" {
		return phrase{}, false
	}
	if p.counted(i+1) || p.tokens[i].before == ',' {
		return phrase{}, false
	}
	// "from 2000 to 3000 tokens": one end of a range that was not read as years
	if before.word == "between" || before.word == "from" && p.is(i+1, "to") {
		return phrase{}, false
	}
	return phrase{interval: yearOf(y), next: i + 1, dated: true}, true
}

// decade reads "1990s", "'90s" and, after a cue, "the 90s".
func (p *parser) decade(i int) (phrase, bool) {
	quoted := p.isMark(i, '\'')
	n := i
	if quoted {
		n++
	}
	if n >= len(p.tokens) || p.tokens[n].kind != number || p.tokens[n].suffix != 's' || p.tokens[n].value%10 != 0 {
		return phrase{}, false
	}
	t := p.tokens[n]
	y := t.value
	switch {
	case t.before != 0 && t.before != '-' || t.after != 0:
		return phrase{}, false
	case t.digits == 4 && firstYear <= y && y <= lastYear && !quoted:
	case t.digits == 2 && y >= 20 && (quoted || p.is(n-1, "the") && p.cued(n) && !p.timesOut(n+1)):
		y += 1900
		if y < 1930 {
			y += 100
		}
	default:
		return phrase{}, false
	}
	return phrase{interval: decadeOf(y), next: n + 1, dated: true}, true
}

// timesOut reports whether an unknown word follows at i, as in "the 30s
// timeout": then seconds are meant.
func (p *parser) timesOut(i int) bool {
	return i < len(p.tokens) && p.tokens[i].kind == word && p.tokens[i].lex == nil
}

// quarterYear reads "Q3 2024", "2024 Q3", "Q3 of last year", "H1 2024" and,
// after a strong cue, "Q3" alone.
func (p *parser) quarterYear(i int) (phrase, bool) {
	if y, ok := p.yearNumber(i, false); ok {
		f, ok := p.quarterName(i+1, y)
		return f, ok && f.dated
	}
	if y, next, ok := p.yearPart(i + 2); ok {
		f, ok := p.quarterName(i, y)
		f.next = next
		return f, ok
	}
	f, ok := p.quarterName(i, p.now.Year())
	if !ok || !strongCues[p.lexAt(i-1).word] || !p.is(i, "q") {
		return phrase{}, false
	}
	if f.from.After(p.now) {
		f, ok = p.quarterName(i, p.now.Year()-1)
	}
	return f, ok
}

// quarterName reads "Q3" or "H1" as a quarter or half of the year y.
func (p *parser) quarterName(i, y int) (phrase, bool) {
	if i+1 >= len(p.tokens) || !p.lexAt(i).beforeDigit || p.tokens[i].end != p.tokens[i+1].start {
		return phrase{}, false
	}
	t := p.tokens[i+1]
	if t.kind != number || t.digits != 1 || t.suffix != 0 || t.after != 0 || t.value < 1 {
		return phrase{}, false
	}
	f := phrase{next: i + 2, dated: true}
	switch {
	case p.is(i, "q") && t.value <= 4:
		f.interval = quarterOf(y, t.value)
		return f, true
	case p.is(i, "h") && t.value <= 2:
		f.interval = interval{date(y, 1, 1).AddDate(0, 6*t.value-6, 0), date(y, 1, 1).AddDate(0, 6*t.value, 0), Season}
		return f, true
	}
	return phrase{}, false
}
