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

// Lexicon returns the file with the classes of words. A model is valid only
// with the file with which it was trained.
func Lexicon() string { return lexiconFile }

// lexicon maps a stem to its classes.
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
