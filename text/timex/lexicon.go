package timex

import (
	"sync"
	"time"
)

// sense says what the name of a month or a weekday needs beside it to count as
// one.
type sense uint8

const (
	plain   sense = iota // means nothing else: "October", "Friday"
	name                 // also a first name, "April"; needs a cue
	verb                 // "may", "march"; needs a strong cue if it is in lower case
	short                // "Oct", "Tue"; needs a cue
	homonym              // "Mar", "Sun"; needs a cue and a capital letter
)

// lexeme is what the lexicon knows of a word. A word can be several things:
// "second" is a unit and an ordinal.
type lexeme struct {
	word     string
	month    time.Month
	weekday  int // 1 is Monday, 7 is Sunday
	sense    sense
	unit     unit
	season   season
	part     dayPart
	third    third // "early", "mid", "late", or with "of" after it "beginning", "end" …
	low      int   // least and most of a count: "few" is 2 to 5
	high     int
	ordinal  int  // "third" is 3, "last" is -1
	shift    step // "last", "this", "next"
	cue      bool // a time often follows it: "in", "since"
	owner    bool // an article or possessive: "my June trip"
	person   bool // "may" after it is a verb: "you may"
	present  bool // "now"
	connects bool // connects the ends of a range: "to"
	holiday  bool // the first word of a holiday's name
	starts   bool // the first word of an expression
	// behindDigits allows a digit directly before the word ("5d"), beforeDigit
	// one directly after it ("Q3").
	behindDigits, beforeDigit bool
}

// step says where a unit of the calendar lies: the last, the present or the
// next one.
type step int8

const (
	noStep step = iota
	last
	this
	next
)

func (s step) offset() int { return int(s) - int(this) }

// longestWord is the number of bytes of the longest word in the lexicon.
const longestWord = 12

// dictionary looks up words. Most words of a text are not in it. Most of those
// are ruled out without a look-up, because no word in it has the same first
// letter and length.
type dictionary struct {
	words  map[string]*lexeme
	shapes [1 << 5]uint16 // by first letter (low 5 bits); bit n: there is a word of n bytes
}

// lookUp returns the lexeme of a word in any case, or nil. It allocates
// nothing.
func (d *dictionary) lookUp(text string) *lexeme {
	if len(text) > longestWord || d.shapes[text[0]&31]&(1<<len(text)) == 0 {
		return nil
	}
	var folded [longestWord]byte
	for i := range len(text) {
		folded[i] = lower(text[i])
	}
	return d.words[string(folded[:len(text)])]
}

// lexicon is built when it is first needed, not when the program starts.
var lexicon = sync.OnceValue(func() *dictionary {
	words := make(map[string]*lexeme, 256)
	get := func(w string) *lexeme {
		l := words[w]
		if l == nil {
			l = &lexeme{word: w}
			words[w] = l
		}
		return l
	}
	for _, m := range monthNames {
		l := get(m.word)
		l.month, l.sense = time.Month(m.value), m.sense
	}
	for _, d := range weekdayNames {
		l := get(d.word)
		l.weekday, l.sense = d.value, d.sense
	}
	for w, u := range unitNames {
		get(w).unit = u
	}
	for w, u := range shortUnits {
		l := get(w)
		l.unit, l.behindDigits = u, true
	}
	for w, n := range counts {
		l := get(w)
		l.low, l.high = n[0], n[1]
	}
	for w, n := range ordinals {
		get(w).ordinal = n
	}
	for w, s := range steps {
		get(w).shift = s
	}
	for w, s := range seasonNames {
		get(w).season = s
	}
	for w, p := range dayParts {
		get(w).part = p
	}
	for w, t := range thirds {
		get(w).third = t
	}
	for _, w := range cueWords {
		get(w).cue = true
	}
	for _, w := range owners {
		get(w).owner = true
	}
	for _, w := range persons {
		get(w).person = true
	}
	for _, w := range plainWords {
		get(w)
	}
	for _, w := range quarterWords {
		get(w).beforeDigit = true
	}
	for _, h := range holidays {
		for _, w := range h.words {
			get(w)
		}
		get(h.words[0]).holiday = true
	}
	for _, w := range []string{"now", "present"} {
		get(w).present = true
	}
	for _, w := range []string{"to", "through", "until", "till"} {
		get(w).connects = true
	}
	for _, w := range starters {
		get(w).starts = true
	}
	for _, l := range words {
		l.starts = l.starts || l.holiday || l.beforeDigit || l.month != 0 || l.weekday != 0 || l.unit != noUnit ||
			l.season != noSeason || l.third != noThird || l.low != 0 || l.ordinal != 0 || l.shift != noStep
	}
	d := &dictionary{words: words}
	for w := range words {
		d.shapes[w[0]&31] |= 1 << len(w)
	}
	return d
})
