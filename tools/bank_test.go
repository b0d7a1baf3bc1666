package tools

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/workspace"
	"mcp-memory/workspace/passages"
)

// memoryFleet is every concrete tool, unconnected.
func memoryFleet(t testing.TB) Fleet {
	t.Helper()
	f, err := NewFleet(sampleScopeOf, Services{}.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// ticker is a clock that advances only when told to.
type ticker struct {
	mu  sync.Mutex
	now time.Time
}

func (c *ticker) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *ticker) set(t testing.TB, at string) {
	t.Helper()
	moment, err := ParseTime("clock", at)
	if err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = moment
}

// rig is a client of the concrete tools over a real database in a directory
// of its own.
type rig struct {
	t      testing.TB
	fleet  Fleet
	client *client.Client
	clock  *ticker
	bank   *testbank.Bank
	store  memory.Store // the bank's
	using  Services
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := openRig(t)
	o := r.bank.RecallOptions()
	ctx := t.Context()                                // here: a fuzz target may not ask for it
	o.Recalled = func(s memory.Scope, ids []string) { // at once, so that what follows is the same each time
		if err := r.store.Reinforce(ctx, s.Agent, s.Session, ids, r.clock.time()); err != nil {
			t.Error(err)
		}
	}
	o.Files = func(agent string) recall.Library {
		return passages.NewLibrary(passages.Options{Dir: workspace.Open(r.bank.Dir, agent), Log: slog.New(slog.DiscardHandler)})
	}
	r.using.Recall = recall.New(o)
	r.use(sampleScopeOf)
	return r
}

// file writes a file of the agent's workspace.
func (r *rig) file(name, text string) {
	r.t.Helper()
	file := filepath.Join(workspace.Open(r.bank.Dir, "ann").Path(), filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		r.t.Fatal(err)
	}
}

// openRig is a rig that has no fleet yet.
func openRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, clock: &ticker{}}
	r.clock.set(t, "2026-03-01T09:00")
	r.bank = testbank.New(t, testbank.Options{Clock: r.clock.time, Mirror: true})
	r.store, r.using = r.bank.Store, Services{Remember: r.bank.Remember, Recall: r.bank.Recall, Actions: r.bank.Actions()}
	return r
}

// use makes the fleet and the client anew, of the services that there are.
func (r *rig) use(scopeOf access.ScopeFunc) {
	r.t.Helper()
	var err error
	if r.fleet, err = NewFleet(scopeOf, r.using.Tools()...); err != nil {
		r.t.Fatal(err)
	}
	r.client = r.connect()
}

func (r *rig) connect() *client.Client {
	r.t.Helper()
	s := server.NewMCPServer("test", "1")
	r.fleet.Register(s, Calls{})
	c, err := client.NewInProcessClient(s)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	if err := c.Start(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	if _, err := c.Initialize(r.t.Context(), mcp.InitializeRequest{}); err != nil {
		r.t.Fatal(err)
	}
	return c
}

// call makes a call with arguments as JSON. A success must fit the tool's
// output schema.
func (r *rig) call(tool, args string) *mcp.CallToolResult {
	r.t.Helper()
	result := callTool(r.t, r.t.Context(), r.client, tool, json.RawMessage(args))
	if !result.IsError {
		fits(r.t, r.fleet.outputSchema(tool), r.structured(result))
	}
	return result
}

func (r *rig) structured(result *mcp.CallToolResult) []byte {
	r.t.Helper()
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

// outputSchema is what the structured results of a tool have to fit.
func (f Fleet) outputSchema(tool string) []byte {
	for _, one := range f.rows {
		if one.Name == tool {
			return schemaOf(one.out, true).raw()
		}
	}
	return nil
}

// must makes a call that has to succeed and reads its structured result.
func (r *rig) must(tool, args string, out any) {
	r.t.Helper()
	result := r.call(tool, args)
	if result.IsError {
		r.t.Fatalf("%s %s: %s", tool, args, textOf(result))
	}
	if err := json.Unmarshal(r.structured(result), out); err != nil {
		r.t.Fatal(err)
	}
}

// save saves a fact and returns its id.
func (r *rig) save(content string) string {
	r.t.Helper()
	args, err := json.Marshal(map[string]string{"content": content})
	if err != nil {
		r.t.Fatal(err)
	}
	var out saveOutput
	r.must("memory_save", string(args), &out)
	return out.ID
}

// counted returns how many live records there are.
func (r *rig) counted() int {
	r.t.Helper()
	stats, err := r.store.Stats(r.t.Context(), "ann")
	if err != nil {
		r.t.Fatal(err)
	}
	return stats.Records
}
