package contextwindow

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

const (
	// few is how many records of a group a query should find; with fewer, what
	// stands out and what is new make up for the rest.
	few = 5
	// pool is how many of the records that the database takes for the most
	// salient are looked at, and newest how many of the newest of a kind.
	pool, newest = 200, 30
	// newestLearnings is the same of each type of learnings, where what happened
	// again and again counts, also long ago.
	newestLearnings = 200
	// fillFloor is the importance below which a record that was never recalled
	// is left to those who ask for it.
	fillFloor = 0.3
)

// filling finds the records of a prompt's groups.
type filling struct {
	*Service
	scope   memory.Scope
	query   string
	salient []memory.Record // of the bank; nil until asked for
	asked   bool
	filled  map[string]bool // ids of what the query did not find
}

// lineSize is how many characters of a record are shown.
func (f *filling) lineSize(r memory.Record) int {
	if f.filled[r.ID] {
		return fillLineSize
	}
	return memoryLineSize
}

// records are those of a group: what the query finds and, where that is little
// or the group is always shown, what stands out.
func (f *filling) records(ctx context.Context, g memoryGroup) []memory.Record {
	want := few
	var others []memory.Record
	if g.always {
		want = memoriesAsked
		if others = f.standingOut(ctx, g); len(others) == 0 {
			return nil
		}
	}
	var found []memory.Record
	if strings.TrimSpace(f.query) != "" {
		var err error
		if found, err = f.recall.Memories(ctx, f.scope, f.query, g.kinds, memoriesAsked); err != nil {
			f.log.WarnContext(ctx, "recall for a prompt", "error", err)
		}
	}
	if len(found) < want && !g.always {
		others = f.standingOut(ctx, g)
	}
	for _, r := range others {
		if len(found) >= want {
			break
		}
		if !slices.ContainsFunc(found, func(one memory.Record) bool { return one.ID == r.ID }) {
			found = append(found, r)
			f.filled[r.ID] = !g.always
		}
	}
	return found
}

// standingOut returns records of a group that are true now: first those that
// name somebody in the query, then by salience, the newest of equals first; learnings
// as [memory.CompareLearnings] orders them.
func (f *filling) standingOut(ctx context.Context, g memoryGroup) []memory.Record {
	var list []memory.Record
	for _, k := range g.kinds {
		if k == memory.KindLearning {
			for _, t := range memory.LearningTypes() {
				list = append(list, f.newest(ctx, k, string(t), newestLearnings)...)
			}
			continue
		}
		list = append(list, f.newest(ctx, k, "", newest)...)
	}
	if !g.always { // there are few of those
		list = append(list, f.mostSalient(ctx)...)
	}
	now, seen := f.now(), map[string]bool{}
	list = slices.DeleteFunc(list, func(r memory.Record) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again || !slices.Contains(g.kinds, r.Kind) || !r.Live() || !r.TrueAt(now) ||
			!g.always && !r.Pinned && r.AccessCount == 0 && r.Importance < fillFloor
	})
	first := map[string]bool{}
	for _, r := range list {
		first[r.ID] = shareName(f.query, r.Content)
	}
	slices.SortStableFunc(list, func(a, b memory.Record) int {
		if first[a.ID] != first[b.ID] {
			if first[a.ID] {
				return -1
			}
			return 1
		}
		if a.Kind == memory.KindLearning && b.Kind == memory.KindLearning {
			return memory.CompareLearnings(a, b)
		}
		return cmp.Or(cmp.Compare(f.recall.Salience(b), f.recall.Salience(a)), b.EventTime().Compare(a.EventTime()),
			strings.Compare(a.ID, b.ID))
	})
	return list
}

// newest returns the newest records of a kind and, unless it is empty, a type. Soul entries belong to the
// agent, whatever project it works on.
func (f *filling) newest(ctx context.Context, k memory.Kind, of string, limit int) []memory.Record {
	projects := f.scope.Readable()
	if k == memory.KindSoul {
		projects = nil
	}
	list, _, err := f.store.List(ctx,
		memory.CatalogFilter{Uncounted: true, Agent: f.scope.Agent, Projects: projects, Kind: k, Type: of, Now: f.now(), Limit: limit})
	if err != nil {
		f.log.WarnContext(ctx, "list records for a prompt", "kind", k, "error", err)
	}
	return list
}

// mostSalient returns what stands out of the bank; it is read once.
func (f *filling) mostSalient(ctx context.Context) []memory.Record {
	if !f.asked {
		f.asked = true
		var err error
		if f.salient, err = f.store.Salient(ctx, f.scope, f.now(), pool); err != nil {
			f.log.WarnContext(ctx, "list records for a prompt", "error", err)
		}
	}
	return f.salient
}
