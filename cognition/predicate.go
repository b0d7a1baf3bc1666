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

// MultiValued reports whether a subject usually has several objects of that
// predicate at once: it is on the list in multivalued.txt.
func MultiValued(predicate string) bool { return multiValued()[strings.ToLower(Predicate(predicate))] }

// Predicate is a predicate in the form in which it is stored: words joined by
// underscores, however the caller joined them.
func Predicate(text string) string { return strings.Join(predicateWords(text), "_") }

func predicateWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) })
}
