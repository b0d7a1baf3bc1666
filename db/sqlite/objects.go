package sqlite

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/db/rows"
)

// saidBy runs an integrity check of SQLite and returns its complaints, line by line; none if all is
// well. The check may end with an error where it cannot read on: that is returned only if there
// were no complaints before it.
func saidBy(ctx context.Context, db queryer, pragma string) (lines []string, err error) {
	err = queryEach(ctx, db, func(row rows.Row) error {
		line, err := rows.ScanText(row)
		for part := range strings.Lines(line) { // some lines are several
			if part = strings.TrimSpace(part); err == nil && part != "" && part != "ok" && part != "*** in database main ***" {
				lines = append(lines, part)
			}
		}
		return err
	}, pragma)
	if len(lines) > 0 && ctx.Err() == nil {
		return lines, nil
	}
	return nil, err
}

// inTree finds the root page of a B-tree in a complaint of SQLite about one of its pages.
var inTree = regexp.MustCompile(`^Tree (\d+) `)

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

// derived reports whether a table or index can be rebuilt from others, so that its damage loses
// nothing.
func derived(name string) bool {
	for _, prefix := range []string{"memories_", "conversations_", "vectors_", "sqlite_autoindex_", "record_slots", "corpus_totals",
		"record_counts", "sqlite_stat"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(plainIndexes(), name)
}

// declared finds the indexes that migrations make.
var declared = regexp.MustCompile(`(?m)^CREATE (?:UNIQUE )?INDEX (\w+)`)

// plainIndexes returns the names of all indexes that migrations create.
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
