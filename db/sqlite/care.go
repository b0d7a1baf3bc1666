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

// care is what the store knows of its files' health.
type care struct {
	lastCall atomic.Int64                       // nanoseconds since 1970
	stopLook atomic.Pointer[context.CancelFunc] // of the look that is under way, nil for none

	lastSave atomic.Int64 // as lastCall, of writes only
	tempo    tempo

	erasures atomic.Int64 // writes that erased something

	scrub chan struct{} // has room for one, who may use the next
	wake  chan struct{} // has room for one; there is something to scrub
	pass  *scrubbing    // that was interrupted, nil for none

	mending    sync.Mutex // of the next two
	mended     time.Time  // when that was tried last
	mendedWell bool

	mu        sync.Mutex
	problems  []memory.Finding // found by looking through the file
	checkedAt time.Time
	logged    map[string]bool // details of problems that were logged, until a look finds nothing

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
