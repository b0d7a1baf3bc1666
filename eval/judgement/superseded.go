package main

import (
	"fmt"
	"slices"
	"strings"
)

// took is a fact whose save superseded others without being told to.
type took struct {
	id     string
	places []string
}

// judgeTaken measures what saves superseded on their own. A superseded fact is right if a question
// in versions names it together with the newer fact, as gold or stale, or if it is in outdated,
// which a page must not show. It also measures how many of the stale facts of the questions in
// asked were superseded.
func (t *tally) judgeTaken(b *bank, facts []fact, versions, asked []query, outdated []string) {
	if outdated == nil && !slices.ContainsFunc(versions, func(q query) bool { return len(q.Stale) > 0 }) {
		return // without named versions nothing can be judged
	}
	contents := map[string]string{}
	for _, f := range facts {
		contents[f.ID] = f.Content
	}
	taken := map[string][]string{}
	for _, took := range b.took {
		for _, old := range took.places {
			taken[took.id] = append(taken[took.id], old)
			ok := slices.Contains(outdated, old) || slices.ContainsFunc(versions, func(q query) bool {
				return q.names(took.id) && q.names(old) && len(q.Stale) > 0
			})
			t.hit("superseded right", ok)
			if !ok {
				t.miss("superseded", took.id, fmt.Sprintf("      %s\n      in place of %s %s\n", contents[took.id], old, contents[old]))
			}
		}
	}
	for _, q := range asked {
		if q.Category != update && q.Category != current {
			continue
		}
		for _, old := range q.Stale {
			ok := slices.ContainsFunc(b.took, func(t took) bool { return slices.Contains(t.places, old) })
			t.hit("superseded all", ok)
			if !ok {
				t.miss("superseded", q.ID,
					fmt.Sprintf("      beside: %s %s\n      newer: %s\n", old, contents[old], contents[strings.Join(q.Gold, "")]))
			}
		}
	}
}

// names reports whether a fact is among the gold or stale ones of a question.
func (q query) names(id string) bool {
	return slices.Contains(q.Gold, id) || slices.Contains(q.Stale, id)
}
