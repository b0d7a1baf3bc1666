package recall

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// Library is the text files of an agent, as passages. It is updated by one at a
// time; the rest is safe for concurrent use.
type Library interface {
	// Update hands the passages of files that are new or have changed to add, in
	// ascending order of their numbers, and forgets those of files that are gone.
	Update(ctx context.Context, add func([]memory.Document) error) error
	// Documents reads passages; those that are gone are left out.
	Documents(ctx context.Context, seqs []int64) ([]memory.Document, error)
	// Select returns, ascending, the numbers of all passages of a time; zero is no bound.
	Select(since, until time.Time) []int64
	// Len returns how many passages there are.
	Len() int
}

const (
	// patience is how long after an update began questions wait for it; then they are
	// answered with what is indexed by then.
	patience = time.Second
	// restTimes is for how many times its own duration an update of a library of
	// manyPassages or more is followed by none: a vault of thousands of notes is looked
	// through in tens of milliseconds.
	restTimes, manyPassages = 20, 5000
	// freshFor is how long after an update of such a library questions do not wait for
	// the next one, which runs in the background: a later question knows what it finds.
	freshFor = 10 * time.Second
)

// files keeps an index of the files of each agent that is asked about: made at the
// first question, brought up to date before each, dropped when it is idle.
type files struct {
	open    func(agent string) Library
	indexes *indexes      // whose store, embedder and table it shares
	wait    time.Duration // patience

	mu      sync.Mutex
	entries map[string]*filesEntry
	sweep   *time.Timer
}

// filesEntry is the place of one agent's files.
type filesEntry struct {
	used time.Time // guarded by files.mu

	mu      sync.Mutex
	stock   *stock
	running chan struct{} // closed when the update under way ends; nil without one
	began   time.Time     // of the update under way
	ended   time.Time     // of the last one
	took    time.Duration // by the last update that found nothing new
	err     error
}

// stock is a library and what is indexed of it.
type stock struct {
	library Library
	index   *index.Index

	mu       sync.Mutex
	mirrored map[int64]bool // passages that mirror a record of the bank
}

func (f *files) newStock(agent string) *stock {
	return &stock{library: f.open(agent), index: index.New(f.indexes.table(), nil), mirrored: map[int64]bool{}}
}

// current brings the stock of an agent's files up to date and returns it, or as far as it has come
// when patience ends. A process that asks once waits until the update is done.
func (f *files) current(ctx context.Context, agent string) (*stock, error) {
	s := f.entry(agent)
	s.mu.Lock()
	if s.running == nil && (s.stock.library.Len() < manyPassages || time.Since(s.ended) > restTimes*s.took) {
		s.running, s.began = make(chan struct{}), time.Now()
		if f.indexes.once {
			go f.update(ctx, agent, s)
		} else {
			go f.update(context.WithoutCancel(ctx), agent, s)
		}
	}
	running, began, stock := s.running, s.began, s.stock
	fresh := !f.indexes.once && s.err == nil && stock.library.Len() >= manyPassages && time.Since(s.ended) < freshFor
	s.mu.Unlock()
	if running == nil || fresh {
		return stock, nil
	}
	var late <-chan time.Time
	if !f.indexes.once {
		timer := time.NewTimer(f.wait - time.Since(began))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-running:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.stock, s.err
	case <-late:
		return stock, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// entry finds the place of an agent's files.
func (f *files) entry(agent string) *filesEntry {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropIdle()
	s := f.entries[agent]
	if s == nil {
		s = &filesEntry{stock: f.newStock(agent)}
		f.entries[agent] = s
	}
	s.used = time.Now()
	if f.sweep == nil {
		f.sweep = time.AfterFunc(idleTime, f.sweepIdle)
	} else {
		f.sweep.Reset(idleTime)
	}
	return s
}

func (f *files) sweepIdle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropIdle()
}

// dropIdle forgets what nobody has asked for long. The caller holds f.mu.
func (f *files) dropIdle() {
	for agent, s := range f.entries {
		if time.Since(s.used) >= idleTime {
			delete(f.entries, agent)
		}
	}
}

// update brings an entry up to date. Passages are only ever added to an index: when more than half of
// them are of files that have changed since, a new index takes its place.
func (f *files) update(ctx context.Context, agent string, s *filesEntry) {
	start := time.Now()
	now := s.stock // only updates replace it
	before, took := now.index.Len(), s.took
	err := f.fill(ctx, agent, now)
	if now.index.Len() == before {
		took = time.Since(start)
	}
	if err == nil && now.index.Len() > 2*now.library.Len()+page {
		now = f.newStock(agent)
		err = f.fill(ctx, agent, now)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.stock = now
	} else if ctx.Err() == nil {
		f.indexes.log.WarnContext(ctx, "files not read", "agent", agent, "error", err)
	}
	s.err, s.took, s.ended = err, took, time.Now()
	close(s.running)
	s.running = nil
}

// fill indexes what is new in a library, and notes which passages mirror a record.
func (f *files) fill(ctx context.Context, agent string, s *stock) error {
	var adding sync.WaitGroup // of one batch, while the next is read
	defer adding.Wait()
	return s.library.Update(ctx, func(docs []memory.Document) error {
		ids, texts, list := recordsOf(docs), make([]string, len(docs)), make([]index.Document, len(docs))
		known := map[string]bool{}
		for some := range slices.Chunk(ids, page) {
			records, err := f.indexes.store.Records(ctx, agent, some)
			if err != nil {
				return err
			}
			for _, r := range records {
				known[r.ID] = true
			}
		}
		s.mu.Lock()
		for i, d := range docs {
			list[i], texts[i] = indexDocument(d), d.SearchText()
			if known[d.Place.Record] {
				s.mirrored[d.Seq] = true
			}
		}
		s.mu.Unlock()
		if f.indexes.embedder.Local() {
			vectors, err := f.indexes.embedder.EmbedDocuments(ctx, texts)
			if err != nil {
				return err
			}
			for i := range vectors {
				list[i].Vector = vectors[i]
			}
		}
		adding.Wait()
		adding.Go(func() { s.index.Add(list) })
		return nil
	})
}

// recordsOf returns the ids of the records that passages are marked as mirroring.
func recordsOf(docs []memory.Document) (ids []string) {
	for _, d := range docs {
		if d.Place.Record != "" {
			ids = append(ids, d.Place.Record)
		}
	}
	return ids
}

// allowed returns the numbers of the passages that may answer a question, ascending; nil for all. Where
// memories are searched as well, passages that mirror a record are left out.
func (s *stock) allowed(q question) []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	twice := slices.Contains(q.Corpora, memory.Memories) && len(s.mirrored) > 0
	if !twice && !q.Filter.Narrow() {
		return nil
	}
	until := q.Filter.Until
	if then := q.Filter.AsOf; !then.IsZero() && (until.IsZero() || then.Before(until)) {
		until = then // what was written later was not there
	}
	list := slices.DeleteFunc(s.library.Select(q.Filter.Since, until), func(seq int64) bool { return twice && s.mirrored[seq] })
	return append(make([]int64, 0, 1), list...) // never nil
}

