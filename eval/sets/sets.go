// Package sets reads the sets that the programs of eval measure: files
// NAME.corpus.jsonl (or, of one bank of facts, NAME.facts.jsonl) and
// NAME.queries.jsonl, or the same with .gz; see README.md. Fields that are not
// listed here are ignored.
package sets

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/eval/jsonl"
)

// CorpusSuffix, FactsSuffix and QueriesSuffix end the names of a set's files.
const (
	CorpusSuffix  = ".corpus.jsonl"
	FactsSuffix   = ".facts.jsonl"
	QueriesSuffix = ".queries.jsonl"
)

// Item is a line of a corpus: a turn of a conversation, or a fact.
type Item struct {
	Case    string     `json:"case"`
	ID      string     `json:"id"`
	Session string     `json:"session"`
	Speaker string     `json:"speaker"`
	Role    string     `json:"role"`
	At      jsonl.Time `json:"ts"`
	Seq     int        `json:"seq"`
	Text    string     `json:"text"`
	Sources []string   `json:"src"` // ids of the turns that a fact was found in
}

// Query is a line of a set's questions.
type Query struct {
	Case     string   `json:"case"`
	ID       string   `json:"qid"`
	Category string   `json:"category"`
	Question string   `json:"question"`
	Gold     []string `json:"gold_ids"`  // items that answer it; none: it has no answer
	Stale    []string `json:"stale_ids"` // earlier versions of it, as far as they are known
	Sessions []string `json:"-"`         // sessions that hold the answer; none: those of Gold
	Kind     string   `json:"kind"`      // of a question without an answer
	// Now is when it is asked; zero: when the others of its case are.
	Now jsonl.Time `json:"now"`
	// Until leaves out what is later; zero: nothing.
	Until jsonl.Time `json:"until"`
}

// fact is a line of a bank of facts, which has no cases.
type fact struct {
	ID      string     `json:"id"`
	Content string     `json:"content"`
	At      jsonl.Time `json:"occurred_at"`
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

// UnmarshalJSON implements [json.Unmarshaler]. Names may be numbers.
func (i *Item) UnmarshalJSON(b []byte) error {
	type fields Item
	line := struct {
		Case    label `json:"case"`
		ID      label `json:"id"`
		Session label `json:"session"`
		*fields
	}{fields: (*fields)(i)}
	err := json.Unmarshal(b, &line)
	i.Case, i.ID, i.Session = string(line.Case), string(line.ID), string(line.Session)
	return err
}

// UnmarshalJSON implements [json.Unmarshaler]. Names may be numbers.
func (q *Query) UnmarshalJSON(b []byte) error {
	type fields Query
	line := struct {
		Case label   `json:"case"`
		ID   label   `json:"qid"`
		Gold []label `json:"gold_ids"`
		*fields
	}{fields: (*fields)(q)}
	err := json.Unmarshal(b, &line)
	q.Case, q.ID, q.Gold = string(line.Case), string(line.ID), make([]string, len(line.Gold))
	for i, id := range line.Gold {
		q.Gold[i] = string(id)
	}
	return err
}

// Names returns the names of the sets in a directory, sorted.
func Names(dir string) ([]string, error) {
	var names []string
	for _, suffix := range []string{CorpusSuffix, FactsSuffix} {
		files, err := filepath.Glob(filepath.Join(dir, "*"+suffix+"*"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if name, rest, _ := strings.Cut(filepath.Base(file), suffix); rest == "" || rest == ".gz" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Starting leaves out what starts with none of the prefixes; with none of
// these, nothing.
func Starting(names, prefixes []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		starts := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		return len(prefixes) > 0 && !slices.ContainsFunc(prefixes, starts)
	})
}

// OfFacts reports whether the items of a set are facts: its name or the name of its
// file says so.
func OfFacts(dir, name string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, name+FactsSuffix+"*"))
	return len(found) > 0 || strings.Contains(name, "facts")
}

// Items reads the corpus of a set. The error of a missing one is
// [os.ErrNotExist].
func Items(dir, name string) ([]Item, error) {
	items, err := jsonl.All[Item](filepath.Join(dir, name+CorpusSuffix))
	if !errors.Is(err, os.ErrNotExist) {
		return items, err
	}
	facts, err := jsonl.All[fact](filepath.Join(dir, name+FactsSuffix))
	for i, f := range facts {
		items = append(items, Item{ID: f.ID, Text: f.Content, At: f.At, Seq: i})
	}
	return items, err
}

// Queries reads the questions of a set.
func Queries(dir, name string) ([]Query, error) {
	return jsonl.All[Query](filepath.Join(dir, name+QueriesSuffix))
}
