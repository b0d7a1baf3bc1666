package recall

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Version is what a result said before, as far as that is to be shown with it.
type Version struct {
	ID      string
	Content string    // up to 240 characters, in one line
	From    time.Time // when it began to hold, as far as is known
	Until   time.Time // when the next version began
}

// maxEarlier is how many earlier versions a result has at most, the newest first.
const maxEarlier = 3

// versionOf is a record as the earlier version of another.
func versionOf(r, next memory.Record) Version {
	v := Version{ID: r.ID, Content: Snippet(r.Content, ""), From: r.EventTime(), Until: r.ValidUntil}
	if v.Until.IsZero() {
		v.Until = next.EventTime()
	}
	return v
}

// addEarlier adds the versions that the store knows results have replaced: those
// that nobody forgot, in the projects that are read, recorded by the time that is
// asked about. Up to three queries, and mostly none.
func (s *Service) addEarlier(ctx context.Context, q question, kept []*candidate) error {
	successors := map[string][]*candidate{}
	next := map[string]memory.Record{}
	for _, c := range kept {
		if c.Corpus == memory.Memories && c.Supersedes != "" {
			successors[c.Supersedes], next[c.Supersedes] = append(successors[c.Supersedes], c), c.Record
		}
	}
	for range maxEarlier {
		if len(successors) == 0 {
			return nil
		}
		ids := make([]string, 0, len(successors))
		for id := range successors {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		found, err := s.store.Records(ctx, q.Scope.Agent, ids)
		if err != nil {
			return err
		}
		older, before := map[string][]*candidate{}, map[string]memory.Record{}
		for _, r := range found {
			for _, c := range successors[r.ID] {
				if q.mayShow(r) {
					c.earlier = append(c.earlier, versionOf(r, next[r.ID]))
				}
				if r.Supersedes != "" {
					older[r.Supersedes], before[r.Supersedes] = append(older[r.Supersedes], c), r
				}
			}
		}
		successors, next = older, before
	}
	return nil
}

// mayShow reports whether an earlier version may be shown: it was not forgotten,
// and the request may read it.
func (q question) mayShow(r memory.Record) bool {
	readable := q.Filter.Projects
	return r.ArchivedAt.IsZero() && (readable == nil || slices.Contains(readable, r.Project)) &&
		(q.Filter.KnownAt.IsZero() || !r.CreatedAt.After(q.Filter.KnownAt))
}

// earlierOf returns the versions of a candidate that are shown, the newest first,
// and their tokens: those that are no results of their own and fit the budget.
func (s *Service) earlierOf(c *candidate, kept []*candidate, room int) (list []Version, total int) {
	if len(c.earlier) == 0 {
		return nil, 0
	}
	slices.SortStableFunc(c.earlier, func(a, b Version) int { return b.From.Compare(a.From) })
	seen := map[string]bool{}
	for _, k := range kept {
		seen[k.ID] = true
	}
	for _, v := range c.earlier {
		n := s.tokens.Count(v.Content)
		if seen[v.ID] || len(list) == maxEarlier || room >= 0 && total+n > room {
			continue
		}
		seen[v.ID] = true
		list, total = append(list, v), total+n
	}
	return list, total
}
