// Package servertest has servers for tests, and a client at stdin and stdout. A [Notebook] has
// tools that wait and ask as a test wants it. A [Bank] is a real bank in a file.
package servertest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/tools"
)

// Notebook is a minimal memory: it keeps what was saved, in order. Its tools are save, recall,
// wait, progress and confirm.
type Notebook struct {
	Begun chan struct{} // one for each call of save, wait or confirm

	mu    sync.Mutex
	notes []string
}

// Set replaces what was saved.
func (n *Notebook) Set(notes ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = notes
}

// All returns what was saved, joined with commas.
func (n *Notebook) All() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.notes, ",")
}

type noteIn struct {
	Text string `json:"text,omitempty" desc:"what to note"`
	MS   int    `json:"ms,omitempty" desc:"how long it takes" min:"0" max:"60000"`
}

type noteOut struct {
	Notes []string `json:"notes"`
}

func (n *Notebook) save(_ context.Context, _ memory.Scope, in noteIn) (*noteOut, string, error) {
	n.Begun <- struct{}{}
	time.Sleep(time.Duration(in.MS) * time.Millisecond)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, in.Text)
	return &noteOut{}, "saved " + in.Text, nil
}

func (n *Notebook) recall(context.Context, memory.Scope, noteIn) (*noteOut, string, error) {
	return &noteOut{}, "notes: " + n.All(), nil
}

func (n *Notebook) wait(ctx context.Context, _ memory.Scope, _ noteIn) (*noteOut, string, error) {
	n.Begun <- struct{}{}
	<-ctx.Done()
	return nil, "", ctx.Err()
}

// progress sends 20 notifications before its answer.
func (n *Notebook) progress(ctx context.Context, _ memory.Scope, _ noteIn) (*noteOut, string, error) {
	for range 20 {
		_ = mcpserver.ServerFromContext(ctx).
			SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": 1, "progress": 1})
	}
	return &noteOut{}, "done", nil
}

// confirm asks the client's user.
func (n *Notebook) confirm(ctx context.Context, _ memory.Scope, _ noteIn) (*noteOut, string, error) {
	request := mcp.ElicitationRequest{Params: mcp.ElicitationParams{Message: "sure?",
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}}
	n.Begun <- struct{}{}
	result, err := mcpserver.ServerFromContext(ctx).RequestElicitation(ctx, request)
	if err != nil {
		return nil, "", err
	}
	return &noteOut{}, "user: " + string(result.Action), nil
}

// New makes a server with the tools of a notebook. change, unless nil, may change its options.
func New(t testing.TB, change func(*server.Options)) (*server.Server, *Notebook) {
	t.Helper()
	n := &Notebook{Begun: make(chan struct{}, 1000)}
	row := func(name string, effect tools.Effect, call func(context.Context, memory.Scope, noteIn) (*noteOut, string, error)) tools.Tool {
		return tools.Define(tools.Spec{Name: name, Title: name, Description: name, Group: tools.Core, Effect: effect}, call)
	}
	recall := row("recall", tools.Read, n.recall)
	recall.Reach = access.Projects
	fleet, err := tools.NewFleet(func(context.Context, *string) (memory.Scope, error) { return memory.Scope{}, nil },
		row("save", tools.Add, n.save), recall, row("wait", tools.Read, n.wait),
		row("progress", tools.Read, n.progress), row("confirm", tools.Read, n.confirm),
	)
	if err != nil {
		t.Fatal(err)
	}
	opts := server.Options{Name: "test", Title: "Test", Version: "1", Fleet: fleet,
		Instructions: func(context.Context) string { return "notes: " + n.All() }}
	if change != nil {
		change(&opts)
	}
	return server.New(opts), n
}
