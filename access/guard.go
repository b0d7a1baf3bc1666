package access

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
)

// Guard is a store as the identity in a call's context sees it; see the package document. Calls
// without an identity pass through.
//
// What is outside of a token's projects does not exist for it, whether it is read by id, searched,
// listed or iterated. The scopes made by [Identity.Scope] ask for no more. The guard enforces it.
type Guard struct {
	store memory.Store
	clock memory.Clock
	busy  atomic.Int64 // of Busy, in nanoseconds
}

var _ memory.Store = (*Guard)(nil)

// NewGuard returns a guard over a store.
func NewGuard(store memory.Store, clock memory.Clock) *Guard {
	return &Guard{store: store, clock: clock}
}

// Busy returns the total time that transactions have taken, including their waiting.
func (g *Guard) Busy() time.Duration { return time.Duration(g.busy.Load()) }

// Write implements [memory.Writer].
func (g *Guard) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	return g.WriteExpecting(ctx, agent, memory.Expected{}, fn)
}

// WriteExpecting implements [memory.ExpectingWriter].
func (g *Guard) WriteExpecting(ctx context.Context, agent string, e memory.Expected, fn func(memory.Tx) error) error {
	begun := time.Now()
	defer func() { g.busy.Add(int64(time.Since(begun))) }()
	identity, ok := From(ctx)
	c := callOf(ctx)
	if !ok {
		return memory.WriteExpecting(ctx, g.store, agent, e, fn)
	}
	err := memory.WriteExpecting(ctx, g.store, agent, e, func(tx memory.Tx) error {
		watched := &guardedTx{tx: tx, identity: identity}
		if err := fn(watched); err != nil || c == nil {
			return err
		}
		return tx.Audit(g.entry(identity, c, agent, watched.changed, ""))
	})
	if err == nil && c != nil {
		c.noteWritten()
	}
	return err
}

// Records implements [memory.Reader].
func (g *Guard) Records(ctx context.Context, agent string, ids []string) ([]memory.Record, error) {
	records, err := g.store.Records(ctx, agent, ids)
	return visible(ctx, records), err
}

// History implements [memory.Reader].
func (g *Guard) History(ctx context.Context, agent, id string) ([]memory.Record, error) {
	records, err := g.store.History(ctx, agent, id)
	return visible(ctx, records), err
}

func visible(ctx context.Context, records []memory.Record) []memory.Record {
	identity, _ := From(ctx)
	return slices.DeleteFunc(records, func(r memory.Record) bool { return !identity.open(r.Project) })
}

// EachRecord implements [memory.Reader].
func (g *Guard) EachRecord(ctx context.Context, agent string, fn func(memory.Record) error) error {
	identity, _ := From(ctx)
	return g.store.EachRecord(ctx, agent, func(r memory.Record) error {
		if !identity.open(r.Project) {
			return nil
		}
		return fn(r)
	})
}

// EachTurn implements [memory.Reader].
func (g *Guard) EachTurn(ctx context.Context, agent string, fn func(memory.Turn) error) error {
	identity, _ := From(ctx)
	return g.store.EachTurn(ctx, agent, func(t memory.Turn) error {
		if !identity.open(t.Project) {
			return nil
		}
		return fn(t)
	})
}

// Turns implements [memory.WorkingReader].
func (g *Guard) Turns(ctx context.Context, agent, session string, from, to int) ([]memory.Turn, error) {
	identity, _ := From(ctx)
	turns, err := g.store.Turns(ctx, agent, session, from, to)
	return slices.DeleteFunc(turns, func(t memory.Turn) bool { return !identity.open(t.Project) }), err
}

// Salient implements [memory.Reader].
func (g *Guard) Salient(ctx context.Context, scope memory.Scope, at time.Time, limit int) ([]memory.Record, error) {
	if identity, _ := From(ctx); identity.Restricted() {
		scope.Closed = true
		if !identity.open(scope.Project) {
			return nil, nil
		}
	}
	return g.store.Salient(ctx, scope, at, limit)
}

