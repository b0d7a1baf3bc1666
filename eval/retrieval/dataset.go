package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/jsonl"
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
	items   []item
	queries []query
}

type item struct {
	Case    label      `json:"case"`
	ID      label      `json:"id"`
	Session label      `json:"session"`
	Speaker string     `json:"speaker"`
	Role    string     `json:"role"`
	At      jsonl.Time `json:"ts"`
	Seq     int        `json:"seq"`
	Text    string     `json:"text"`
}

type query struct {
	Case     label   `json:"case"`
	ID       label   `json:"qid"`
	Category string  `json:"category"`
	Question string  `json:"question"`
	Gold     []label `json:"gold_ids"`
	Kind     string  `json:"kind"` // of an abstention question
}

// label is a name that some sets write as a number.
type label string

func (l *label) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' {
		*l = label(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(l))
}

// rfc3339 is a time as text, empty for none.
func rfc3339(t jsonl.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

const corpusSuffix, queriesSuffix = ".corpus.jsonl", ".queries.jsonl"

// source is where a set comes from.
type source struct {
	name string // of the set
	dir  string
	file string // start of the names of its files
	pool *pool  // nil: only what the files hold
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
	found = slices.DeleteFunc(found, func(s source) bool {
		starts := func(prefix string) bool { return strings.HasPrefix(s.name, prefix) }
		return len(prefixes) > 0 && !slices.ContainsFunc(prefixes, starts)
	})
	if len(found) == 0 {
		return nil, fmt.Errorf("no set in %s: a file NAME%s or NAME%s.gz is expected", strings.Join(dirs, ", "), corpusSuffix, corpusSuffix)
	}
	slices.SortStableFunc(found, func(a, b source) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(found); i++ {
		if found[i].name == found[i-1].name {
			return nil, fmt.Errorf("set %s is in %s and in %s", found[i].name, found[i-1].dir, found[i].dir)
		}
	}
	return found, nil
}

// setsIn returns the sets of a directory: one for each pool of a corpus.
func setsIn(dir string) ([]source, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+corpusSuffix+"*"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		if name, rest, _ := strings.Cut(filepath.Base(file), corpusSuffix); rest == "" || rest == ".gz" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var sources []source
	for _, name := range slices.Compact(names) {
		pools, err := readPools(filepath.Join(dir, name+poolsSuffix))
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
	set, err := readSet(s.dir, s.file)
	if err != nil {
		return nil, err
	}
	set.name = s.name
	if s.pool != nil {
		for _, c := range set.cases {
			if err := s.pool.fill(c); err != nil {
				return nil, fmt.Errorf("fill case %s of %s: %w", c.name, s.name, err)
			}
		}
	}
	return set, nil
}

// readSet reads the two files of a set. Cases keep the order of the corpus.
func readSet(dir, name string) (*dataset, error) {
	set := &dataset{name: name, facts: strings.Contains(name, "facts")}
	byName := map[label]*testCase{}
	err := jsonl.Each(filepath.Join(dir, name+corpusSuffix), func(it item) error {
		c := byName[it.Case]
		if c == nil {
			c = &testCase{name: string(it.Case)}
			byName[it.Case], set.cases = c, append(set.cases, c)
		}
		c.items = append(c.items, it)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, c := range set.cases {
		slices.SortStableFunc(c.items, func(a, b item) int { return a.Seq - b.Seq })
	}
	err = jsonl.Each(filepath.Join(dir, name+queriesSuffix), func(q query) error {
		c := byName[q.Case]
		if c == nil {
			return fmt.Errorf("query %s is about case %q, which has no items", q.ID, q.Case)
		}
		c.queries = append(c.queries, q)
		return nil
	})
	return set, err
}
