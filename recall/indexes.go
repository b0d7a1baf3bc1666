package recall

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

const (
	// foregroundLimit is how many documents are indexed while the question waits:
	// some tens of milliseconds, once. Larger banks are indexed in the background.
	foregroundLimit = 4000
	// maxIndexed bounds the bytes of all indexes together, as indexEntry counts them.
	// What was not asked for longest gives way. A bank that alone has more goes without
	// the encoder's vectors, and where that is not enough is searched in the database.
	maxIndexed = 600_000_000
	// eachIndex is how many bytes the parts of an index take that do not grow with the bank,
	// and perDocument what a document adds: of 12 words, with a vector of 192 values.
	eachIndex, perDocument = 300_000, 400
	// eachEncoder and perEncoded are the same of the vectors by the encoder.
	eachEncoder, perEncoded = 140_000, 420
	// idleTime is how long an index is kept that nobody asks.
	idleTime = 15 * time.Minute
	// restTime is after how long without a question garbage is given back to the system.
	restTime = 10 * time.Second
	// busyTime is how long a large index stays after a question, however many others there are.
	busyTime = time.Minute
	// warmPoll is how often warm looks whether an index is built.
	warmPoll = 10 * time.Millisecond
	// page is how many documents are read at a time.
	page = 1000
)

// indexes keeps an in-process index for each bank and corpus that is asked
// about: built when it is first needed, kept current by the bank's counters,
// and dropped when it is idle.
type indexes struct {
	store           Store
	embedder        memory.Embedder
	encoder         *Encoder // nil for none
	table           func() *semantics.Table
	learns          func(category string) bool // whether a category is learned from its records
	clock           memory.Clock
	log             *slog.Logger
	foregroundLimit int
	most            int         // bytes of all indexes together; see maxIndexed
	once            bool        // large banks are not indexed: there will be no second question
	withoutEncoder  atomic.Bool // its vectors could not be read the last time

	mu      sync.Mutex
	entries map[indexKey]*indexEntry
	sweep   *time.Timer
}

type indexKey struct {
	agent  string
	corpus memory.Corpus
}

// indexEntry is the place of one index.
type indexEntry struct {
	mu      sync.Mutex // held while the contents are brought up to date
	built   *built     // nil until the first is ready
	encodes bool       // whether it has the vectors by the encoder; never changes

	// The rest is guarded by indexes.mu.
	documents int
	building  bool
	used      time.Time
}

// bytes is about what the index takes. The caller holds indexes.mu.
func (e *indexEntry) bytes() int {
	n := eachIndex + perDocument*e.documents
	if e.encodes {
		n += eachEncoder + perEncoded*min(e.documents, maxEncoded)
	}
	return n
}

// built is an index, with the state of the bank that it reflects.
type built struct {
	*index.Index
	changes memory.Changes
	unseen  []int64 // documents that had no vector yet
	encodes bool    // whether it has vectors by the encoder
	// unencoded are documents that had no vector by the encoder yet, ascending.
	unencoded []int64
	behind    bool // the encoder may have made vectors of some of these
}

// current returns an index that has everything committed so far, or nil while
// a first one is being built and for a bank that is too large for one.
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
	if e.built == nil || e.built.changes.Rewrites != now.Rewrites {
		if err := x.rebuild(ctx, e, agent, c); err != nil || e.built == nil {
			return nil, err
		}
	}
	// A document that is gone since a rebuild began is still in the index. It is not shown:
	// the database, from which results are read, no longer has it.
	if e.built.changes.Writes != now.Writes {
		if err := x.addNew(ctx, e.built, agent, c); err != nil {
			return nil, err
		}
		e.built.changes.Writes = now.Writes
		x.locked(func() { e.documents = e.built.Len() })
	}
	if e.built.behind {
		x.takeUp(ctx, e.built, agent, c, takenAtOnce)
	}
	return e.built.Index, nil
}

