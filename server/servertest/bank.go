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

// Poll is the interval at which test servers check subscribed resources.
const Poll = 5 * time.Millisecond

// Bank is a server with a real bank. Its agent is ann, or over HTTP the one of the identity.
type Bank struct {
	*server.Server
	Remember *remember.Service // of another process on the same file
	Data     string            // the data directory
	t        testing.TB
}

// NewBank makes an empty bank. Its server checks subscriptions every [Poll].
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

// Save saves a pinned memory as another process would, and returns its id.
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
	// Rename makes it appear complete. A watcher would notice a file twice that is created and then
	// filled.
	whole := filepath.Join(b.t.TempDir(), "whole")
	if err := os.WriteFile(whole, []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(whole, path); err != nil {
		b.t.Fatal(err)
	}
}
