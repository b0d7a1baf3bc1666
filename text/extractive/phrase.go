package extractive

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// phrase is a pattern of words, written as text:
//
//	love|like   one of these words
//	very?       may be missing
//	~           up to three words of any kind
//	...         up to eight
//	#           a number, in digits or as a word
//	*ing        a word that ends so (*past: a verb in the past tense)
//	^           first element only: at the start of the sentence
//
// It matches words in lower case with contractions written out.
type phrase struct {
	anchored bool
	parts    []part
}

type part struct {
	words    map[string]bool
	suffix   string
	kind     byte // 'w' words, 's' suffix, 'p' past, '#' number, '~' gap
	optional bool
	gap      int // words at most
}

func compile(pattern string) phrase {
	var p phrase
	for _, field := range strings.Fields(pattern) {
		var one part
		if rest, ok := strings.CutSuffix(field, "?"); ok {
			one.optional, field = true, rest
		}
		switch {
		case field == "^":
			p.anchored = true
			continue
		case field == "~":
			one.kind, one.gap = '~', 3
		case field == "...":
			one.kind, one.gap = '~', 8
		case field == "#":
			one.kind = '#'
		case field == "*past":
			one.kind = 'p'
		case strings.HasPrefix(field, "*"):
			one.kind, one.suffix = 's', field[1:]
		default:
			one.kind, one.words = 'w', set(strings.ReplaceAll(field, "|", " "))
		}
		p.parts = append(p.parts, one)
	}
	return p
}

// matches reports whether the parts are at the start of the words, or with whole, take all of them.
func matches(parts []part, words []word, whole bool) bool {
	if len(parts) == 0 {
		return !whole || len(words) == 0
	}
	first := parts[0]
	if first.kind == '~' {
		for skip := 0; skip <= first.gap && skip <= len(words); skip++ {
			if matches(parts[1:], words[skip:], whole) {
				return true
			}
		}
		return false
	}
	return len(words) > 0 && first.is(words[0].low) && matches(parts[1:], words[1:], whole) ||
		first.optional && matches(parts[1:], words, whole)
}

func (p part) is(low string) bool {
	switch p.kind {
	case 'w':
		return p.words[low]
	case 's':
		return len(low) > len(p.suffix)+1 && strings.HasSuffix(low, p.suffix)
	case 'p':
		return past(low)
	}
	return number(low)
}

// number reports whether a word is one, in digits or as a word.
func number(low string) bool {
	return numberWords[low] || low != "" && strings.ContainsAny(low, "0123456789")
}

var numberWords = set(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
	eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen`)

// phrases are the patterns of one table, by the words that they can start with.
type phrases struct {
	byFirst map[string][]phrase
	others  []phrase // start with anything else
}

//go:embed phrases.txt
var phrasesFile string

// sections are the tables of phrases.txt by name.
var sections = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for section := range strings.SplitSeq(phrasesFile, "\n[") {
		name, rows, _ := strings.Cut(section, "]\n")
		all[name] = rows
	}
	return all
})

// tables are the phrases of each section. They are compiled when they are first
// looked for: most processes never extract anything.
var tables = sync.OnceValue(func() map[string]func() phrases {
	all := map[string]func() phrases{}
	for name, rows := range sections() {
		all[name] = sync.OnceValue(func() phrases { return compileAll(rows) })
	}
	return all
})

// in reports whether words have one of the phrases of a table of phrases.txt, which has to be
// there.
func in(table string, words []word) bool { return tables()[table]().in(words) }

// opening returns how many words the longest phrase of a table takes at the start of words, with
// some left behind it; 0 if there is none.
func opening(table string, words []word) int { return longest(table, words, len(words)-1) }

// whole reports whether a phrase of a table takes all of the words.
func whole(table string, words []word) bool {
	return len(words) > 0 && longest(table, words, len(words)) == len(words)
}

// longest returns how many words the longest phrase of a table takes at the start of words, at most as
// many as most; 0 if there is none.
func longest(table string, words []word, most int) int {
	all := tables()[table]()
	for n := min(most, maxOpening); n > 0; n-- {
		fits := func(p phrase) bool { return matches(p.parts, words[:n], true) }
		if slices.ContainsFunc(all.byFirst[words[0].low], fits) || slices.ContainsFunc(all.others, fits) {
			return n
		}
	}
	return 0
}

// maxOpening is how many words an opening has at most.
const maxOpening = 10

func compileAll(patterns string) phrases {
	all := phrases{byFirst: map[string][]phrase{}}
	for line := range strings.Lines(patterns) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		p := compile(line)
		if first := p.parts[0]; first.kind == 'w' && !first.optional {
			for w := range first.words {
				all.byFirst[w] = append(all.byFirst[w], p)
			}
		} else {
			all.others = append(all.others, p)
		}
	}
	return all
}

// in reports whether one of the phrases is in the words.
func (all phrases) in(words []word) bool {
	for i, w := range words {
		fits := func(p phrase) bool { return (i == 0 || !p.anchored) && matches(p.parts, words[i:], false) }
		if slices.ContainsFunc(all.byFirst[w.low], fits) || slices.ContainsFunc(all.others, fits) {
			return true
		}
	}
	return false
}
