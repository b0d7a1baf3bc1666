package sqlite

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inTree finds the root page in what SQLite says about a page.
var inTree = regexp.MustCompile(`^(?:\*\*\* in database main \*\*\*\s*)?Tree (\d+) `)

// objectsIn returns the tables and indexes that a complaint of SQLite is about.
func objectsIn(complaint string, byRoot map[int64]string) []string {
	if m := inTree.FindStringSubmatch(complaint); m != nil {
		root, _ := strconv.ParseInt(m[1], 10, 64) // digits; one that is too large is no root
		if name := byRoot[root]; name != "" {
			return []string{name}
		}
		return nil
	}
	var found []string
	words := strings.FieldsFunc(complaint, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	for _, name := range byRoot {
		if slices.Contains(words, name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// derived reports whether a table or index can be made anew from the others.
func derived(name string) bool {
	for _, prefix := range []string{"memories_", "conversations_", "vectors_", "sqlite_autoindex_", "record_slots", "corpus_totals", "sqlite_stat"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(plainIndexes(), name)
}

// declared finds the indexes that migrations make.
var declared = regexp.MustCompile(`(?m)^CREATE (?:UNIQUE )?INDEX (\w+)`)

// plainIndexes are the indexes of tables.
func plainIndexes() []string {
	var names []string
	for _, text := range migrations() {
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	}
	return names
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func sortedNames(m map[string]bool) string { return strings.Join(sortedKeys(m), ", ") }
