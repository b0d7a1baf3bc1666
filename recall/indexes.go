package recall

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/semantics"
)

const (
	// promptly is how many documents are indexed while the question waits:
	// some tens of milliseconds, once. Larger banks are indexed behind.
	promptly = 4000
	// maxIndexed bounds the documents of all indexes together; about 350 bytes
	// each. A bank that alone has more is searched in the database.
	maxIndexed = 1_500_000
	// idle is how long an index is kept that nobody asks.
	idle = 15 * time.Minute
	// page is how many documents are read at a time.
	page = 1000
)

// indexes keeps an in-process index for each bank and corpus that is asked
// about: built when it is first needed, kept current by the bank's counters,
// and dropped when it is idle.
type indexes struct {
	store    Store
	embedder memory.Embedder
	table    func() *semantics.Table
	clock    memory.Clock
	log      *slog.Logger

	mu      sync.Mutex
	entries map[indexKey]*indexEntry
}

type indexKey struct {
	agent  string
	corpus memory.Corpus
}

type indexEntry struct {
	mu        sync.Mutex // held while it is built or brought up to date
	index     *index.Index
	changes   memory.Changes
	unseen    []int64 // documents that had no vector yet
	documents int
	building  bool
	used      time.Time
}

// current returns an index that has everything committed so far, or nil while
// a large one is being built.
func (x *indexes) current(ctx context.Context, agent string, c memory.Corpus) (*index.Index, error) {
	e, err := x.entry(ctx, agent, c)
	if err != nil || e == nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	now, err := x.store.Changes(ctx, agent)
	if err != nil {
		return nil, err
	}
	if e.index == nil || e.changes.Rewrites != now.Rewrites {
		return x.rebuild(ctx, e, agent, c)
	}
	if e.changes != now {
		if err := x.follow(ctx, e, e.index, agent, c); err != nil {
			return nil, err
		}
		e.changes = now
	}
	return e.index, nil
}

// entry finds the place of an index and throws out what has been idle. It is
// nil if the index is being built, or is not to be.
func (x *indexes) entry(ctx context.Context, agent string, c memory.Corpus) (*indexEntry, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := x.clock()
	total := 0
	for key, e := range x.entries {
		if now.Sub(e.used) > idle && !e.building {
			delete(x.entries, key)
			continue
		}
		total += e.documents
	}
	key := indexKey{agent, c}
	e := x.entries[key]
	if e == nil {
		stats, err := x.store.Statistics(ctx, agent, c, nil)
		if err != nil {
			return nil, err
		}
		if total+stats.Documents > maxIndexed {
			return nil, nil
		}
		e = &indexEntry{documents: stats.Documents}
		x.entries[key] = e
	}
	e.used = now
	if e.building {
		return nil, nil
	}
	return e, nil
}

// rebuild makes a new index: at once for a small bank, behind for a large one.
// The caller holds e.mu.
func (x *indexes) rebuild(ctx context.Context, e *indexEntry, agent string, c memory.Corpus) (*index.Index, error) {
	e.index, e.unseen = nil, nil
	if e.documents <= promptly {
		return e.index, x.build(ctx, e, agent, c)
	}
	x.setBuilding(e, true)
	go func() {
		defer x.setBuilding(e, false)
		e.mu.Lock()
		defer e.mu.Unlock()
		start := time.Now()
		if err := x.build(context.WithoutCancel(ctx), e, agent, c); err != nil {
			x.log.Warn("build index", "corpus", c, "error", err)
			return
		}
		x.log.Info("index built", "corpus", c, "documents", e.documents, "took", time.Since(start))
	}()
	return nil, nil
}

func (x *indexes) setBuilding(e *indexEntry, building bool) {
	x.mu.Lock()
	e.building = building
	x.mu.Unlock()
}

func (x *indexes) build(ctx context.Context, e *indexEntry, agent string, c memory.Corpus) error {
	// The counters first: what comes while we read is read again, or is seen
	// to be missing, next time.
	changes, err := x.store.Changes(ctx, agent)
	if err != nil {
		return err
	}
	ix := index.New(x.table(), nil)
	if err := x.follow(ctx, e, ix, agent, c); err != nil {
		return err
	}
	e.index, e.changes, e.documents = ix, changes, ix.Len()
	return nil
}

// follow adds what is not in the index yet.
func (x *indexes) follow(ctx context.Context, e *indexEntry, ix *index.Index, agent string, c memory.Corpus) error {
	for {
		docs, err := x.store.After(ctx, c, agent, ix.Last(), page)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			break
		}
		added, err := x.documents(ctx, agent, c, docs)
		if err != nil {
			return err
		}
		ix.Add(added)
		for _, d := range added {
			if d.Vector == nil && !x.embedder.Local() {
				e.unseen = append(e.unseen, d.Seq)
			}
		}
		if len(docs) < page {
			break
		}
	}
	return x.catchUp(ctx, e, ix, agent, c)
}

// catchUp takes up vectors that arrived after their documents.
func (x *indexes) catchUp(ctx context.Context, e *indexEntry, ix *index.Index, agent string, c memory.Corpus) error {
	if len(e.unseen) == 0 {
		return nil
	}
	vectors, err := x.store.Vectors(ctx, agent, c, e.unseen)
	if err != nil {
		return err
	}
	left := e.unseen[:0]
	for _, seq := range e.unseen {
		if v := vectors[seq]; v != nil {
			ix.SetVector(seq, v)
		} else {
			left = append(left, seq)
		}
	}
	e.unseen = left
	return nil
}

// documents turns stored documents into what the index keeps, with vectors: a
// local embedder is quicker than reading them.
func (x *indexes) documents(ctx context.Context, agent string, c memory.Corpus, docs []memory.Document) ([]index.Document, error) {
	list := make([]index.Document, len(docs))
	texts, seqs := make([]string, len(docs)), make([]int64, len(docs))
	for i, d := range docs {
		list[i] = indexDocument(d)
		texts[i], seqs[i] = d.Content, d.Seq
	}
	if x.embedder.Local() {
		vectors, err := x.embedder.EmbedDocuments(ctx, texts)
		for i := range vectors {
			list[i].Vector = vectors[i]
		}
		return list, err
	}
	vectors, err := x.store.Vectors(ctx, agent, c, seqs)
	for i, seq := range seqs {
		list[i].Vector = vectors[seq]
	}
	return list, err
}
