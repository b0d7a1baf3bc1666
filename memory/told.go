package memory

import (
	"context"
	"time"
)

// MaxToldQuery is how much of a question the log of what was told keeps, in bytes.
const MaxToldQuery = 1000

// Told is a log entry of one occasion on which an agent was given something of its bank. It has the
// ids of what was given, not the contents.
type Told struct {
	ID      string // UUIDv7, so they are in order of time
	Project string
	Session string
	Via     string // a tool's name, "session-start", or a host's hook such as "hook prompt"
	Query   string // the beginning of the question, see MaxToldQuery; "" where nobody asked
	Results []ToldResult
	Tokens  int // of what was given
	At      time.Time
}

// ToldResult is one thing that was given.
type ToldResult struct {
	ID    string  `json:"id"`
	Score float64 `json:"score,omitempty"` // 0 to 1; 0 where nothing was compared
}

// ToldLog keeps what agents were told. Writing to it does not count as a change of a bank (see
// [Changes]), so that no index of the bank has to be updated.
type ToldLog interface {
	// NoteTold appends to the log of an agent; for one without a bank it does nothing.
	NoteTold(ctx context.Context, agent string, entries []Told) error
	// Told returns up to limit entries of an agent with a smaller ID than before, which
	// may be empty, newest first.
	Told(ctx context.Context, agent, before string, limit int) ([]Told, error)
	// PruneTold removes up to limit entries from before a time, the oldest first, and returns
	// how many it removed.
	PruneTold(ctx context.Context, agent string, before time.Time, limit int) (int, error)
}
