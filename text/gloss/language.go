package gloss

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

//go:embed words/*.gz
var files embed.FS

//go:embed common.txt
var commonFile string

//go:embed NOTICE
var notice string

// Notice returns the attribution and licence of the word lists, for showing to
// people.
func Notice() string { return notice }

// language is a supported language.
type language struct {
	name      string
	capitals  bool              // nouns begin with a capital, not only names
	compounds bool              // words are joined to one without a space
	unspaced  bool              // it puts no spaces between words
	leastStem int               // letters left before attached particles; 0: no particles
	prefixes  []string          // particles that are attached to the beginnings of words
	common    map[string]string // English of its small words
	words     func() *wordList  // the other words
}

var languages = func() map[string]*language {
	all := map[string]*language{
		"de": {capitals: true, compounds: true}, "nl": {compounds: true},
		"fr": {}, "es": {}, "it": {}, "pt": {}, "pl": {}, "ru": {},
		"tr": {leastStem: 4}, "ko": {leastStem: 2},
		"ar": {prefixes: []string{"وال", "بال", "ال", "و", "ب", "لل", "ل", "ف", "ك"}},
		"ja": {unspaced: true}, "zh": {unspaced: true},
	}
	for name, l := range all {
		l.name, l.common = name, map[string]string{}
		l.words = sync.OnceValue(func() *wordList { return readWords("words/" + name + ".gz") })
	}
	return all
}()

// smallWords maps each small word to the languages that have it. It also fills
// their common maps.
var smallWords = sync.OnceValue(func() map[string][]*language {
	byWord := map[string][]*language{}
	for line := range strings.Lines(commonFile) {
		f := strings.Fields(line)
		if len(f) < 3 || strings.HasPrefix(line, "#") {
			continue
		}
		l, english := languages[f[0]], strings.ReplaceAll(strings.Trim(f[1], "-"), "_", " ")
		for _, word := range f[2:] {
			if _, twice := l.common[word]; !twice {
				l.common[word] = english
				byWord[word] = append(byWord[word], l)
			}
		}
	}
	return byWord
})

// lower returns a word in lower case.
func (l *language) lower(word string) string {
	if l.name == "tr" {
		return strings.ToLowerSpecial(unicode.TurkishCase, word)
	}
	return strings.ToLower(word)
}

// meaning returns the English for a word in lower case.
func (l *language) meaning(word string) (string, bool) {
	if e, ok := l.common[word]; ok {
		return e, true
	}
	return l.words().find(word)
}

// told is a text and its language.
type told struct {
	text     string
	language *language
}

// lastTold caches the language of the last text, because all that read a text ask for it, one after
// the other.
var lastTold atomic.Pointer[told]

// longestTold is how many bytes a text has at most that is kept for that.
const longestTold = 2 << 10

// languageOf returns the language of a text, or nil for English and for unknown
// ones. Text in another script is recognised by its letters. Otherwise a
// language must have more small words in the text than English, and at least
// one for every eight words of the text.
func languageOf(text string) *language {
	if last := lastTold.Load(); last != nil && last.text == text {
		return last.language
	}
	l := recognised(text)
	if len(text) <= longestTold {
		lastTold.Store(&told{text, l})
	}
	return l
}

func recognised(text string) *language {
	byWord := smallWords()
	if name, latin := byScript(text); !latin {
		return languages[name]
	}
	var counts, own map[*language]int // small words, and those that are not English too
	english, words := 0, 0
	for p := range pieces(text) {
		if !p.word || '0' <= p.text[0] && p.text[0] <= '9' {
			continue
		}
		words++
		lower := strings.ToLower(p.text)
		stop := one(analysis.IsStop(lower))
		english += stop
		for _, l := range byWord[lower] {
			if counts == nil {
				counts, own = map[*language]int{}, map[*language]int{}
			}
			counts[l]++
			own[l] += 1 - stop
		}
	}
	var best *language
	for l, n := range counts {
		if n <= english || 8*n < words {
			continue
		}
		if best == nil || n > counts[best] || n == counts[best] && l.closer(best, text) {
			best = l
		}
	}
	if best != nil && own[best] < 2 && 2*best.covers(text) <= words {
		return nil // too few words to tell
	}
	return best
}

func one(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// closer reports whether l knows more words of a text than other. If they know
// equally many, the order of their names decides.
func (l *language) closer(other *language, text string) bool {
	a, b := l.covers(text), other.covers(text)
	return a > b || a == b && l.name < other.name
}

// covers returns how many words of a text l knows.
func (l *language) covers(text string) (n int) {
	for p := range pieces(text) {
		if p.word {
			_, ok := l.meaning(l.lower(p.text))
			n += one(ok)
		}
	}
	return n
}

// byScript returns the language whose script most letters of a text have, or ""
// if it is not supported. latin reports whether most letters are Latin.
func byScript(text string) (name string, latin bool) {
	roman, kana := 0, 0
	var counts [len(scripts)]int
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			roman += one('a' <= r|0x20 && r|0x20 <= 'z')
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			roman++
		default:
			i := slices.IndexFunc(scripts[:], func(s script) bool { return unicode.In(r, s.letters...) })
			if i < 0 {
				i = unknownScript
			}
			counts[i] += scripts[i].letter
			kana += one(unicode.In(r, unicode.Hiragana, unicode.Katakana))
		}
	}
	most := roman
	for i, s := range scripts {
		if counts[i] > most {
			name, most = s.language, counts[i]
		}
	}
	if name == "zh" && kana > 0 {
		name = "ja"
	}
	return name, most == roman
}

// script is the script of a language that is not written in Latin. The field
// letter says for how many Latin letters one letter of it counts.
type script struct {
	language string
	letter   int
	letters  []*unicode.RangeTable
}

var scripts = [...]script{
	{"ru", 1, []*unicode.RangeTable{unicode.Cyrillic}},
	{"ar", 1, []*unicode.RangeTable{unicode.Arabic}},
	{"ko", 2, []*unicode.RangeTable{unicode.Hangul}},
	{"zh", 2, []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}},
	{"", 1, nil},
}

const unknownScript = len(scripts) - 1

// wordList is a sorted list of lines: a word, a blank and its English.
type wordList struct {
	lines []byte
	ends  []uint32 // offset of the end of each line
}

// readWords reads a word list. It panics if the file was damaged when the
// program was built.
func readWords(name string) *wordList {
	f, err := files.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		panic(err)
	}
	w := &wordList{}
	if w.lines, err = io.ReadAll(z); err != nil {
		panic(err)
	}
	w.lines = bytes.Clone(w.lines) // without unused capacity
	for i, c := range w.lines {
		if c == '\n' {
			w.ends = append(w.ends, uint32(i))
		}
	}
	w.ends = slices.Clip(w.ends)
	return w
}

// line returns line i without its line end.
func (w *wordList) line(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = w.ends[i-1] + 1
	}
	return w.lines[start:w.ends[i]]
}

func (w *wordList) find(word string) (string, bool) {
	i, found := sort.Find(len(w.ends), func(i int) int {
		first, _, _ := bytes.Cut(w.line(i), []byte{' '})
		return strings.Compare(word, string(first))
	})
	if !found {
		return "", false
	}
	_, meaning, _ := bytes.Cut(w.line(i), []byte{' '})
	return string(meaning), true
}
