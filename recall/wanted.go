package recall

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/text/timex"
)

// wanted is the kind of thing that answers a question, as far as its question word tells: a number
// for "how many".
type wanted uint8

const (
	anything wanted = iota
	aNumber         // how many, how much, how high
	aTime           // when, which day
	aSpan           // how long
	anHour          // what time, at what hour
	aPerson         // who
	aPlace          // where
	aReason         // why
	aRule           // how should it be done
)

//go:embed wanted.txt
var wantedFile string

// wantedPhrases has the phrases of wanted.txt by their class.
var wantedPhrases = sync.OnceValue(func() phrases { return readPhrases(wantedFile) })

// phrases has lists of phrases by their class; each phrase has a blank on both sides.
type phrases map[string][]string

// readPhrases reads lines of "class: phrase, phrase"; those with # are comments.
func readPhrases(file string) phrases {
	table := phrases{}
	for line := range strings.Lines(file) {
		class, list, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		for phrase := range strings.SplitSeq(list, ",") {
			table[class] = append(table[class], " "+strings.TrimSpace(phrase)+" ")
		}
	}
	return table
}

// in reports whether words, as spaced returns them, have a phrase of a class.
func (p phrases) in(words, class string) bool {
	return slices.ContainsFunc(p[class], func(phrase string) bool { return strings.Contains(words, phrase) })
}

// has reports whether a single word, without blanks, is a phrase of a class.
func (p phrases) has(word, class string) bool {
	return slices.ContainsFunc(p[class], func(phrase string) bool {
		return len(phrase) == len(word)+2 && phrase[1:len(phrase)-1] == word
	})
}

// begins reports whether words, as spaced returns them, begin with a phrase of a class.
func (p phrases) begins(words, class string) bool {
	return slices.ContainsFunc(p[class], func(phrase string) bool { return strings.HasPrefix(words, phrase) })
}

// wantedBy returns the kind of thing that a question asks for.
func wantedBy(text string) wanted {
	table, words := wantedPhrases(), spaced(text)
	kind := timex.Question(text)
	switch {
	case table.in(words, "hour asked"):
		return anHour
	case table.in(words, "time asked"), kind == timex.When:
		return aTime
	case kind == timex.HowLong:
		return aSpan
	case table.in(words, "number asked"):
		return aNumber
	case table.in(words, "person asked"):
		return aPerson
	case table.begins(words, "place asked"):
		return aPlace
	case table.begins(words, "reason asked"):
		return aReason
	case table.in(words, "rule asked"):
		return aRule
	}
	return anything
}

// unmet reports whether a candidate lacks the kind of thing that is asked for.
func (c *candidate) unmet() bool { return !c.want.tells(beginning(c.Content, readable)) }

// Numbers that are times: of the clock, behind a word of time, or years.
var (
	clock  = regexp.MustCompile(`(?i)\d[:.h]\d\d\b|\d\s?(?:am|pm|uhr|o'clock|heures)\b|\b(?:at|until|till|from|by|before|after|around|um|bis|ab|vor|nach|à|las|om)(?: around| about)? (?:\d{1,2}\b|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`)
	annual = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
)

// numberWords are the beginnings of the number words that clock matches.
var numberWords = []string{" one", " two", " three", " four", " five", " six", " seven", " eight", " nine", " ten", " eleven", " twelve"}

// tellsClock reports whether a text has a time of the clock ("7:30", "at seven"). It looks for any
// number first, since few texts have one and that is quicker than the expression.
func tellsClock(text string) bool {
	if !hasDigit(text) {
		folded := strings.ToLower(text)
		if !slices.ContainsFunc(numberWords, func(w string) bool { return strings.Contains(folded, w) }) {
			return false
		}
	}
	return clock.MatchString(text)
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// tells reports whether a text has a thing of the wanted kind: for aTime a date or a clock time.
func (w wanted) tells(text string) bool {
	if w == anything || w == aNumber && strings.ContainsFunc(text, unicode.IsNumber) {
		return true
	}
	table, words := wantedPhrases(), spaced(text)
	switch w {
	case aNumber:
		return table.in(words, "number told")
	case aSpan:
		return strings.ContainsFunc(text, unicode.IsNumber) || timex.Mentions(text) || table.in(words, "time told") ||
			table.in(words, "span told") || table.in(words, "hour told")
	case aTime:
		return timex.Mentions(text) || slices.ContainsFunc(bareWords(text), calendar) || hasDigit(text) && annual.MatchString(text) ||
			tellsClock(text) || table.in(words, "time told") || table.in(words, "hour told")
	case anHour:
		return tellsClock(text) || table.in(words, "hour told")
	case aPerson:
		return len(namesIn(text)) > 0 || table.in(words, "person told")
	case aPlace:
		return tellsPlace(text)
	case aReason:
		return table.in(words, "reason told")
	case aRule:
		return table.in(words, "rule told") || table.begins(words, "rule begun") || strings.Contains(text, ": ")
	}
	return true
}

// bareWords returns the words of a text without the signs and digits around them.
func bareWords(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
	}
	return words
}

// tellsPlace reports whether a text says where: behind a word of place such as "in" stands something
// that is no time and no number, or behind "for" and the like a name. What has a slash, such as a
// path, is a place, too.
func tellsPlace(text string) bool {
	table := wantedPhrases()
	if strings.Contains(text, "/") || table.in(spaced(text), "place told") {
		return true
	}
	words := strings.Fields(text)
	for i := range words[:max(0, len(words)-1)] {
		if table.has(plain(words, i), "place before a name") && len(namesIn("x "+words[i+1])) > 0 {
			return true // "I work for Brightloom"
		}
		if !table.has(plain(words, i), "place before") {
			continue
		}
		next := i + 1
		for next < len(words)-1 && table.has(plain(words, next), "article") {
			next++
		}
		behind := strings.Trim(words[next], ".,;:!?")
		if !calendar(behind) && !strings.ContainsFunc(behind, unicode.IsNumber) &&
			!table.has(strings.ToLower(behind), "no place") {
			return true
		}
	}
	return false
}

// spaced returns the words of a text in lower case with a blank around each.
func spaced(text string) string {
	return " " + strings.Join(plainWords(strings.ReplaceAll(text, "’", "'")), " ") + " "
}