// Said implements [memory.Reader].
func (g *Guard) Said(ctx context.Context, agent string, projects []string, kinds []memory.Kind, contents []string) ([]bool, error) {
	identity, _ := From(ctx)
	projects, ok := identity.narrow(projects)
	if !ok {
		return make([]bool, len(contents)), nil
	}
	return g.store.Said(ctx, agent, projects, kinds, contents)
}

// filtered calls read with a filter narrowed to the identity's projects, if any of these are left.
func filtered[T any](ctx context.Context, f memory.Filter, read func(memory.Filter) ([]T, error)) ([]T, error) {
	identity, _ := From(ctx)
	var ok bool
	if f.Projects, ok = identity.narrow(f.Projects); !ok {
		return nil, nil
	}
	return read(f)
}

// MatchWords implements [memory.Searcher].
func (g *Guard) MatchWords(ctx context.Context, corpus memory.Corpus, f memory.Filter, words []string, limit int) ([]memory.Hit, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]memory.Hit, error) { return g.store.MatchWords(ctx, corpus, f, words, limit) })
}

// MatchRarest implements [memory.Searcher].
func (g *Guard) MatchRarest(ctx context.Context, f memory.Filter, words []string, within memory.Rarest,
	limit int) ([]memory.Record, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]memory.Record, error) {
		return g.store.MatchRarest(ctx, f, words, within, limit)
	})
}

// MatchSubstrings implements [memory.Searcher].
func (g *Guard) MatchSubstrings(ctx context.Context, corpus memory.Corpus, f memory.Filter, parts []string,
	limit int) ([]memory.Hit, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]memory.Hit, error) {
		return g.store.MatchSubstrings(ctx, corpus, f, parts, limit)
	})
}

// NearestVectors implements [memory.Searcher].
func (g *Guard) NearestVectors(ctx context.Context, corpus memory.Corpus, f memory.Filter, vector []float32,
	limit int) ([]memory.Hit, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]memory.Hit, error) {
		return g.store.NearestVectors(ctx, corpus, f, vector, limit)
	})
}

// Documents implements [memory.Searcher].
func (g *Guard) Documents(ctx context.Context, corpus memory.Corpus, f memory.Filter, seqs []int64) ([]memory.Document, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]memory.Document, error) { return g.store.Documents(ctx, corpus, f, seqs) })
}

// Select implements [memory.Mirror].
func (g *Guard) Select(ctx context.Context, corpus memory.Corpus, f memory.Filter) ([]int64, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]int64, error) { return g.store.Select(ctx, corpus, f) })
}

// List implements [memory.Catalog].
func (g *Guard) List(ctx context.Context, f memory.CatalogFilter) ([]memory.Record, int, error) {
	identity, _ := From(ctx)
	var ok bool
	if f.Projects, ok = identity.narrow(f.Projects); !ok {
		return nil, 0, nil
	}
	return g.store.List(ctx, f)
}

// Newest implements [memory.Mirror].
func (g *Guard) Newest(ctx context.Context, corpus memory.Corpus, f memory.Filter, before int64, limit int) ([]int64, error) {
	return filtered(ctx, f, func(f memory.Filter) ([]int64, error) { return g.store.Newest(ctx, corpus, f, before, limit) })
}

// FactsBySlot implements [memory.Reader].
func (g *Guard) FactsBySlot(ctx context.Context, agent string, projects []string, keys []uint64) ([]memory.Document, error) {
	identity, _ := From(ctx)
	projects, ok := identity.narrow(projects)
	if !ok {
		return nil, nil
	}
	return g.store.FactsBySlot(ctx, agent, projects, keys)
}

// Apart implements [memory.Reader]. It returns pairs of ids. Ids of records that the identity
// cannot see do no harm, as they match nothing.
func (g *Guard) Apart(ctx context.Context, agent string, ids []string) (memory.Apart, error) {
	return g.store.Apart(ctx, agent, ids)
}

