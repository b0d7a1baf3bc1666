package worth

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed cues.txt
var cuesFile string

// class is a class of cues, as cues.txt names them: what a word or phrase says of its sentence.
type class uint8

const (
	identity class = iota
	health
	want
	noun
	manner
	decision
	task
	change
	done
	lesson
	tentative
	trivia
	past
	present
	defines
	rejected
	classes
)

var classNames = map[string]class{
	"identity": identity, "health": health, "want": want, "noun": noun, "manner": manner, "decision": decision, "task": task,
	"change": change, "done": done, "lesson": lesson, "tentative": tentative,
	"trivia": trivia, "past": past, "present": present, "defines": defines, "rejected": rejected,
}

// phrase is a cue without its first word, by which cues finds it.
type phrase struct {
	class class
	start bool     // at the beginning of a sentence only
	rest  []string // the words that follow
}

// cues maps the first word of a cue, in lower case, to the phrases that begin with it.
type cues map[string][]phrase

// table returns the cues of cues.txt, which it parses at the first call. An unknown name of a
// class there is not noticed here but by a test.
var table = sync.OnceValue(func() cues {
	c := make(cues, 1024)
	for line := range strings.Lines(cuesFile) {
		name, list, ok := strings.Cut(line, ":")
		if !ok || line[0] == '#' {
			continue
		}
		for one := range strings.SplitSeq(list, ",") {
			one, start := strings.CutPrefix(strings.TrimSpace(one), "^")
			first, rest, _ := strings.Cut(one, " ")
			c[first] = append(c[first], phrase{classNames[name], start, strings.Fields(rest)})
		}
	}
	return c
})

// counts has for each class how often its cues were found, and the place (from 0) of the word at
// which the first of them begins.
type counts struct {
	n     [classes]int
	first [classes]int
}

// find counts the cues among words.
func (c cues) find(words []word) (found counts) {
	for i, w := range words {
		for _, p := range c[w.text] {
			if p.start && !w.start || !follow(words[i+1:], p.rest) {
				continue
			}
			if found.n[p.class] == 0 {
				found.first[p.class] = i
			}
			found.n[p.class]++
		}
	}
	return found
}

func follow(words []word, rest []string) bool {
	if len(words) < len(rest) {
		return false
	}
	for i, r := range rest {
		if words[i].text != r {
			return false
		}
	}
	return true
}

// word is a word of a text in the form in which cues are compared with it.
type word struct {
	text         string // in lower case, with hyphens and apostrophes inside: "24-hour", "i'm"
	original     string
	capital      bool // begins with a capital letter
	start        bool // begins a sentence
	comma, colon bool // a comma or colon follows it
	ends         bool // it ends a clause: one of .!?;:, or a line break follows it
	at, end      int  // byte offsets: text[at:end]
	passive      bool // set by plain: a form of "be" stands before it
}

// split returns the words of a text.
func split(text string) []word { return appendWords(make([]word, 0, 32), text) }

// appendWords appends the words of a text to an empty slice, whose room it uses.
func appendWords(words []word, text string) []word {
	start := true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			if n := len(words); n > 0 {
				words[n-1].comma = words[n-1].comma || r == ','
				words[n-1].colon = words[n-1].colon || r == ':'
				words[n-1].ends = words[n-1].ends || strings.ContainsRune(".!?;:,\n", r)
			}
			start = start || strings.ContainsRune(".!?;\n", r)
			i += size
			continue
		}
		end := i
		for end < len(text) {
			next, n := utf8.DecodeRuneInString(text[end:])
			if !inWord(next) && !(joins(next) && end+n < len(text) && inWord(rune(text[end+n]))) {
				break
			}
			end += n
		}
		original := strings.ReplaceAll(text[i:end], "’", "'")
		words = append(words, word{text: strings.ToLower(original), original: original, capital: unicode.IsUpper(r), start: start,
			at: i, end: end})
		start, i = false, end
	}
	return words
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// joins reports whether a character holds two parts of a word together.
func joins(r rune) bool { return r == '-' || r == '\'' || r == '’' }
