package cognition

import (
	"log/slog"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// Store is what this package reads from a database. It writes through package
// remember.
type Store interface {
	memory.Reader
	memory.Catalog
}

// Options are what a [Service] is made of. All fields are needed.
type Options struct {
	Store    Store
	Remember *remember.Service
	Recall   *recall.Service
	Clock    memory.Clock
	Log      *slog.Logger
}

// Service stores and lists the kinds of records that the package document
// names. Safe for concurrent use.
type Service struct {
	store    Store
	remember *remember.Service
	recall   *recall.Service
	clock    memory.Clock
	log      *slog.Logger
}

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{o.Store, o.Remember, o.Recall, o.Clock, o.Log}
}

// Saved is the result of saving a record.
type Saved struct {
	memory.Record                 // as it is stored
	Action        remember.Action // Created, Duplicate, Superseded, Updated or Unchanged
}

// own returns the scope without its project, for what belongs to the agent as a
// whole.
func own(scope memory.Scope) memory.Scope {
	scope.Project = ""
	return scope
}

// needed returns a [memory.CodeInvalidArgument] if text is blank.
func needed(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "%s is empty", name).WithHint("a text that is not blank")
	}
	return nil
}

// fits returns a [memory.CodeTooLarge] if content is over
// [memory.MaxContentBytes]. name is the argument to shorten.
func fits(name, content string) error {
	if len(content) > memory.MaxContentBytes {
		return memory.Errorf(memory.CodeTooLarge, "%s and the rest are %d bytes together, at most %d are allowed", name, len(content),
			memory.MaxContentBytes).
			WithHint("say it shorter, or keep the long form in a file")
	}
	return nil
}

// sentence returns text with a full stop at its end, unless it ends a sentence
// already.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:;") || strings.HasSuffix(text, "。") {
		return text
	}
	return text + "."
}

// labelled returns "label: text." or "" if text is blank.
func labelled(label, text string) string {
	if text = sentence(text); text == "" {
		return ""
	}
	return label + ": " + text
}

// joined joins the parts that are not empty.
func joined(separator string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, separator)
}

func ptr[T any](v T) *T { return &v }
