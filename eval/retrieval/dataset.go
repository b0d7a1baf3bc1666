package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/jsonl"
	"mcp-memory/eval/sets"
)

// dataset is a set of cases; see the package document for its files.
type dataset struct {
	name  string
	facts bool // items are records, not turns
	cases []*testCase
}

// testCase is what goes into one bank, and what is asked of it.
type testCase struct {
	name    string
	items   []sets.Item
	queries []sets.Query
	asked   time.Time // when its questions are asked; zero: a day after the last item
}

// rfc3339 is a time as text, empty for none.
func rfc3339(t jsonl.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// source is where a set comes from.
type source struct {
	name string // of the set
	dir  string
	file string     // start of the names of its files; of LongMemEval the whole name
	pool *sets.Pool // nil: only what the files hold
}

// findSets returns the sets in some directories whose names start with one of
// the prefixes (none: all), sorted by name.
func findSets(dirs, prefixes []string) ([]source, error) {
	var found []source
	for _, dir := range dirs {
		sources, err := setsIn(dir)
		if err != nil {
			return nil, err
		}
		found = append(found, sources...)
	}
	found = slices.DeleteFunc(found, func(s source) bool { return len(sets.Starting([]string{s.name}, prefixes)) == 0 })
	if len(found) == 0 {
		return nil, fmt.Errorf("no set in %s: a file NAME%s or NAME%s.gz is expected", strings.Join(dirs, ", "), sets.CorpusSuffix,
			sets.CorpusSuffix)
	}
	slices.SortStableFunc(found, func(a, b source) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(found); i++ {
		if found[i].name == found[i-1].name {
			return nil, fmt.Errorf("set %s is in %s and in %s", found[i].name, found[i-1].dir, found[i].dir)
		}
	}
	return found, nil
}

// setsIn returns the sets of a directory: one for each pool of a corpus. A file is
// a set of LongMemEval.
func setsIn(dir string) ([]source, error) {
	if name, isFile := strings.CutSuffix(filepath.Base(dir), longMemEval); isFile {
		return []source{{name: name, dir: filepath.Dir(dir), file: name + longMemEval}}, nil
	}
	names, err := sets.Names(dir)
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, name := range names {
		pools, err := sets.Pools(dir, name)
		if err != nil {
			return nil, err
		}
		if pools == nil {
			sources = append(sources, source{name: name, dir: dir, file: name})
		}
		for _, p := range pools {
			sources = append(sources, source{name: strings.TrimSuffix(name+"_"+p.Name, "_"), dir: dir, file: name, pool: &p})
		}
	}
	return sources, nil
}

// read reads the files of a set and fills its pool.
func (s source) read() (*dataset, error) {
	read := readSet
	if strings.HasSuffix(s.file, longMemEval) {
		read = readLongMemEval
	}
	set, err := read(s.dir, s.file)
	if err != nil {
		return nil, err
	}
	set.name = s.name
	if s.pool != nil {
		for _, c := range set.cases {
			if c.items, err = s.pool.Fill(c.name, c.items); err != nil {
				return nil, fmt.Errorf("fill case %s of %s: %w", c.name, s.name, err)
			}
		}
	}
	return set, nil
}

// readSet reads the two files of a set. Cases keep the order of the corpus.
func readSet(dir, name string) (*dataset, error) {
	set := &dataset{name: name, facts: sets.OfFacts(dir, name)}
	items, err := sets.Items(dir, name)
	if err != nil {
		return nil, err
	}
	byName := map[string]*testCase{}
	for _, it := range items {
		c := byName[it.Case]
		if c == nil {
			c = &testCase{name: it.Case}
			byName[it.Case], set.cases = c, append(set.cases, c)
		}
		c.items = append(c.items, it)
	}
	for _, c := range set.cases {
		slices.SortStableFunc(c.items, func(a, b sets.Item) int { return a.Seq - b.Seq })
	}
	queries, err := sets.Queries(dir, name)
	for _, q := range queries {
		c := byName[q.Case]
		if c == nil {
			return nil, fmt.Errorf("query %s is about case %q, which has no items", q.ID, q.Case)
		}
		c.queries = append(c.queries, q)
	}
	return set, err
}
