package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	stops     = ".!?"           // end a sentence if a blank follows
	wideStops = "。！？｡"          // end a sentence anywhere
	closers   = "\"'”’)]»」』）》】" // may follow the end and belong to the sentence
)

// Sentences cuts text into sentences: after ".", "!" or "?" before a blank,
// after their CJK forms anywhere, and at every end of a line. Pieces are
// trimmed and never empty; no character but blanks is lost. A full stop after
// an initial, a title, the number of a list item, a German ordinal before a
// month or "nr." before a number ends no sentence. The cut is good enough for windows of text; it does
// not know grammar.
func Sentences(text string) []string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	var sentences []string
	start := 0
	for i := 0; i < len(text); {
		end, ends := sentenceEnd(text, start, i)
		if ends {
			sentences = appendTrimmed(sentences, text[start:end])
			start = end
		}
		i = end
	}
	return appendTrimmed(sentences, text[start:])
}

// sentenceEnd looks at the character at i in the sentence that began at start
// and returns where to go on, and whether the sentence ends there.
func sentenceEnd(text string, start, i int) (next int, ends bool) {
	r, size := utf8.DecodeRuneInString(text[i:])
	next = i + size
	if r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' {
		return next, true
	}
	wide := strings.ContainsRune(wideStops, r)
	if !wide && !strings.ContainsRune(stops, r) {
		return next, false
	}
	alone := r == '.'
	for next < len(text) {
		follower, size := utf8.DecodeRuneInString(text[next:])
		if strings.ContainsRune(wideStops, follower) {
			wide = true
		} else if !strings.ContainsRune(stops, follower) && !strings.ContainsRune(closers, follower) {
			if !wide && !unicode.IsSpace(follower) {
				return next, false
			}
			break
		}
		alone = false
		next += size
	}
	return next, !alone || !abbreviates(text[start:i]) && !ordinal(text[start:i], text[next:]) && !beforeNumber(text[start:i], text[next:])
}

// ordinal reports whether a full stop after sentence, and before rest, makes an
// ordinal of a number, as in German "am 3. Mai".
func ordinal(sentence, rest string) bool {
	number := sentence[strings.LastIndexAny(sentence, " (")+1:]
	if len(number) == 0 || len(number) > 2 || strings.Trim(number, "0123456789") != "" {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	month, _, _ := strings.Cut(rest, " ")
	return months[strings.TrimRight(month, ".,;:!?)")]
}

// months are the German names of months.
var months = map[string]bool{
	"Januar": true, "Jänner": true, "Februar": true, "März": true, "April": true,
	"Mai": true, "Juni": true, "Juli": true, "August": true, "September": true,
	"Oktober": true, "November": true, "Dezember": true,
}

// beforeNumber reports whether a full stop after sentence, and before rest, belongs to an abbreviation
// with a number behind it: "Hauptstr. 5", "room nr. 12". "No. 12" may begin with an answer.
func beforeNumber(sentence, rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	if rest == "" || rest[0] < '0' || rest[0] > '9' {
		return false
	}
	sentence = strings.TrimSpace(sentence)
	last := strings.ToLower(sentence[strings.LastIndexFunc(sentence, isNoLetter)+1:])
	return counting[last] || strings.HasSuffix(last, "str")
}

var counting = map[string]bool{
	"nr": true, "art": true, "fig": true, "vol": true, "tel": true, "ext": true, "approx": true,
	"ca": true, "abs": true, "ver": true,
}

// abbreviates reports whether a full stop after sentence belongs to its last
// word as an abbreviation, or to the number of a list item.
func abbreviates(sentence string) bool {
	sentence = strings.TrimSpace(sentence)
	if strings.Trim(sentence, "0123456789") == "" {
		return true // "1. First"
	}
	last := sentence[strings.LastIndexFunc(sentence, isNoLetter)+1:]
	switch strings.ToLower(last) {
	case "mr", "mrs", "ms", "dr", "prof", "st", "vs", "eg", "ie", "incl", "excl":
		return true
	}
	return utf8.RuneCountInString(last) == 1 && last != "I" // "J. Smith", "e.g. this"
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

func appendTrimmed(sentences []string, piece string) []string {
	if piece = strings.TrimSpace(piece); piece != "" {
		return append(sentences, piece)
	}
	return sentences
}
