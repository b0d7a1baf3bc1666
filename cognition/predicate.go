package cognition

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
)

//go:embed multivalued.txt
var multiValuedList string

var multiValued = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(multiValuedList) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known
})

// MultiValued reports whether a subject usually has several objects of this
// predicate at once. These predicates are listed in multivalued.txt.
func MultiValued(predicate string) bool { return multiValued()[strings.ToLower(Predicate(predicate))] }

// Predicate returns a predicate in the form in which it is stored: its words
// joined by underscores.
func Predicate(text string) string { return strings.Join(predicateWords(text), "_") }

func predicateWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) })
}
