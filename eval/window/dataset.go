package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// conversation is one case of a set.
type conversation struct {
	set, name string
	items     []item
	questions []question
}

type item struct {
	Case    string `json:"case"`
	ID      string `json:"id"`
	Speaker string `json:"speaker"`
	At      string `json:"ts"`
	Seq     int    `json:"seq"`
	Text    string `json:"text"`
}

type question struct {
	Case     string `json:"case"`
	Category string `json:"category"`
	Question string `json:"question"`
	Gold     []any  `json:"gold_ids"` // strings, or numbers
}

// oneTurn are the categories of questions that one turn answers.
var oneTurn = []string{"single_hop", "information_extraction"}

// said is when an item was said; zero if that is not known.
func (i item) said() time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, i.At); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// gold returns the ids of the evidence.
func (q question) gold() []string {
	ids := make([]string, len(q.Gold))
	for i, id := range q.Gold {
		ids[i] = fmt.Sprint(id)
	}
	return ids
}

// readCase reads a case of a set, the first if no name is given, with its
// first turns and the questions about them.
func readCase(dir, set, name string, turns int) (*conversation, error) {
	c := &conversation{set: set, name: name}
	err := readLines(filepath.Join(dir, set+".corpus.jsonl.gz"), func(i item) {
		if c.name == "" {
			c.name = i.Case
		}
		if i.Case == c.name {
			c.items = append(c.items, i)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(c.items) == 0 {
		return nil, fmt.Errorf("set %s has no case %q", set, name)
	}
	slices.SortStableFunc(c.items, func(a, b item) int { return a.Seq - b.Seq })
	c.items = c.items[:min(turns, len(c.items))]
	there := map[string]bool{}
	for _, i := range c.items {
		there[i.ID] = true
	}
	err = readLines(filepath.Join(dir, set+".queries.jsonl.gz"), func(q question) {
		answered := len(q.Gold) > 0 && !slices.ContainsFunc(q.gold(), func(id string) bool { return !there[id] })
		if q.Case == c.name && slices.Contains(oneTurn, q.Category) && answered {
			c.questions = append(c.questions, q)
		}
	})
	return c, err
}

// readLines calls fn for each line of a packed JSONL file.
func readLines[T any](path string, fn func(T)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var value T
		if err := json.Unmarshal(lines.Bytes(), &value); err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
		fn(value)
	}
	return lines.Err()
}
