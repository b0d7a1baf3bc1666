package memory

import (
	"context"
	"time"
)

// Summarizer makes long text short: it finds the facts in a conversation and
// summarises. What it returns is data that somebody else wrote: callers check
// it like any caller's input and never execute it. Safe for concurrent use.
type Summarizer interface {
	// Name says what it is: "extractive", "llm" or "sampling".
	Name() string
	// Local reports whether it answers without a network and within moments;
	// only then a caller may wait for it.
	Local() bool
	// Extract returns the facts of turns that are worth keeping, in the order
	// in which they were said. None is a result, not an error.
	Extract(ctx context.Context, r ExtractRequest) ([]Extracted, error)
	// Summarize returns a summary of at most r.MaxTokens tokens. [CodeUnavailable]
	// when the model does not answer or answers nonsense.
	Summarize(ctx context.Context, r SummaryRequest) (string, error)
}

// ExtractRequest says what to find facts in. "Yesterday" of a turn is the day
// before in the zone of its SaidAt.
type ExtractRequest struct {
	Turns []Turn
	// Known is what is remembered already, for example MEMORY.md: it is not
	// to be found again.
	Known string
	// Facts are single facts that are remembered, of those that the turns may be
	// about: what is found may take the place of one.
	Facts []KnownFact
	Max   int // facts at most; 0 is no limit
	Now   time.Time
}

// KnownFact is a record by its id and content.
type KnownFact struct {
	ID      string
	Content string
}

// FactType says what sort of fact was found.
type FactType string

// The types of facts.
const (
	FactPreference FactType = "preference"
	FactIdentity   FactType = "identity"
	FactDecision   FactType = "decision"
	FactCommitment FactType = "commitment"
	FactCorrection FactType = "correction"
	FactEvent      FactType = "event" // with a date
	FactOther      FactType = "other"
)

// FactTypes lists every type.
func FactTypes() []FactType {
	return []FactType{FactPreference, FactIdentity, FactDecision, FactCommitment, FactCorrection, FactEvent, FactOther}
}

// Extracted is one fact: a sentence that stands on its own, with the speaker's
// name in place of "I" and dates in place of "yesterday".
type Extracted struct {
	Content    string
	Type       FactType
	Importance float64   // 0 to 1
	OccurredAt time.Time // of an event, else zero
	Turn       int       // Index of the turn it was found in
	// Replaces is the ID of the KnownFact that is no longer so because of this
	// one, or "".
	Replaces string
}

// SummaryRequest says what to make shorter: turns or texts, not both. Days are
// those of the zones of the times, as in [ExtractRequest].
type SummaryRequest struct {
	Turns   []Turn
	Texts   []DatedText // contents of records, oldest first
	Earlier string      // the summary of what came before; it is folded in
	Focus   string      // what to pay attention to; empty is everything
	// MaxTokens bounds the summary, at least 50.
	MaxTokens int
	// Sentences, if not 0, asks for a log entry of 2 to that many sentences.
	Sentences int
	Now       time.Time
}

// DatedText is a text and when it happened.
type DatedText struct {
	ID   string
	Text string
	At   time.Time
}
