package contextwindow

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
)

const (
	// few is how many records of a group a query should find; if it finds fewer, records that
	// stand out fill the group up to that number.
	few = 5
	// pool is how many of the most salient records of the bank are considered, and newest how
	// many of the newest of a kind.
	pool, newest = 200, 30
	// newestLearnings is how many of the newest learnings of each type are considered: more,
	// because one that was often confirmed counts even if it is old.
	newestLearnings = 200
	// fillFloor is the importance below which a record that is not pinned and was never recalled
	// does not fill a group: only a query finds it.
	fillFloor = 0.3
)

// filling chooses the records that a prompt shows in its groups.
type filling struct {
	*Service
	scope   memory.Scope
	query   string
	salient []memory.Record // of the bank; nil until asked for
	asked   bool
	filled  map[string]bool // ids of records that fill a group and that the query did not find
}

// lineSize returns how many characters of a record are shown: fewer of one that only fills a
// group.
func (f *filling) lineSize(r memory.Record) int {
	if f.filled[r.ID] {
		return fillLineSize
	}
	return memoryLineSize
}

// records returns the records of a group, the best first: what the query finds, followed by
// records that stand out if that is fewer than few, or if the group is always shown.
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
		found = slices.DeleteFunc(found, secrets.Is) // a session is not told secrets that it did not ask for
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

// standingOut returns the live records of a group that are true now and may be shown whatever the
// query finds: first those that name somebody whom the query names, then the most salient, the
// newest of equals first; learnings as [memory.CompareLearnings] orders them.
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
	if !g.always { // the kinds of groups that are always shown have few records
		list = append(list, f.mostSalient(ctx)...)
	}
	now, seen := f.now(), map[string]bool{}
	list = slices.DeleteFunc(list, func(r memory.Record) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again || !slices.Contains(g.kinds, r.Kind) || !r.Live() || !r.TrueAt(now) || secrets.Is(r) ||
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

// newest returns the newest records of a kind and, unless of is empty, of that type. Soul entries
// belong to the agent, so those of all projects are read.
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

// mostSalient returns the most salient records that the scope may read; they are read once for a
// prompt.
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
