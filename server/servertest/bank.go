package servertest

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/server"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/tokens"
	"mcp-memory/tools"
	"mcp-memory/workspace"
)

// Poll is how often a test looks at what is subscribed to.
const Poll = 5 * time.Millisecond

// Bank is a server over a real bank: that of ann, or of whoever asks over HTTP.
type Bank struct {
	*server.Server
	Remember *remember.Service // another process's, on the same file
	Data     string            // the directory
	t        testing.TB
}

// NewBank makes an empty one. What is subscribed to is looked at all the time.
func NewBank(t testing.TB) *Bank {
	t.Helper()
	b := &Bank{t: t, Data: t.TempDir()}
	embedder, classifier := embed.NewBuiltin(), taxonomy.New(memory.DefaultCategories(), semantics.Builtin)
	quiet, ids := slog.New(slog.DiscardHandler), memory.NewIDs(time.Now)
	open := func() (memory.Store, *remember.Service) {
		store, err := db.Open(t.Context(), filepath.Join(b.Data, "memory.db"), db.Options{Embedder: embedder.Fingerprint(), Clock: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store, remember.New(remember.Options{
			Store: store, Embedder: embedder, Categories: classifier, Clock: time.Now, IDs: ids, Queued: func() {}, Log: quiet,
			DayLog: func(agent string) remember.DayLog { return workspace.Open(b.Data, agent) },
		})
	}
	store, own := open()
	_, b.Remember = open()
	found := recall.New(recall.Options{
		Store: store, Table: semantics.Builtin, Embedder: embedder, Categories: classifier, Salience: salience.Default(),
		Tokens: tokens.NewCounter(""), Clock: time.Now, Log: quiet, Recalled: func(memory.Scope, []string) {}, Once: true,
	})
	scope := func(ctx context.Context, project *string) (memory.Scope, error) {
		if i, ok := access.From(ctx); ok {
			return i.Scope(project)
		}
		return memory.Scope{Agent: "ann"}, nil
	}
	fleet, err := tools.NewFleet(scope, tools.Services{Remember: own, Recall: found}.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	b.Server = server.New(server.Options{Name: "test", Title: "Test", Version: "1", Fleet: fleet, Poll: Poll, Pages: resources.Pages{Recall: found, Scope: scope, Service: resources.New(resources.Options{
		Store: store, Salience: salience.Default(), Tokens: tokens.NewCounter(""), Clock: time.Now,
		Files: func(agent string) resources.Files { return workspace.Open(b.Data, agent) },
	})}})
	return b
}

// Save saves a pinned memory as another process does, and returns its id.
func (b *Bank) Save(agent, content string) string {
	b.t.Helper()
	r, err := b.Remember.Save(b.t.Context(), memory.Scope{Agent: agent}, remember.SaveRequest{Content: content, Pinned: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.ID
}

// File writes a file into an agent's workspace.
func (b *Bank) File(agent, name, content string) {
	b.t.Helper()
	path := filepath.Join(b.Data, "workspaces", agent, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
}
