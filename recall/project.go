package recall

import (
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// projectWords are the stems by which a question speaks of the project at hand, in
// whose scope it is asked.
var projectWords = analysis.Content("project repo repository codebase")

// askingWords are the stems of words that only ask, such as "summary".
var askingWords = analysis.Content("know tell say give show describe explain remember remind learn summary overview information everything anything")

// ofProject returns the stems of the name of the project at hand, if a broad question asks for it as
// a whole, by name or as "this project": then all records of the project are part of the answer,
// also those that have no word of its name. Nil for other questions.
func (q question) ofProject() map[string]bool {
	name := q.Scope.Project
	if name == "" || name == memory.AllProjects || q.asks.Attribute != "" {
		return nil
	}
	words := slices.DeleteFunc(slices.Clone(q.stems), func(word string) bool { return slices.Contains(askingWords, word) })
	if q.asks.Subject != "" {
		words = analysis.Content(q.asks.Subject)
	}
	named := stemsOf(path.Base(name), strings.NewReplacer("-", " ", "_", " ").Replace(path.Base(name)))
	for _, word := range words {
		if !slices.Contains(projectWords, word) && !named[word] {
			return nil
		}
	}
	if len(words) == 0 {
		return nil
	}
	return named
}
