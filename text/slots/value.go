package slots

import (
	"strconv"
	"strings"
)

// value takes the words from lo on as the value of the statement, without a date, a scope or
// company behind them. It returns where the value ends.
func (c *clause) value(lo, hi int) int {
	c.negated = c.negated || lo < hi && c.tokens[lo].word == "no"
	lo, end := c.valueSpan(lo, hi)
	if lo >= end {
		return end
	}
	if a := c.byID[c.s.Attribute]; a != nil && a.kind != Time {
		c.dated(end, hi)
		end = c.undated(lo, end)
	}
	end = c.unscoped(lo, c.company(lo, end))
	c.begin, c.end = lo, end
	c.s.Value = c.quote(lo, end)
	c.s.Norm, c.s.Kind = c.norm(lo, end)
	if a := c.byID[c.s.Attribute]; a != nil && c.s.Kind == Number && (product(a) || a.id == "database" || a.id == "os") &&
		capital(c.s.Value) {
		c.s.Kind = Name // "iPhone 12", "MySQL 5.7"
	}
	return end
}

// undated returns where a value ends before a date: "Bergen" of "Bergen on 23 March 2026". Unless
// the class is one of times, the date tells since when it holds; one with a year, or behind a verb
// that is not in the past, may be a beginning to come.
func (c *clause) undated(lo, end int) int {
	for i := lo + 1; i+1 < end; i++ {
		switch c.tokens[i].word {
		case "on", "in", "as", "by", "since":
		case "from", "between", "until", "till":
			if c.verb < c.hi && c.years(i+1, end) {
				c.s.Until = true
				return i
			}
			continue
		default:
			continue
		}
		date, year := c.calendar(i+1, end)
		if !date {
			continue
		}
		c.s.From = c.s.From || year || c.verb < c.hi && !c.tokens[c.verb].is(formPast|isHave)
		return i
	}
	return end
}

// years reports whether nothing but a span of years stands from lo to hi: "2010 to 2015".
func (r *reader) years(lo, hi int) bool {
	some := false
	for i := lo; i < hi; i++ {
		switch w := r.tokens[i].word; {
		case isYear(w):
			some = true
		case w != "to" && w != "and" && w != "until" && w != "till" && !months[w]:
			return false
		}
	}
	return some
}

// isYear reports whether a word is a year of the last or of this century.
func isYear(w string) bool {
	return len(w) == 4 && numeral(w) && (w[:2] == "19" || w[:2] == "20")
}

// yearAt returns the year that a date at i has, 0 for none: "2019", "March 2019".
func (c *clause) yearAt(i int) int {
	if months[c.tokens[i].word] {
		i++
	}
	if i >= c.hi || !isYear(c.tokens[i].word) {
		return 0
	}
	year, _ := strconv.Atoi(c.tokens[i].word)
	return year
}

// dated marks a statement that may begin later, if "in" and a month follow its value: "Nordwind in
// September".
func (c *clause) dated(end, hi int) {
	if end+1 >= hi || c.tokens[end].word != "in" {
		return
	}
	month, _ := c.calendar(end+1, end+2)
	c.s.From = c.s.From || month && c.verb < c.hi && !c.tokens[c.verb].is(formPast|isHave)
}

// calendar reports whether nothing but a date stands from lo to hi, with a month
// or a year, and whether it has a year.
func (r *reader) calendar(lo, hi int) (date, year bool) {
	for i := lo; i < hi; i++ {
		t := &r.tokens[i]
		switch {
		case len(t.word) >= 4 && numeral(t.word) && (t.word[:2] == "19" || t.word[:2] == "20"):
			date, year = true, true
		case months[t.word]:
			date = true
		case !t.num && !t.is(isTime|isDet) && t.word != "of" && t.word != "early" && t.word != "late" && t.word != "mid":
			return false, false
		}
	}
	return date, year
}

// months are the names of months, which tell a day of the calendar from a day of
// the week.
var months = map[string]bool{
	"january": true, "february": true, "march": true, "april": true, "may": true, "june": true, "july": true,
	"august": true, "september": true, "october": true, "november": true, "december": true,
}

// quote returns the text of tokens.
func (r *reader) quote(lo, hi int) string {
	return strings.Clone(r.text[r.tokens[lo].start:r.tokens[hi-1].end])
}

