package recall

import (
	_ "embed"
	"slices"
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

// wantedPhrases has the phrases of wanted.txt by their class.
var wantedPhrases = sync.OnceValue(func() phrases { return readPhrases(wantedFile) })

// phrases are groups of words by their class, each with a blank on both sides.
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

// in reports whether words, as of spaced, have a phrase of a class.
func (p phrases) in(words, class string) bool {
	return slices.ContainsFunc(p[class], func(phrase string) bool { return strings.Contains(words, phrase) })
}

// wantedBy reads a question.
func wantedBy(text string) wanted {
	table, words := wantedPhrases(), spaced(text)
	switch kind := timex.Question(text); {
	case table.in(words, "time asked"), kind == timex.When, kind == timex.HowLong:
		return aTime
	case table.in(words, "number asked"):
		return aNumber
	case table.in(words, "person asked"):
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
		return wantedPhrases().in(spaced(text), "number told")
	case w == aTime:
		return timex.Mentions(text) || wantedPhrases().in(spaced(text), "time told")
	}
	return len(namesIn(text)) > 0 || wantedPhrases().in(spaced(text), "person told")
}

// spaced returns the words of a text in lower case with a blank around each.
func spaced(text string) string { return " " + strings.Join(plainWords(text), " ") + " " }
