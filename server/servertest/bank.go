package servertest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/internal/testbank"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/server"
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
	own := testbank.New(t, testbank.Options{Clock: time.Now})
	other := testbank.New(t, testbank.Options{Dir: own.Dir, Clock: time.Now})
	b := &Bank{t: t, Data: own.Dir, Remember: other.Remember}
	o := own.RecallOptions()
	o.Once = true
	own.Recall = recall.New(o)
	scope := func(ctx context.Context, project *string) (memory.Scope, error) {
		if i, ok := access.From(ctx); ok {
			return i.Scope(project)
		}
		return memory.Scope{Agent: "ann"}, nil
	}
	fleet, err := tools.NewFleet(scope, tools.Services{Remember: own.Remember, Recall: own.Recall}.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	b.Server = server.New(server.Options{Name: "test", Title: "Test", Version: "1", Fleet: fleet, Poll: Poll,
		Pages: resources.Pages{Recall: own.Recall, Scope: scope, Service: resources.New(resources.Options{
			Store: own.Store, Links: link.New(own.LinkOptions()), Salience: salience.Default(), Tokens: own.Tokens, Clock: own.Clock,
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
	// Whole at once: who watches would hear twice of a file that is emptied and then filled.
	whole := filepath.Join(b.t.TempDir(), "whole")
	if err := os.WriteFile(whole, []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(whole, path); err != nil {
		b.t.Fatal(err)
	}
}
