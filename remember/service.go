package remember

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Options are what a [Service] is made of. All fields are needed.
type Options struct {
	Store      Store
	Embedder   memory.Embedder
	Categories *taxonomy.Classifier
	Clock      memory.Clock
	IDs        *memory.IDs
	DayLog     func(agent string) DayLog
	Queued     func() // told that something waits for its vector; must not block
	Log        *slog.Logger
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
}

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{o.Store, o.Embedder, o.Categories, o.Clock, o.IDs, o.DayLog, o.Queued, o.Log}
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

// isAgentName reports whether a name has only the characters of one. A regular
// expression for it takes longer to compile than all names to check.
func isAgentName(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune("._@-", r)) {
			return false
		}
	}
	return name != ""
}

// isDeviceName reports whether Windows takes a name for a device, whatever
// follows the dot.
func isDeviceName(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if n, ok := strings.CutPrefix(name, port); ok && utf8.RuneCountInString(n) == 1 && strings.Contains("0123456789¹²³", n) {
			return true
		}
	}
	return false
}

// maxAgent is how many characters an agent's name has at most, and
// maxFolderBytes how long a file's name can be on the common file systems.
const (
	maxAgent       = 128
	maxFolderBytes = 255
)

// CheckAgent returns [memory.CodeInvalidArgument] for a name that cannot be
// an agent's: it also names the agent's folder, on every system to which a
// data directory may be taken.
func CheckAgent(name string) error {
	if !isAgentName(name) || utf8.RuneCountInString(name) > maxAgent || len(name) > maxFolderBytes {
		return memory.Errorf(memory.CodeInvalidArgument, "agent %q is not a name", name).
			WithHint("up to %d letters, digits and . _ @ -, the first a letter or digit, %d bytes in all", maxAgent, maxFolderBytes)
	}
	// Windows drops a dot at the end: the folder would be another agent's.
	if isDeviceName(name) || strings.HasSuffix(name, ".") {
		return memory.Errorf(memory.CodeInvalidArgument, "agent %q cannot name a folder on Windows", name).
			WithHint("no name of a device such as con, nul or com1, and no dot at the end")
	}
	return nil
}

// checkProject refuses what can be read from but not written to.
func checkProject(project string) error {
	if project == memory.AllProjects {
		return memory.Errorf(memory.CodeInvalidArgument, "project %q is every project, which can only be read", project).
			WithHint("name one project, or none for global memories")
	}
	return nil
}

// once runs fn in a transaction, unless the tool was called with that key
// before: then it returns the first result. An empty key never repeats.
func once[T any](ctx context.Context, s *Service, agent, tool, key string, fn func(memory.Tx) (T, error)) (result T, err error) {
	err = s.store.Write(ctx, agent, func(tx memory.Tx) error {
		if key != "" {
			earlier, err := tx.Result(tool, key)
			if err != nil {
				return err
			}
			if earlier != nil {
				return json.Unmarshal(earlier, &result)
			}
		}
		if result, err = fn(tx); err != nil || key == "" {
			return err
		}
		kept, err := json.Marshal(result)
		if err != nil {
			return fmt.Errorf("keep result: %w", err)
		}
		return tx.KeepResult(tool, key, kept)
	})
	return result, err
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
