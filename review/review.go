package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mcp-memory/memory"
)

// Looked is how many of the newest memories a look reads.
const Looked = 2000

// Kind is what there is to decide.
type Kind string

// The kinds of item.
const (
	Successor Kind = "successor" // the newer may have replaced the older
	Opposite  Kind = "opposite"  // one says the opposite of the other
	Duplicate Kind = "duplicate" // both say nearly the same
	Secret    Kind = "secret"    // it looks like a secret but is not filed as one
	Year      Kind = "year"      // the program wrote it, with a year that nobody said
	Unused    Kind = "unused"    // an old learning that was never recalled and saved only once
)

// Item is one thing to decide.
type Item struct {
	Key   string // hash of kind and ids of the memories
	Kind  Kind
	Newer memory.Record
	Older memory.Record // of pairs, else the zero record
	// Said is, for Year, the source that is closest to the sentence with the year. Corrected is the
	// memory's text without the year, "" if the sentence makes no sense without.
	Said      Said
	Corrected string

	newer, older int64 // [memory.Document.Seq] of Newer and Older
}

// Pair reports whether an item is about two memories.
func (i Item) Pair() bool { return i.Older.ID != "" }

// Store is what this package needs of a database.
type Store interface {
	memory.Searcher
	memory.Mirror
	memory.Reader
	memory.Writer
	memory.WorkingReader
}

// Options are the dependencies of a [Service]. All fields are needed.
type Options struct {
	Store Store
	Clock memory.Clock
	Log   *slog.Logger
}

// Found is what is to be decided in a bank, as far as is known.
type Found struct {
	Items  []Item // newest first
	Looked bool   // false before the first look has ended; Items is empty then
	Again  bool   // the bank has changed since the last look, and the next one runs
}

// Service finds what is to be decided. It is safe for concurrent use.
type Service struct {
	o     Options
	ctx   context.Context // context of the looks
	end   context.CancelFunc
	looks sync.WaitGroup
	mu    sync.Mutex
	banks map[string]*bank
}

// bank is the state of the looks at one bank.
type bank struct {
	mu      sync.Mutex
	writes  int64  // [memory.Changes.Writes] as of the last look
	looks   int    // how many looks have ended
	items   []Item // result of the last look, including items that are to be kept
	count   int    // how many of them were open when Items or refresh last checked
	looking bool
	again   bool // start was called while a look was running
}

// New returns a service. [Service.Close] ends its background work.
func New(o Options) *Service {
	s := &Service{o: o, banks: map[string]*bank{}}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// Close cancels running looks and waits for them. No look starts after it.
func (s *Service) Close() {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	s.looks.Wait()
}

func (s *Service) bank(agent string) *bank {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.banks[agent] == nil {
		s.banks[agent] = &bank{}
	}
	return s.banks[agent]
}

// Items returns the items of the last look that nobody has decided, forgotten or replaced since. It
// does not wait for a look, but starts one if there was none or the bank has changed.
func (s *Service) Items(ctx context.Context, agent string) (Found, error) {
	changes, err := s.o.Store.Changes(ctx, agent)
	if err != nil {
		return Found{}, err
	}
	b := s.bank(agent)
	b.mu.Lock()
	looks, items, writes := b.looks, b.items, b.writes
	b.mu.Unlock()
	found := Found{Looked: looks > 0, Again: looks > 0 && writes != changes.Writes}
	if !found.Looked || found.Again {
		s.start(agent, b)
	}
	if found.Items, err = s.open(ctx, agent, items); err != nil {
		return Found{}, err
	}
	b.mu.Lock()
	if b.looks == looks {
		b.count = len(found.Items)
	}
	b.mu.Unlock()
	return found, nil
}

// Count returns at once how many items are open, as far as is known. known is false before the
// first look has ended. It starts a look if the bank has changed.
func (s *Service) Count(agent string) (n int, known bool) {
	b := s.bank(agent)
	s.start(agent, b)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count, b.looks > 0
}

// Looks returns how many looks at a bank have ended. When it grows, Items may have changed.
func (s *Service) Looks(agent string) int {
	b := s.bank(agent)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.looks
}

// start starts a look at a bank in the background, unless one is running.
func (s *Service) start(agent string, b *bank) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.again = b.looking; b.looking || s.ctx.Err() != nil {
		return
	}
	b.looking = true
	s.looks.Go(func() {
		for more := true; more; {
			err := s.refresh(agent, b)
			if err != nil && s.ctx.Err() == nil {
				s.o.Log.InfoContext(s.ctx, "look for what is to be reviewed", "error", err)
			}
			b.mu.Lock()
			// Whoever called start meanwhile may have seen a write that this look has not.
			more = b.again && err == nil
			b.looking, b.again = more, false
			b.mu.Unlock()
		}
	})
}

