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

// Looked is how many of the newest memories are compared.
const Looked = 2000

// Kind says what there is to decide.
type Kind string

// The kinds of item.
const (
	Successor Kind = "successor" // the newer may have taken the place of the older
	Opposite  Kind = "opposite"  // one says the opposite of the other
	Duplicate Kind = "duplicate" // both say nearly the same
	Secret    Kind = "secret"    // it looks like what nobody should read by chance
	Unused    Kind = "unused"    // it was learned long ago and never recalled
)

// Item is one thing to decide.
type Item struct {
	Key   string // names it, whatever happens to others
	Kind  Kind
	Newer memory.Record
	Older memory.Record // of pairs, else zero
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

// Options are what a [Service] is made of. All fields are needed.
type Options struct {
	Store Store
	Clock memory.Clock
	Log   *slog.Logger
}

// Service finds what is to be decided. Safe for concurrent use.
type Service struct {
	o     Options
	mu    sync.Mutex
	banks map[string]*bank
}

// bank is what was found in one.
type bank struct {
	mu      sync.Mutex
	writes  int64 // the bank's counter when it was looked at
	looked  bool
	looking bool
	items   []Item
}

// New returns a service over a store.
func New(o Options) *Service { return &Service{o: o, banks: map[string]*bank{}} }

func (s *Service) bank(agent string) *bank {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.banks[agent] == nil {
		s.banks[agent] = &bank{}
	}
	return s.banks[agent]
}

// Items returns what is to be decided in a bank, the newest first.
func (s *Service) Items(ctx context.Context, agent string) ([]Item, error) {
	b := s.bank(agent)
	b.mu.Lock()
	defer b.mu.Unlock()
	changes, err := s.o.Store.Changes(ctx, agent)
	if err != nil || b.looked && changes.Writes == b.writes {
		return b.items, err
	}
	items, err := s.look(ctx, agent)
	if err == nil {
		b.items, b.writes, b.looked = items, changes.Writes, true
	}
	return b.items, err
}

// Count returns how many there are as far as is known, at once, and sees to it that it is known
// soon: false if nobody has looked yet.
func (s *Service) Count(agent string) (n int, known bool) {
	b := s.bank(agent)
	if !b.mu.TryLock() {
		return 0, false
	}
	n, known = len(b.items), b.looked
	start := !b.looking
	b.looking = true
	b.mu.Unlock()
	if start {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if _, err := s.Items(ctx, agent); err != nil {
				s.o.Log.InfoContext(ctx, "look for what is to be reviewed", "error", err)
			}
			b.mu.Lock()
			b.looking = false
			b.mu.Unlock()
		}()
	}
	return n, known
}

// stateKept is the key under which a bank keeps what may stay as it is, and maxKept how much of
// that, the newest.
const (
	stateKept = "review.kept"
	maxKept   = 5000
)

// Keep notes that an item may stay as it is, or with again that it is to be decided again.
// [memory.CodeNotFound] for a key that is not kept and should be no longer.
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

// look finds the items of a bank.
func (s *Service) look(ctx context.Context, agent string) ([]Item, error) {
	kept, err := keptOf(s.o.Store.State(ctx, agent, stateKept))
	if err != nil {
		return nil, err
	}
	now := s.o.Clock.Now()
	filter := memory.Filter{Agent: agent, Now: now}
	seqs, err := s.o.Store.Newest(ctx, memory.Memories, filter, 0, Looked)
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
	items := slices.DeleteFunc(append(pairs(documents, apart), alone(documents, now)...), func(i Item) bool { return slices.Contains(kept, i.Key) })
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(b.Newer.EventTime().Compare(a.Newer.EventTime()), cmp.Compare(a.Key, b.Key))
	})
	return items, nil
}

// keyOf names an item.
func keyOf(kind Kind, ids ...string) string {
	text := string(kind)
	for _, id := range ids {
		text += " " + id
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
