package memory

import (
	"context"
	"time"
)

// MaxToldQuery is how much of a question the log of what was told keeps, in bytes.
const MaxToldQuery = 1000

// Told is one occasion on which an agent was given something of its bank. What was
// given is named, not repeated.
type Told struct {
	ID      string // UUIDv7, so they are in order of time
	Project string
	Session string
	Via     string // a tool's name, "session-start", or a host's hook such as "hook prompt"
	Query   string // its beginning, see MaxToldQuery; "" where nobody asked
	Results []ToldResult
	Tokens  int // of what was given
	At      time.Time
}

// ToldResult is one thing that was given.
type ToldResult struct {
	ID    string  `json:"id"`
	Score float64 `json:"score,omitempty"` // 0 to 1; 0 where nothing was compared
}

// ToldLog keeps what agents were told. It changes no bank: no index of one has to follow.
type ToldLog interface {
	// NoteTold appends to the log of an agent; for one without a bank it does nothing.
	NoteTold(ctx context.Context, agent string, entries []Told) error
	// Told returns up to limit entries of an agent with a smaller ID than before, which
	// may be empty, newest first.
	Told(ctx context.Context, agent, before string, limit int) ([]Told, error)
	// PruneTold removes up to limit entries from before a time, the oldest first, and
	// returns how many.
	PruneTold(ctx context.Context, agent string, before time.Time, limit int) (int, error)
}