// refresh runs a look if the bank has changed since the last one.
func (s *Service) refresh(agent string, b *bank) error {
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	changes, err := s.o.Store.Changes(ctx, agent)
	if err != nil {
		return err
	}
	b.mu.Lock()
	current := b.looks > 0 && b.writes == changes.Writes
	b.mu.Unlock()
	if current {
		return nil
	}
	items, err := s.look(ctx, agent)
	if err != nil {
		return err
	}
	open, err := s.open(ctx, agent, items)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items, b.count, b.writes = items, len(open), changes.Writes
	b.looks++
	return nil
}

// stateKept is the key of the bank's state that holds the keys of items to keep as they are. Only
// the newest maxKept are stored.
const (
	stateKept = "review.kept"
	maxKept   = 5000
)

// Keep stores that an item is to be kept as it is. With again it removes that decision, and fails
// with [memory.CodeNotFound] if there is none.
func (s *Service) Keep(ctx context.Context, agent, key string, again bool) error {
	err := s.o.Store.Write(ctx, agent, func(tx memory.Tx) error {
		kept, err := keptOf(tx.State(stateKept))
		if err != nil {
			return err
		}
		n := len(kept)
		kept = slices.DeleteFunc(kept, func(k string) bool { return k == key })
		switch {
		case again && len(kept) == n:
			return memory.Errorf(memory.CodeNotFound, "nothing was decided about %q", key)
		case !again:
			kept = append(kept, key)
		}
		value, err := json.Marshal(kept[max(0, len(kept)-maxKept):])
		if err != nil {
			return err
		}
		return tx.SetState(stateKept, value)
	})
	return err
}

func keptOf(value json.RawMessage, err error) (kept []string, _ error) {
	if err != nil || value == nil {
		return nil, err
	}
	return kept, json.Unmarshal(value, &kept)
}

// newest returns the sequence numbers of the newest Looked memories, ascending.
func (s *Service) newest(ctx context.Context, filter memory.Filter) ([]int64, error) {
	return s.o.Store.Newest(ctx, memory.Memories, filter, 0, Looked)
}

// open returns the items that are not to be kept as they are and whose memories still hold
// unchanged. A memory whose text was changed has another sequence number.
func (s *Service) open(ctx context.Context, agent string, items []Item) (open []Item, err error) {
	if len(items) == 0 {
		return nil, nil
	}
	kept, err := keptOf(s.o.Store.State(ctx, agent, stateKept))
	if err != nil {
		return nil, err
	}
	stay := make(map[string]bool, len(kept))
	for _, key := range kept {
		stay[key] = true
	}
	seqs, err := s.newest(ctx, memory.Filter{Agent: agent, Now: s.o.Clock.Now()})
	if err != nil {
		return nil, err
	}
	holds := func(seq int64) bool {
		_, found := slices.BinarySearch(seqs, seq)
		return found
	}
	for _, i := range items {
		if !stay[i.Key] && holds(i.newer) && (!i.Pair() || holds(i.older)) {
			open = append(open, i)
		}
	}
	return open, nil
}

// look finds the items of a bank, including those that are to be kept as they are.
func (s *Service) look(ctx context.Context, agent string) ([]Item, error) {
	now := s.o.Clock.Now()
	filter := memory.Filter{Agent: agent, Now: now}
	seqs, err := s.newest(ctx, filter)
	if err != nil {
		return nil, err
	}
	documents, err := s.o.Store.Documents(ctx, memory.Memories, filter, seqs)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(documents, func(a, b memory.Document) int {
		return cmp.Or(a.EventTime().Compare(b.EventTime()), cmp.Compare(a.Seq, b.Seq))
	})
	ids := make([]string, len(documents))
	for i, d := range documents {
		ids[i] = d.ID
	}
	apart, err := s.o.Store.Apart(ctx, agent, ids)
	if err != nil {
		return nil, err
	}
	years, err := s.invented(ctx, documents)
	if err != nil {
		return nil, err
	}
	items := slices.Concat(pairs(ctx, documents, apart), alone(documents, now), years)
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(b.Newer.EventTime().Compare(a.Newer.EventTime()), cmp.Compare(a.Key, b.Key))
	})
	return items, ctx.Err()
}

// keyOf returns the key of an item.
func keyOf(kind Kind, ids ...string) string {
	text := string(kind)
	for _, id := range ids {
		text += " " + id
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
