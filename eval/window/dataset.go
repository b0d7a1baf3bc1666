package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"mcp-memory/eval/jsonl"
)

// conversation is one case of a set.
type conversation struct {
	set, name string
	items     []item
	questions []question
}

type item struct {
	Case    string     `json:"case"`
	ID      string     `json:"id"`
	Speaker string     `json:"speaker"`
	At      jsonl.Time `json:"ts"`
	Seq     int        `json:"seq"`
	Text    string     `json:"text"`
}

type question struct {
	Case     string `json:"case"`
	Category string `json:"category"`
	Question string `json:"question"`
	Gold     []any  `json:"gold_ids"` // strings, or numbers
}

// oneTurn are the categories of questions that one turn answers.
var oneTurn = []string{"single_hop", "information_extraction"}

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
	err := jsonl.Each(filepath.Join(dir, set+".corpus.jsonl"), func(i item) error {
		if c.name == "" {
			c.name = i.Case
		}
		if i.Case == c.name {
			c.items = append(c.items, i)
		}
		return nil
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
	err = jsonl.Each(filepath.Join(dir, set+".queries.jsonl"), func(q question) error {
		answered := len(q.Gold) > 0 && !slices.ContainsFunc(q.gold(), func(id string) bool { return !there[id] })
		if q.Case == c.name && slices.Contains(oneTurn, q.Category) && answered {
			c.questions = append(c.questions, q)
		}
		return nil
	})
	return c, err
}