// WarmFiles reads the files of an agent and returns when all are indexed. The error
// is that of the context or of reading.
func (s *Service) WarmFiles(ctx context.Context, agent string) error {
	if s.files == nil {
		return nil
	}
	if _, err := s.files.current(ctx, agent); err != nil {
		return err
	}
	e := s.files.entry(agent)
	e.mu.Lock()
	running := e.running
	e.mu.Unlock()
	if running == nil {
		return nil
	}
	select {
	case <-running:
	case <-ctx.Done():
		return ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// inFiles returns the passages that answer a question.
func (s *Service) inFiles(ctx context.Context, q question) ([]*candidate, error) {
	if s.files == nil || len(q.stems) == 0 || !q.Filter.OfFiles() {
		return nil, nil
	}
	found, err := s.files.current(ctx, q.Scope.Agent)
	if err != nil {
		return nil, err
	}
	query := q.forIndex(memory.Workspace)
	if query.Allowed = found.allowed(q); query.Allowed != nil && len(query.Allowed) == 0 {
		return nil, nil
	}
	hits := found.index.Search(query, depth)
	list, err := s.loadWith(q, memory.Workspace, hits, func(seqs []int64) ([]memory.Document, error) {
		docs, err := found.library.Documents(ctx, seqs)
		if err != nil {
			return nil, err
		}
		return s.withoutForgotten(ctx, q, docs)
	})
	return found.once(list), err
}

// once keeps only the best of several passages that mirror one record: both MEMORY.md and the log of a
// day may have one.
func (s *stock) once(ranked []*candidate) []*candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := map[string]bool{}
	return slices.DeleteFunc(ranked, func(c *candidate) bool {
		again := s.mirrored[c.Document.Seq] && shown[c.Place.Record]
		shown[c.Place.Record] = true
		return again
	})
}

// withoutForgotten leaves out passages that mirror records which were archived or superseded, or
// which the question may not read.
func (s *Service) withoutForgotten(ctx context.Context, q question, docs []memory.Document) ([]memory.Document, error) {
	ids := recordsOf(docs)
	if len(ids) == 0 {
		return docs, nil
	}
	records, err := s.store.Records(ctx, q.Scope.Agent, ids)
	if err != nil {
		return nil, err
	}
	hidden := map[string]bool{}
	for _, r := range records {
		hidden[r.ID] = !r.Live() || !q.mayShow(r)
	}
	return slices.DeleteFunc(docs, func(d memory.Document) bool { return hidden[d.Place.Record] }), nil
}
