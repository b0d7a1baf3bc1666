package remember

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"mcp-memory/memory"
	"mcp-memory/text/taxonomy"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.Reader
	memory.Searcher
	memory.Mirror
	memory.LinkReader
	memory.Scrubber
	memory.ProjectReader
	State(ctx context.Context, agent, key string) (json.RawMessage, error) // see [memory.WorkingReader]
}

// DayLog mirrors what was saved; see package workspace.
type DayLog interface {
	// DayLogName is the file that a record's line goes to.
	DayLogName(r memory.Record) string
	// AppendDayLog adds a line for a record.
	AppendDayLog(r memory.Record) error
	// Erase takes records out of every file that they were mirrored to, as far
	// as a person has not made the text their own.
	Erase(ctx context.Context, records []memory.Record) error
}

// Options are what a [Service] is made of. All fields but Supersede are needed.
type Options struct {
	Store      Store
	Embedder   memory.Embedder
	Categories *taxonomy.Classifier
	Clock      memory.Clock
	IDs        *memory.IDs
	DayLog     func(agent string) DayLog
	Queued     func() // called when something waits for its vector; must not block
	Log        *slog.Logger
	Supersede  Supersede // what to do about changes of state that nobody told
}

// Service changes banks. Safe for concurrent use.
type Service struct {
	store      Store
	embedder   memory.Embedder
	categories *taxonomy.Classifier
	clock      memory.Clock
	ids        *memory.IDs
	dayLog     func(agent string) DayLog
	queued     func()
	log        *slog.Logger
	supersede  Supersede
	previews   *previews
}

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{o.Store, o.Embedder, o.Categories, o.Clock, o.IDs, o.DayLog, o.Queued, o.Log, o.Supersede, &previews{}}
}

// Action says what a write did.
type Action string

// The actions.
const (
	Created    Action = "created"
	Duplicate  Action = "duplicate"  // it was there; one more confirmation is counted
	Superseded Action = "superseded" // it took the place of an earlier record
	Updated    Action = "updated"
	Unchanged  Action = "unchanged"
)

// idempotent runs fn in a transaction, unless the tool was called with that
// idempotency key before: then it returns the first result. An empty key never
// repeats.
func idempotent[T any](ctx context.Context, s *Service, agent, tool, key string, fn func(memory.Tx) (T, error)) (result T, err error) {
	err = s.store.Write(ctx, agent, func(tx memory.Tx) (err error) {
		result, err = idempotentIn(tx, tool, key, fn)
		return err
	})
	return result, err
}

// idempotentIn is idempotent in a transaction that there is already.
func idempotentIn[T any](tx memory.Tx, tool, key string, fn func(memory.Tx) (T, error)) (result T, err error) {
	if key == "" {
		return fn(tx)
	}
	earlier, err := tx.Result(tool, key)
	if err != nil {
		return result, err
	}
	if earlier != nil {
		return result, json.Unmarshal(earlier, &result)
	}
	if result, err = fn(tx); err != nil {
		return result, err
	}
	kept, err := json.Marshal(result)
	if err != nil {
		return result, fmt.Errorf("keep result: %w", err)
	}
	return result, tx.KeepResult(tool, key, kept)
}

// embed returns the vectors of texts, or nil where they follow later: a slow
// or absent embedder never delays a save.
func (s *Service) embed(ctx context.Context, texts []string) [][]float32 {
	if !s.embedder.Local() || len(texts) == 0 {
		return nil
	}
	vectors, err := s.embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		s.log.WarnContext(ctx, "embed documents", "error", err)
		return nil
	}
	return vectors
}
