package recall

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Version is a superseded version of a result, as it is shown with it.
type Version struct {
	ID      string
	Content string    // up to 240 characters, in one line
	From    time.Time // when it began to hold, as far as is known
	Until   time.Time // when the next version began
}

// maxEarlier is how many earlier versions a result has at most, the newest first.
const maxEarlier = 3

// versionOf returns a record as an earlier version, which next replaced.
func versionOf(r, next memory.Record) Version {
	v := Version{ID: r.ID, Content: Snippet(r.Content, ""), From: r.EventTime(), Until: r.ValidUntil}
	if v.Until.IsZero() {
		v.Until = next.EventTime()
	}
	return v
}

// addEarlier sets the earlier versions of candidates, as the store has them: it follows Supersedes
// up to maxEarlier records back, with one query for each step, and mostly none. Versions that the
// request may not see are passed over; see mayShow.
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

// mayShow reports whether a request may see a record: it is not archived, is of a project that is
// read, and was recorded by the filter's KnownAt.
func (q question) mayShow(r memory.Record) bool {
	readable := q.Filter.Projects
	return r.ArchivedAt.IsZero() && (readable == nil || slices.Contains(readable, r.Project)) &&
		(q.Filter.KnownAt.IsZero() || !r.CreatedAt.After(q.Filter.KnownAt))
}

// earlierOf returns the earlier versions of a candidate to be shown, the newest first, and the sum of
// their tokens: those that are not results themselves and fit into room, the tokens left (below 0
// for no bound).
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