// warm is like current, but waits until the index is built. It is nil if there will
// be none.
func (x *indexes) warm(ctx context.Context, agent string, c memory.Corpus) (*index.Index, error) {
	for {
		if e, err := x.entry(ctx, agent, c); e == nil || err != nil {
			return nil, err
		}
		if ix, err := x.current(ctx, agent, c); ix != nil || err != nil {
			return ix, err
		}
		select { // it is being built in the background
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(warmPoll):
		}
	}
}

// entry finds the place of an index, or makes it; nil if there is no room.
func (x *indexes) entry(ctx context.Context, agent string, c memory.Corpus) (*indexEntry, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	total := x.dropIdle()
	key := indexKey{agent, c}
	e := x.entries[key]
	if e == nil {
		of := c
		if c == memory.Thinking {
			of = memory.Conversations // at most one of each turn
		}
		stats, err := x.store.Statistics(ctx, agent, of, nil)
		if err != nil {
			return nil, err
		}
		e = &indexEntry{documents: stats.Documents, encodes: x.encoder.serves(c)}
		room := x.makeRoom(total + e.bytes() - x.most)
		if !room && e.encodes {
			e.encodes = false
			room = x.makeRoom(total + e.bytes() - x.most)
		}
		if !room {
			return nil, nil
		}
		x.entries[key] = e
	}
	e.used = x.clock()
	if x.sweep == nil {
		x.sweep = time.AfterFunc(restTime, x.sweepIdle)
	} else {
		x.sweep.Reset(restTime)
	}
	return e, nil
}

// dropIdle forgets what nobody has asked for long and returns how many bytes are
// left. The caller holds x.mu.
func (x *indexes) dropIdle() (total int) {
	now := x.clock()
	for key, e := range x.entries {
		if now.Sub(e.used) >= idleTime && !e.building {
			delete(x.entries, key)
			continue
		}
		total += e.bytes()
	}
	return total
}

// makeRoom drops the indexes that were not asked for longest, until excess bytes are free. If all
// that may be dropped are not enough it drops none and reports false. The caller holds x.mu.
func (x *indexes) makeRoom(excess int) bool {
	if excess <= 0 {
		return true
	}
	var oldest []indexKey
	free := 0
	for key, e := range x.entries {
		// A large index takes long to build: two that are asked in turn do not displace each other.
		if !e.building && (e.documents <= x.foregroundLimit || x.clock().Sub(e.used) >= busyTime) {
			oldest = append(oldest, key)
			free += e.bytes()
		}
	}
	if free < excess {
		return false
	}
	slices.SortFunc(oldest, func(a, b indexKey) int { return x.entries[a].used.Compare(x.entries[b].used) })
	for _, key := range oldest {
		if excess <= 0 {
			break
		}
		excess -= x.entries[key].bytes()
		delete(x.entries, key)
	}
	return true
}

// sweepIdle gives memory back when no question has come for a while, and drops the indexes
// when none has come for long.
func (x *indexes) sweepIdle() {
	x.mu.Lock()
	if x.dropIdle(); len(x.entries) > 0 && x.sweep != nil {
		x.sweep.Reset(idleTime)
	}
	x.mu.Unlock()
	debug.FreeOSMemory()
}

// locked changes what x.mu guards.
func (x *indexes) locked(change func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change()
}

// rebuild makes a new index: at once for a small bank, in the background for a
// large one, while the old one, if there is one, still answers. The caller holds e.mu.
func (x *indexes) rebuild(ctx context.Context, e *indexEntry, agent string, c memory.Corpus) error {
	var large, begin bool
	x.locked(func() {
		large = e.documents > x.foregroundLimit
		begin = large && !e.building && !x.once
		e.building = e.building || begin
	})
	if !large {
		fresh, err := x.build(ctx, e, agent, c)
		if err == nil {
			e.built = fresh
			x.locked(func() { e.documents = fresh.Len() })
		}
		return err
	}
	if begin {
		go x.buildInBackground(context.WithoutCancel(ctx), e, agent, c)
	}
	return nil
}

