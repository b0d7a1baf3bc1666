package cognition

import (
	"log/slog"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// Store is what this package reads of a database; it writes through package
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

// Service keeps and tells what the package document lists. Safe for
// concurrent use.
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

// Saved says what became of a save.
type Saved struct {
	memory.Record                 // as it is stored
	Action        remember.Action // Created, Duplicate, Superseded, Updated or Unchanged
}

// own is the scope of what belongs to the agent whatever it works on.
func own(scope memory.Scope) memory.Scope {
	scope.Project = ""
	return scope
}

// needed returns [memory.CodeInvalidArgument] for text that says nothing.
func needed(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "%s is empty", name).WithHint("a text that is not blank")
	}
	return nil
}

// fits returns [memory.CodeTooLarge] for a content that is too long to be
// found, naming the argument that is to be cut.
func fits(name, content string) error {
	if len(content) > memory.MaxContentBytes {
		return memory.Errorf(memory.CodeTooLarge, "%s and the rest are %d bytes together, at most %d are allowed", name, len(content),
			memory.MaxContentBytes).
			WithHint("say it shorter, or keep the long form in a file")
	}
	return nil
}

// sentence ends a text as a sentence does, so that another may follow.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:;") || strings.HasSuffix(text, "。") {
		return text
	}
	return text + "."
}

// labelled is a sentence with what it is about before it, or nothing.
func labelled(label, text string) string {
	if text = sentence(text); text == "" {
		return ""
	}
	return label + ": " + text
}

// joined puts the parts that are there into one text.
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
