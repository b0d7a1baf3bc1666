package timex

import (
	"sync"
	"time"
)

// sense says how much a month's or a day's name needs beside it to count.
type sense uint8

const (
	plain   sense = iota // means nothing else: "October", "Friday"
	name                 // people are called so: "April"; needs a cue
	verb                 // "may", "march"; in lower case it needs a strong cue
	short                // "Oct", "Tue"; needs a cue
	homonym              // "Mar", "Sun"; needs a cue and a capital letter
)

// lexeme is what is known of a word. A word can be several things: "second" is
// a unit and an ordinal.
type lexeme struct {
	word     string
	month    time.Month
	weekday  int // 1 is Monday, 7 is Sunday
	sense    sense
	unit     unit
	season   season
	part     dayPart
	third    third // "early", "mid", "late" and what says the same with "of"
	low      int   // a count from low to high: "few" is 2 to 5
	high     int
	ordinal  int  // "third" is 3, "last" is -1
	shift    step // "last", "this", "next"
	cue      bool // a time often follows: "in", "since"
	owner    bool // an article or possessive: "my June trip"
	person   bool // who may do something: "you may"
	present  bool // "now"
	connects bool // the ends of a range: "to"
	holiday  bool // a holiday's name starts so
	starts   bool // an expression may start so
	// behindDigits and beforeDigit allow "5d" and "Q3".
	behindDigits, beforeDigit bool
}

// step is where a calendar unit lies from the present one.
type step int8

const (
	noStep step = iota
	last
	this
	next
)

func (s step) offset() int { return int(s) - int(this) }

// longestWord is the length of the longest word of the lexicon.
const longestWord = 12

// dictionary finds words. Most words of a text are not in it, and most of
// those have a shape (first letter and length) that no word in it has.
type dictionary struct {
	words  map[string]*lexeme
	shapes [1 << 5]uint16 // by the letter's low bits; bit n for a length of n
}

// lookUp finds a word in any case without an allocation.
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
