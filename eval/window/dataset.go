package main

import (
	"fmt"
	"slices"

	"mcp-memory/eval/sets"
)

// conversation is one case of a set.
type conversation struct {
	set, name string
	items     []sets.Item
	questions []sets.Query
}

// oneTurn are the categories of questions that one turn answers.
var oneTurn = []string{"single_hop", "information_extraction"}

// readCase reads a case of a set, the first if no name is given, with its
// first turns and the questions about them.
func readCase(dir, set, name string, turns int) (*conversation, error) {
	items, err := sets.Items(dir, set)
	if err != nil {
		return nil, err
	}
	c := &conversation{set: set, name: name}
	for _, i := range items {
		if c.name == "" {
			c.name = i.Case
		}
		if i.Case == c.name {
			c.items = append(c.items, i)
		}
	}
	if len(c.items) == 0 {
		return nil, fmt.Errorf("set %s has no case %q", set, name)
	}
	slices.SortStableFunc(c.items, func(a, b sets.Item) int { return a.Seq - b.Seq })
	c.items = c.items[:min(turns, len(c.items))]
	there := map[string]bool{}
	for _, i := range c.items {
		there[i.ID] = true
	}
	questions, err := sets.Queries(dir, set)
	for _, q := range questions {
		answered := len(q.Gold) > 0 && !slices.ContainsFunc(q.Gold, func(id string) bool { return !there[id] })
		if q.Case == c.name && slices.Contains(oneTurn, q.Category) && answered {
			c.questions = append(c.questions, q)
		}
	}
	return c, err
}
