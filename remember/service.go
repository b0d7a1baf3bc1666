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
	memory.WorkingReader
	memory.Scrubber
	memory.ProjectReader
	memory.LogReader
	List(ctx context.Context, f memory.CatalogFilter) ([]memory.Record, int, error) // see [memory.Catalog]
	State(ctx context.Context, agent, key string) (json.RawMessage, error)          // see [memory.WorkingReader]
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
	// EraseSession removes what was mirrored of a conversation.
	EraseSession(ctx context.Context, session string) error
	// EraseAll removes the whole workspace.
	EraseAll(ctx context.Context) error
}

// Options are what a [Service] is made of. All fields but Supersede and Scoping are needed.
type Options struct {
	Store      Store
	Embedder   memory.Embedder
	Categories *taxonomy.Classifier
	Clock      memory.Clock
	IDs        *memory.IDs
	DayLog     func(agent string) DayLog
	Queued     func() // called when something waits for its vector; must not block
	Log        *slog.Logger
	Supersede  Supersede // whether a fact may supersede another without being told
	Scoping    Scoping   // whether what is saved in a project is global or the project's
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
	scoping    Scoping
	previews   *previews
}

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{o.Store, o.Embedder, o.Categories, o.Clock, o.IDs, o.DayLog, o.Queued, o.Log, o.Supersede, o.Scoping, &previews{}}
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
	Forgotten  Action = "forgotten" // it was forgotten or erased since it was said, and stays so
	Revived    Action = "revived"   // it was forgotten, and holds again
)

// call identifies a write that may be repeated: the tool, the caller's idempotency key, and a
// hash of the request, "" if the first result under the key holds whatever is asked. With an
// empty key no write is a repetition.
type call struct{ tool, key, request string }

// kept is the result of a call as the bank keeps it.
type kept struct {
	Request string
	Result  json.RawMessage
}

// idempotent runs fn in a transaction and keeps its result, unless the tool was called with that
// idempotency key before: then it returns the first result, or [memory.CodeConflict] if something
// else was asked for. e names what fn looks up.
func idempotent[T any](ctx context.Context, s *Service, agent string, c call, e memory.Expected, fn func(memory.Tx) (T, error)) (result T,
	err error) {
	err = memory.WriteExpecting(ctx, s.store, agent, e, func(tx memory.Tx) (err error) {
		result, err = idempotentIn(tx, c, fn)
		return err
	})
	return result, err
}

// idempotentIn is idempotent in a transaction that there is already.
func idempotentIn[T any](tx memory.Tx, c call, fn func(memory.Tx) (T, error)) (result T, err error) {
	if c.key == "" {
		return fn(tx)
	}
	earlier, err := tx.Result(c.tool, c.key)
	if err != nil {
		return result, err
	}
	if earlier != nil {
		return repeatedResult[T](earlier, c)
	}
	if result, err = fn(tx); err != nil {
		return result, err
	}
	data, err := json.Marshal(result)
	if err == nil {
		data, err = json.Marshal(kept{c.request, data})
	}
	if err != nil {
		return result, fmt.Errorf("keep result: %w", err)
	}
	return result, tx.KeepResult(c.tool, c.key, data)
}

// repeatedResult returns the result that was kept of the first call under a key.
func repeatedResult[T any](earlier json.RawMessage, c call) (result T, err error) {
	var first kept
	if err := json.Unmarshal(earlier, &first); err != nil {
		return result, err
	}
	if first.Result == nil { // kept before requests were, as the result alone
		return result, json.Unmarshal(earlier, &result)
	}
	if c.request != "" && first.Request != "" && c.request != first.Request {
		return result, memory.Errorf(memory.CodeConflict, "the idempotency_key was used for another request").
			WithHint("nothing was saved; a key is for repeating one request, so choose a new one")
	}
	return result, json.Unmarshal(first.Result, &result)
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