// valueSpan returns the tokens of the value that begins at lo.
func (r *reader) valueSpan(lo, hi int) (from, end int) {
	t := r.tokens
	for lo+1 < hi && (t[lo].word == "no" || t[lo].is(isDet|isAdverb) && !t[lo].is(isNegation) || t[lo].is(isPossessive) ||
		t[lo].is(isNewAdj)) {
		lo++
	}
	end = lo
	for end < hi {
		w := &t[end]
		if end > lo && (w.is(isConjunction) && w.word != "and" && w.word != "or" && w.word != "und" && w.word != "en" || w.is(isOver) ||
			w.word == "since" || w.word == "instead" || w.word == "until" || w.word == "rather") {
			break
		}
		if end > lo && w.word == "as" && end+1 < hi && (t[end+1].word == "of" || t[end+1].is(isPossessive|isDet)) {
			break
		}
		if end > lo && w.word == "from" && end+1 < hi && t[end+1].word == "now" {
			break
		}
		if end > lo && (w.word == "not" || r.marker(end, hi, isOver) != nil) {
			break
		}
		end++
		if rank(w.post) > 1 || w.post == ',' {
			break
		}
	}
	for end > lo+1 && (t[end-1].is(isAdverb) && !t[end-1].cap || t[end-1].is(isConjunction) || t[end-1].is(isDet) ||
		t[end-1].word == "yesterday" || t[end-1].word == "today" || t[end-1].word == "because") {
		end--
	}
	if end > lo+2 && t[end-1].is(isTime) && (t[end-2].word == "in" || t[end-2].word == "since" || t[end-2].word == "from") {
		end -= 2
	}
	if end > lo+2 && (t[end-2].word == "last" || t[end-2].word == "this") && t[end-1].is(isTime) {
		end -= 2
	}
	return lo, end
}

// norm returns the form of a value that is compared (stems and plain numbers, without articles and
// the like), and what kind of value it is.
func (r *reader) norm(lo, hi int) (string, Kind) {
	kind := Text
	var words [24]string
	n := 0
	for i := lo; i < hi; i++ {
		t := &r.tokens[i]
		stem := t.stem()
		switch {
		case clock(t), t.is(isTime) && (t.word != "may" || r.month(i, 0, hi)) && t.word != "second" && !t.is(isUnit):
			kind = Time
		case t.num || numeral(stem):
			kind = max(kind, Number)
		case t.cap && (i > lo || i > 0) && !t.is(isDet), r.known(i, hi, nil) != nil:
			kind = max(kind, Name)
		}
		if t.is(isDet|isPossessive) || t.is(isAdverb) && !t.is(isNegation) && !t.is(isPreposition) && !t.cap ||
			t.is(isPreposition) && (n == 0 || t.word != "with" && t.word != "without") && t.word != "off" && t.word != "on" &&
				t.word != "under" && t.word != "before" && t.word != "after" ||
			t.is(isConjunction) || t.is(isNewAdj) && !t.cap || t.is(isTitle) && len(t.word) < 4 {
			if hi-lo > 1 {
				continue
			}
		}
		if n < len(words) {
			words[n] = stem
			n++
		}
	}
	return strings.Join(words[:n], " "), kind
}

func clock(t *token) bool {
	return t.num && (strings.IndexByte(t.word, ':') > 0 || strings.HasSuffix(t.word, "am") || strings.HasSuffix(t.word, "pm"))
}

func numeral(stem string) bool { return stem != "" && stem[0] >= '0' && stem[0] <= '9' }

// known returns the class that has the words at i as a well-known value;
// among several, that for which like holds. Nil if there is none.
func (r *reader) known(i, hi int, like func(*attribute) bool) *attribute {
	for _, p := range r.tokens[i].e.phrases {
		if p.role == valuePhrase && (like == nil || like(p.attr)) && (!p.capital || r.tokens[i].cap) && r.match(p, i, hi) > 0 {
			return p.attr
		}
	}
	return nil
}

// knownIn returns the class of the first well-known value between lo and hi. A product has a
// version only with a number behind it.
func (r *reader) knownIn(lo, hi int) *attribute {
	for i := lo; i < hi; i++ {
		if a := r.known(i, hi, func(a *attribute) bool { return a.id != "version" || i+1 < hi && r.tokens[i+1].num }); a != nil {
			return a
		}
	}
	return nil
}