func (x *indexes) buildInBackground(ctx context.Context, e *indexEntry, agent string, c memory.Corpus) {
	defer x.locked(func() { e.building = false })
	start := time.Now()
	fresh, err := x.build(ctx, e, agent, c)
	if err != nil {
		// At shutdown for example; the next question tries again.
		x.log.Info("index not built", "corpus", c, "error", err)
		return
	}
	fresh.Trim()
	e.mu.Lock()
	e.built = fresh
	e.mu.Unlock()
	x.locked(func() { e.documents = fresh.Len() })
	x.log.Info("index built", "corpus", c, "documents", fresh.Len(), "took", time.Since(start))
	debug.FreeOSMemory() // what reading and analysing everything has left behind
}

func (x *indexes) build(ctx context.Context, e *indexEntry, agent string, c memory.Corpus) (*built, error) {
	// The counters are read first: what is written while the documents are read is then
	// read again, or seen to be missing, at the next question.
	changes, err := x.store.Changes(ctx, agent)
	if err != nil {
		return nil, err
	}
	b := &built{Index: index.New(x.table(), nil), changes: changes, encodes: e.encodes}
	if err := x.addNew(ctx, b, agent, c); err != nil {
		return nil, err
	}
	x.takeUp(ctx, b, agent, c, maxEncoded)
	return b, nil
}

// addNew adds what is not in the index yet.
func (x *indexes) addNew(ctx context.Context, b *built, agent string, c memory.Corpus) error {
	for {
		docs, err := x.store.After(ctx, c, agent, b.Last(), page)
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
		encoded := b.encodes && b.Len() < maxEncoded
		b.Add(added)
		for _, d := range added {
			if encoded {
				b.unencoded = append(b.unencoded, d.Seq)
			}
			if d.Vector == nil && !x.embedder.Local() && c != memory.Thinking { // which has no vectors in the store
				b.unseen = append(b.unseen, d.Seq)
			}
		}
		if len(docs) < page {
			break
		}
	}
	b.behind = true // the bank has changed, perhaps by vectors of the encoder
	return x.addVectors(ctx, b, agent, c)
}

// addVectors takes up vectors that arrived after their documents.
func (x *indexes) addVectors(ctx context.Context, b *built, agent string, c memory.Corpus) error {
	if len(b.unseen) == 0 {
		return nil
	}
	vectors, err := x.store.Vectors(ctx, agent, c, b.unseen)
	if err != nil {
		return err
	}
	left := b.unseen[:0]
	for _, seq := range b.unseen {
		if v := vectors[seq]; v != nil {
			b.SetVector(seq, v)
		} else {
			left = append(left, seq)
		}
	}
	b.unseen = left
	return nil
}

// withVectorsOf is like documents, but only those with a number in seqs, ascending, get vectors, also
// by the encoder.
func (x *indexes) withVectorsOf(ctx context.Context, agent string, c memory.Corpus, docs []memory.Document,
	seqs []int64) ([]index.Document, error) {
	var chosen []memory.Document
	var places []int
	list := make([]index.Document, len(docs))
	for i, d := range docs {
		if _, found := slices.BinarySearch(seqs, d.Seq); found {
			chosen, places = append(chosen, d), append(places, i)
			continue
		}
		list[i] = indexDocument(d)
	}
	measured, err := x.documents(ctx, agent, c, chosen)
	x.addEncoded(ctx, agent, c, measured)
	for i, d := range measured {
		list[places[i]] = d
	}
	return list, err
}

// documents turns stored documents into what the index keeps, with their vectors: made anew by a local
// embedder, which is quicker than reading them, else as stored.
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
		x.addMeanings(list)
		return list, err
	}
	if c == memory.Thinking {
		return list, nil
	}
	vectors, err := x.store.Vectors(ctx, agent, c, seqs)
	for i, seq := range seqs {
		list[i].Vector = vectors[seq]
	}
	x.addMeanings(list)
	return list, err
}

// addMeanings sets Meaning, the vector that the centroid of a category is made of, for documents of
// categories that are learned from their records.
func (x *indexes) addMeanings(list []index.Document) {
	summed := fromTable(x.embedder)
	for i, d := range list {
		switch {
		case !x.learns(d.Category):
		case summed && d.Vector != nil:
			list[i].Meaning = d.Vector
		default:
			list[i].Meaning = x.table().TextVector(analysis.Stems(d.Text), nil)
		}
	}
}
