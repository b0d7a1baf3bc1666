package gloss

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

// English returns a text with its words replaced by English ones, and true, if
// it is in a supported language. Unknown words and names stay as they are. Any
// other text is returned unchanged.
func English(text string) (string, bool) {
	l := languageOf(text)
	if l == nil {
		return text, false
	}
	if l.unspaced {
		return l.glossRuns(text), true
	}
	var b strings.Builder
	starts := true // at the start of a sentence
	for p := range pieces(text) {
		switch {
		case !p.word:
			starts = starts || strings.ContainsAny(p.text, ".!?:\n\"„“«»¿¡")
			b.WriteString(p.text)
			continue
		case !starts && !l.capitals && isCapital(p.text): // a name
			b.WriteString(p.text)
		default:
			b.WriteString(l.gloss(p.text))
		}
		starts = false
	}
	return b.String(), true
}

// Language returns the language of a text, such as "de", or "" for English and
// for languages that are not supported.
func Language(text string) string {
	if l := languageOf(text); l != nil {
		return l.name
	}
	return ""
}

// piece is a word, or the text between two words.
type piece struct {
	text string
	word bool
}

// pieces yields the words of a text and the text between them, in order. A
// hyphen between letters is part of the word; an apostrophe separates two
// words.
func pieces(text string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		from, word := 0, false
		for i, r := range text {
			is := unicode.IsLetter(r) || unicode.IsDigit(r) || r >= utf8.RuneSelf && unicode.IsMark(r) ||
				r == '-' && word && letterBehind(text[i+1:])
			if is != word && i > from {
				if !yield(piece{text[from:i], word}) {
					return
				}
				from = i
			}
			word = is
		}
		if from < len(text) {
			yield(piece{text[from:], word})
		}
	}
}

func letterBehind(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

func isCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// least is how many bytes a part of a compound has at least. longestWord is how
// many bytes a word has at most that is looked up.
const least, longestWord = 4, 64

// gloss returns the English for a word, or the word itself if it is unknown.
func (l *language) gloss(word string) string {
	if len(word) > longestWord {
		return word
	}
	lower := l.lower(word)
	if e, ok := l.meaning(lower); ok {
		return e
	}
	if first, second, ok := strings.Cut(lower, "-"); ok && second != "" {
		return l.gloss(first) + " " + l.gloss(second)
	}
	for _, prefix := range l.prefixes {
		if rest, ok := strings.CutPrefix(lower, prefix); ok && utf8.RuneCountInString(rest) > 2 {
			if e, ok := l.meaning(rest); ok {
				return e
			}
		}
	}
	if l.leastStem > 0 {
		for i := range l.backwards(lower) {
			if e, ok := l.words().find(lower[:i]); ok {
				return e
			}
		}
	}
	if l.compounds {
		if e, ok := l.compound(lower); ok {
			return e
		}
	}
	return word
}

// backwards yields offsets in a word at which its last runes begin, from the
// end of the word. It stops when the part before the offset would be shorter
// than l.leastStem.
func (l *language) backwards(word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, left := len(word), utf8.RuneCountInString(word); left > l.leastStem; left-- {
			_, n := utf8.DecodeLastRuneInString(word[:i])
			if i -= n; !yield(i) {
				return
			}
		}
	}
}

// compound reads a word as a compound of two, with the first as long as
// possible but without a joint such as "s". It returns the English for both.
func (l *language) compound(word string) (string, bool) {
	for cut := len(word) - least; cut >= least; cut-- {
		if !utf8.RuneStart(word[cut]) {
			continue
		}
		second, ok := l.meaning(word[cut:])
		if !ok {
			continue
		}
		for _, joint := range []string{"", "s", "n", "en", "es", "e"} {
			first, ok := strings.CutSuffix(word[:cut], joint)
			if !ok || len(first) < least {
				continue
			}
			if e, ok := l.meaning(first); ok {
				return e + " " + second, true
			}
		}
	}
	return "", false
}

// longest is the number of runes of the longest word that is looked up in a
// text without spaces.
const longest = 8

// glossRuns replaces the words of a text written without spaces, at each place
// the longest known word.
func (l *language) glossRuns(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		if !analysis.IsUnspaced(runes[i]) {
			b.WriteRune(runes[i])
			i++
			continue
		}
		n, meaning := 1, string(runes[i])
		for k := min(longest, len(runes)-i); k > 0; k-- {
			if e, ok := l.meaning(string(runes[i : i+k])); ok {
				n, meaning = k, e
				break
			}
		}
		b.WriteString(" " + meaning + " ")
		i += n
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
