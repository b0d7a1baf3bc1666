package sqlite

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
)

// care is the state of the store's caretaker: when others use the store, and what is known of the
// health of its files.
type care struct {
	lastCall atomic.Int64                       // when the store was last called, nanoseconds since 1970
	stopLook atomic.Pointer[context.CancelFunc] // cancels the check of a table under way; nil for none

	lastSave atomic.Int64 // as lastCall, but of writes only
	tempo    tempo

	erasures atomic.Int64 // how many writes erased something

	scrub chan struct{} // semaphore of one: its holder scrubs, and may use pass
	wake  chan struct{} // holds one signal that there is something to scrub
	pass  *scrubbing    // the pass that was interrupted, nil for none

	mending    sync.Mutex // guards the next two fields, and lets one call mend at a time
	mended     time.Time  // when mending was tried last
	mendedWell bool       // whether that succeeded

	mu        sync.Mutex
	problems  []memory.Finding // found by looking through the file
	checkedAt time.Time        // when a look through the whole file last ended
	logged    map[string]bool  // details of problems that were logged; cleared when a look finds none

	log *slog.Logger
}

// Health implements [memory.Caretaker].
func (s *Store) Health() memory.Health {
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	h := memory.Health{Problems: slices.Clone(s.care.problems), CheckedAt: s.care.checkedAt}
	if err := s.writer.files.check(); err != nil {
		public := memory.Public(err)
		h.Problems = append([]memory.Finding{{Check: "file", Condition: memory.ConditionBroken, Detail: public.Message,
			Advice: public.Hint}}, h.Problems...)
	}
	return h
}
