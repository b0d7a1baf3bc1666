package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/eval/jsonl"
)

// item is a line of a corpus: a turn, or a fact.
type item struct {
	Case    string     `json:"case"`
	ID      string     `json:"id"`
	Session string     `json:"session"`
	Speaker string     `json:"speaker"`
	Role    string     `json:"role"`
	At      jsonl.Time `json:"ts"`
	Text    string     `json:"text"`
}

// query is a line of a set of questions.
type query struct {
	Case     string   `json:"case"`
	Question string   `json:"question"`
	Gold     []string `json:"gold_ids"`
}

const corpusSuffix, queriesSuffix = ".corpus.jsonl", ".queries.jsonl"

// sets returns the names of the sets in a directory: those of facts that have
// times, and those of conversations that have.
func sets(dir string) (facts, talks []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+corpusSuffix+"*"))
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), corpusSuffix)
		if strings.Contains(name, "facts") {
			facts = append(facts, name)
		} else {
			talks = append(talks, name)
		}
	}
	if facts = slices.Compact(facts); len(facts) == 0 {
		return nil, nil, fmt.Errorf("no set of facts in %s: a file NAME_facts%s or its .gz is expected", dir, corpusSuffix)
	}
	return facts, slices.Compact(talks), nil
}
