package recall

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/text/timex"
)

// wanted is the kind of thing by which a question is answered, as far as its
// question word tells.
type wanted uint8

const (
	anything wanted = iota
	aNumber         // how many, how much, how high
	aTime           // when, what time, which day
	aPerson         // who
)

//go:embed wanted.txt
var wantedFile string

// wantedPhrases has the phrases of wanted.txt by their class, each between blanks.
var wantedPhrases = sync.OnceValue(func() map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(wantedFile) {
		class, phrases, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			table[class] = append(table[class], " "+strings.TrimSpace(phrase)+" ")
		}
	}
	return table
})

// wantedBy reads a question.
func wantedBy(text string) wanted {
	words := spaced(text)
	switch kind := timex.Question(text); {
	case hasPhrase(words, "time asked"), kind == timex.When, kind == timex.HowLong:
		return aTime
	case hasPhrase(words, "number asked"):
		return aNumber
	case hasPhrase(words, "person asked"):
		return aPerson
	}
	return anything
}

// tells reports whether a text has a thing of the kind.
func (w wanted) tells(text string) bool {
	switch {
	case w == anything, w != aPerson && strings.ContainsFunc(text, unicode.IsNumber):
		return true
	case w == aNumber:
		return hasPhrase(spaced(text), "number told")
	case w == aTime:
		return timex.Mentions(text) || hasPhrase(spaced(text), "time told")
	}
	return len(namesIn(text)) > 0 || hasPhrase(spaced(text), "person told")
}

// spaced returns the words of a text in lower case with a blank around each.
func spaced(text string) string { return " " + strings.Join(plainWords(text), " ") + " " }

func hasPhrase(words, class string) bool {
	for _, phrase := range wantedPhrases()[class] {
		if strings.Contains(words, phrase) {
			return true
		}
	}
	return false
}