// LatestWindow implements [memory.WorkingReader].
func (g *Guard) LatestWindow(ctx context.Context, agent string, projects []string) (*memory.Window, error) {
	identity, _ := From(ctx)
	projects, ok := identity.narrow(projects)
	if !ok {
		return nil, nil
	}
	return g.store.LatestWindow(ctx, agent, projects)
}

// Projects implements [memory.ProjectReader].
func (g *Guard) Projects(ctx context.Context, agent string) ([]memory.ProjectUse, error) {
	identity, _ := From(ctx)
	projects, err := g.store.Projects(ctx, agent)
	return slices.DeleteFunc(projects, func(p memory.ProjectUse) bool { return !identity.open(p.Name) }), err
}

// Log implements [memory.LogReader]. Of a change in other projects it only shows that there was
// one.
func (g *Guard) Log(ctx context.Context, agent, before string, limit int) ([]memory.Logged, error) {
	changes, err := g.store.Log(ctx, agent, before, limit)
	if identity, _ := From(ctx); err != nil || !identity.Restricted() {
		return changes, err
	}
	for i, c := range changes {
		open, err := g.Records(ctx, agent, c.Records)
		if err != nil {
			return nil, err
		}
		changes[i].Records = nil
		for _, r := range open {
			changes[i].Records = append(changes[i].Records, r.ID)
		}
		if len(open) < len(c.Records) || len(open) == 0 {
			changes[i].Count = len(open)
		}
	}
	return changes, nil
}

// IDs implements [memory.LogReader].
func (g *Guard) IDs(ctx context.Context, agent string, of memory.IDsOf, prefix string, limit int) ([]string, error) {
	ids, err := g.store.IDs(ctx, agent, of, prefix, limit)
	if err != nil {
		return nil, err
	}
	return g.openIDs(ctx, agent, of, ids)
}

// IDsBeside implements [memory.LogReader].
func (g *Guard) IDsBeside(ctx context.Context, agent string, of memory.IDsOf, ids []string) ([]string, error) {
	beside, err := g.store.IDsBeside(ctx, agent, of, ids)
	if err != nil {
		return nil, err
	}
	return g.openIDs(ctx, agent, of, beside)
}

// openIDs removes the ids of what the caller may not read.
func (g *Guard) openIDs(ctx context.Context, agent string, of memory.IDsOf, ids []string) ([]string, error) {
	identity, _ := From(ctx)
	if !identity.Restricted() {
		return ids, nil
	}
	if of != memory.IDsOfRecords {
		return nil, nil
	}
	open, err := g.Records(ctx, agent, ids)
	if err != nil {
		return nil, err
	}
	ids = nil
	for _, r := range open {
		ids = append(ids, r.ID)
	}
	return ids, nil
}

// Told implements [memory.ToldLog].
func (g *Guard) Told(ctx context.Context, agent, before string, limit int) ([]memory.Told, error) {
	identity, _ := From(ctx)
	var open []memory.Told
	for {
		some, err := g.store.Told(ctx, agent, before, limit)
		if err != nil {
			return nil, err
		}
		for _, t := range some {
			if before = t.ID; identity.open(t.Project) && len(open) < limit {
				open = append(open, t)
			}
		}
		if len(some) < limit || len(open) == limit {
			return open, nil
		}
	}
}

// Actions implements [memory.ActionLog].
func (g *Guard) Actions(ctx context.Context, agent string, f memory.ActionFilter) ([]memory.Action, error) {
	identity, _ := From(ctx)
	limit := f.Limit
	if identity.Restricted() {
		f.Limit = 0 // the limit counts only actions that the identity may see
	}
	all, err := g.store.Actions(ctx, agent, f)
	open := slices.DeleteFunc(all, func(a memory.Action) bool { return !identity.open(a.Project) })
	if limit > 0 {
		open = open[:min(limit, len(open))]
	}
	return open, err
}
