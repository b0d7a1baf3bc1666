package extractive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

// word is one word of a sentence with the punctuation around it.
type word struct {
	pre, text, post string
	low             string // text in lower case
}

const (
	openers = "\"'([{*_~`"
	enders  = "\"')]}.,;:!?…*_~`-—"
	// breaks are the punctuation behind which another clause starts.
	breaks = ".,;:!?…—"
)

var straighten = strings.NewReplacer("’", "'", "‘", "'", "´", "'", "“", `"`, "”", `"`, "—", " — ", "–", " — ", " -- ", " — ",
	", you know,", ",", ", by the way", "", " by the way", "")

// cut splits a sentence at its blanks. Punctuation that stands alone goes to
// the word before it.
func cut(sentence string) []word {
	fields := strings.Fields(straighten.Replace(sentence))
	words := make([]word, 0, len(fields)+4)
	for _, f := range fields {
		w := newWord(f)
		if w.text == "" {
			if last := len(words) - 1; last >= 0 {
				words[last].post += " " + f
			}
			continue
		}
		words = append(words, w)
	}
	return words
}

func newWord(field string) word {
	if !strings.ContainsFunc(field, alphanumeric) {
		return word{post: field}
	}
	text := strings.TrimLeft(field, openers)
	pre := field[:len(field)-len(text)]
	core := strings.TrimRight(text, enders)
	return word{pre: pre, text: core, post: text[len(core):], low: strings.ToLower(core)}
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// set replaces the text of a word.
func (w *word) set(text string) { w.text, w.low = text, strings.ToLower(text) }

// ends reports whether a clause may end behind the word; not behind "Mrs.".
func (w word) ends() bool {
	if w.post == "." && titles[w.low] {
		return false
	}
	return strings.ContainsAny(w.post, breaks) || strings.HasSuffix(w.post, " -") || strings.HasSuffix(w.post, " *")
}

// join writes words as a sentence again.
func join(words []word) string {
	var b strings.Builder
	for _, w := range words {
		if w.text == "" && w.pre == "" && w.post == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.pre)
		b.WriteString(w.text)
		b.WriteString(w.post)
	}
	return b.String()
}

// expand writes out the contractions of persons that take part in the
// conversation, so that person and verb can be changed apart from each other.
// Code stays as it is.
func expand(words []word) []word {
	out, literal := make([]word, 0, len(words)+4), literals(words)
	for i, w := range words {
		if literal[i] {
			out = append(out, w)
			continue
		}
		parts := contractions[w.low]
		if parts == "" {
			if person, ok := strings.CutSuffix(w.low, "'d"); ok && (person == "i" || person == "we" || person == "you") {
				parts = person + " " + wouldOrHad(words[i+1:])
			}
		}
		if parts == "" {
			if w.low == "i" {
				w.text = "I"
			}
			out = append(out, w)
			continue
		}
		first, second, two := strings.Cut(parts, " ")
		a := word{pre: w.pre, text: likeCase(first, w.text), low: first}
		if !two {
			a.post = w.post
			out = append(out, a)
			continue
		}
		out = append(out, a, word{text: second, low: second, post: w.post})
	}
	return out
}

// wouldOrHad tells which of the two "'d" stands for, by the verb behind it.
func wouldOrHad(rest []word) string {
	for _, w := range rest {
		if adverb(w.low) {
			continue
		}
		if w.low == "better" || participles[w.low] || pastByEnding(w.low) {
			return "had"
		}
		break
	}
	return "would"
}

// likeCase gives text the capital of its model; "i" always has one.
func likeCase(text, model string) string {
	if text == "i" || model != "" && unicode.IsUpper([]rune(model)[0]) {
		return capital(text)
	}
	return text
}

// capital returns text with its first letter in upper case.
func capital(text string) string {
	for i, r := range text {
		if unicode.IsLetter(r) {
			return text[:i] + string(unicode.ToUpper(r)) + text[i+len(string(r)):]
		}
		if !unicode.IsPunct(r) {
			break
		}
	}
	return text
}

// small returns a text whose first letter is small.
func small(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// uncapital writes the first letter small if the first word is a function word: "On Monday" becomes
// "on Monday".
func uncapital(text string) string {
	if first, _, _ := strings.Cut(text, " "); analysis.IsStop(strings.ToLower(first)) {
		return small(text)
	}
	return text
}

// anyWord returns the first word of text that is in a set, or "".
func anyWord(text string, in map[string]bool) string {
	for _, f := range strings.Fields(strings.ToLower(text)) {
		if f = strings.TrimFunc(f,
			func(r rune) bool { return strings.ContainsRune(enders, r) || strings.ContainsRune(openers, r) }); in[f] {
			return f
		}
	}
	return ""
}

// firstWord returns the first word of text, "" if punctuation is before it.
func firstWord(text string) string {
	if !strings.HasPrefix(text, " ") {
		return ""
	}
	w, _, _ := strings.Cut(text[1:], " ")
	return strings.TrimRight(w, enders)
}

// lastWord returns the last word of text in lower case and how many bytes it
// takes with the blanks around it; "" if punctuation follows it.
func lastWord(text string) (string, int) {
	trimmed := strings.TrimRight(text, " ")
	start := strings.LastIndexByte(trimmed, ' ') + 1
	w := strings.ToLower(trimmed[start:])
	if len(trimmed) == len(text) && text != "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", 0
	}
	return w, len(text) - start
}
