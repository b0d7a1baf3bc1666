package model

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"mcp-memory/text/analysis"
)

//go:embed lexicon.txt
var lexiconFile string

// Lexicon returns the file of word classes that features are made with. A
// model trained with another one reads texts wrongly.
func Lexicon() string { return lexiconFile }

// lexicon tells the classes of a stem.
var lexicon = sync.OnceValue(func() map[string][]string {
	classes := map[string][]string{}
	for line := range strings.Lines(lexiconFile) {
		name, words, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		for _, word := range strings.Fields(words) {
			stem := analysis.Stem(word)
			if !slices.Contains(classes[stem], name) {
				classes[stem] = append(classes[stem], name)
			}
		}
	}
	return classes
})
