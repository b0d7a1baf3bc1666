package timex

import (
	"strings"
	"time"
)

// phrase is an interval and the token after its words. A date also keeps its
// month and day, so that a year that comes later can complete it.
type phrase struct {
	interval
	next  int        // the token after it
	month time.Month // of a date; 0 for other phrases
	day   int        // of a date; 0 for a month
	dated bool       // its year is written
}

type parser struct {
	text   string
	tokens []token
	asked  time.Time      // what expressions are relative to
	zone   *time.Location // of asked
	now    time.Time      // asked on the wall, see OnWall
	depth  int            // nesting of phrases at the moment
}

// deepest bounds the nesting of phrases ("the end of the start of …"), so that
// the time for a text is in proportion to its length.
const deepest = 5

// lexAt returns the lexeme of the word at i. It is never nil: outside of the
// text and for other words it is empty.
func (p *parser) lexAt(i int) *lexeme {
	if i >= 0 && i < len(p.tokens) && p.tokens[i].lex != nil {
		return p.tokens[i].lex
	}
	return &unknown
}

var unknown lexeme

func (p *parser) is(i int, w string) bool { return p.lexAt(i).word == w }

// isMark reports whether the token at i is the character c.
func (p *parser) isMark(i int, c byte) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].kind == mark && p.tokens[i].value == int(c)
}

// skip returns i+1 if the word at i is one of words, else i.
func (p *parser) skip(i int, words ...string) int {
	w := p.lexAt(i).word
	for _, one := range words {
		if w == one && w != "" {
			return i + 1
		}
	}
	return i
}

func (p *parser) skipMark(i int, c byte) int {
	if p.isMark(i, c) {
		return i + 1
	}
	return i
}

func (p *parser) capital(i int) bool { return p.tokens[i].capital }

// cued reports whether the word before i makes a time likely. An article
// between them is skipped. In "mid-June" there is a dash.
func (p *parser) cued(i int) bool {
	i--
	if p.lexAt(i).owner {
		i--
	}
	if p.isMark(i, '-') {
		return p.lexAt(i-1).third != noThird
	}
	l := p.lexAt(i)
	return l.cue || l.third != noThird
}

// counted reports whether the word at i is counted by the number before it, as
// in "2023 records": whether it is a unit or looks like a plural.
func (p *parser) counted(i int) bool {
	if i >= len(p.tokens) || p.tokens[i].kind != word {
		return false
	}
	t := p.tokens[i]
	if t.lex != nil && t.lex.unit != noUnit {
		return true
	}
	w := p.text[t.start:t.end]
	if isUpper(w[0]) || notPlural[w] {
		return false
	}
	return len(w) > 2 && strings.HasSuffix(w, "s") || countedWords[w]
}

var notPlural = map[string]bool{
	"was": true, "is": true, "has": true, "does": true, "its": true, "his": true, "this": true, "as": true,
	"us": true, "always": true, "perhaps": true, "versus": true, "plus": true, "across": true, "besides": true,
}

var countedWords = map[string]bool{
	"people": true, "percent": true, "ms": true, "px": true, "kb": true, "mb": true, "gb": true, "times": true,
	"calories": true, "kcal": true, "children": true, "usd": true, "eur": true, "km": true, "kg": true,
}

// expression reads the expression that starts at token i.
func (p *parser) expression(i int) (phrase, bool) {
	t := &p.tokens[i]
	if t.kind == mark && t.value != '\'' || t.kind == word && (t.lex == nil || !t.lex.starts) {
		return phrase{}, false
	}
	if p.now.Year() < 1 || p.now.Year() > 9990 {
		return phrase{}, false
	}
	var f phrase
	ok := false
	switch p.lexAt(i).word {
	case "between", "from":
		f, ok = p.bounded(i)
	case "since", "before", "after", "until", "till", "prior":
		f, ok = p.open(i)
	default:
		f, ok = p.dates(i)
	}
	return f, ok && f.valid()
}

// simple reads a phrase for one interval. Longer forms are tried first, so the
// order of the rules matters.
func (p *parser) simple(i int) (phrase, bool) {
	if i >= len(p.tokens) || p.depth == deepest {
		return phrase{}, false
	}
	p.depth++
	defer func() { p.depth-- }()
	switch t := &p.tokens[i]; {
	case t.kind == number:
		return firstOf(p, i, (*parser).numeric, (*parser).dayMonth, (*parser).amount, (*parser).offset, (*parser).quarterYear,
			(*parser).decade, (*parser).year, (*parser).nth)
	case t.kind == mark:
		return firstOf(p, i, (*parser).decade)
	case t.lex == nil:
		return phrase{}, false
	default:
		return p.named(i, t.lex)
	}
}

// named reads a phrase that starts with a known word.
func (p *parser) named(i int, l *lexeme) (phrase, bool) {
	if l.month != 0 {
		return p.monthDay(i)
	}
	if l.weekday != 0 {
		return p.weekday(i)
	}
	if l.shift != noStep || l.ordinal != 0 {
		if f, ok := firstOf(p, i, (*parser).nth, (*parser).rolling, (*parser).shifted); ok {
			return f, true
		}
	}
	if l.third != noThird {
		return p.part(i)
	}
	if l.low != 0 || l.word == "half" {
		return firstOf(p, i, (*parser).amount, (*parser).offset)
	}
	if l.season != noSeason {
		return p.season(i)
	}
	if l.unit != noUnit {
		return firstOf(p, i, (*parser).amount, (*parser).unitPhrase, (*parser).quarterYear)
	}
	return firstOf(p, i, (*parser).dayWord, (*parser).amount, (*parser).quarterYear, (*parser).holiday)
}

func firstOf(p *parser, i int, rules ...func(*parser, int) (phrase, bool)) (phrase, bool) {
	for _, rule := range rules {
		if f, ok := rule(p, i); ok && f.valid() {
			return f, true
		}
	}
	return phrase{}, false
}
