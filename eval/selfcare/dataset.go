package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// item is a line of a corpus: a turn, or a fact.
type item struct {
	Case    string `json:"case"`
	ID      string `json:"id"`
	Session string `json:"session"`
	Speaker string `json:"speaker"`
	Role    string `json:"role"`
	At      stamp  `json:"ts"`
	Text    string `json:"text"`
}

// query is a line of a set of questions.
type query struct {
	Case     string   `json:"case"`
	Question string   `json:"question"`
	Gold     []string `json:"gold_ids"`
}

// stamp is a time without an offset (then UTC) or with one; anything else is none.
type stamp struct{ time.Time }

func (s *stamp) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			s.Time = t.UTC()
			return nil
		}
	}
	return nil
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

// readLines reads a JSONL file, or its .gz.
func readLines[T any](path string) ([]T, error) {
	r, err := open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var list []T
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var one T
			if err := json.Unmarshal(line, &one); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", filepath.Base(path), number, err)
			}
			list = append(list, one)
		}
		if readErr == io.EOF {
			return list, nil
		}
		if readErr != nil {
			return nil, fmt.Errorf("read %s: %w", filepath.Base(path), readErr)
		}
	}
}

func open(path string) (io.ReadCloser, error) {
	plain, err := os.Open(path)
	if err == nil {
		return plain, nil
	}
	packed, err := os.Open(path + ".gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(packed)
	if err != nil {
		packed.Close()
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path)+".gz", err)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, packed}, nil
}
