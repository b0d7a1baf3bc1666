package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/tools"
)

// notebook is the smallest memory: what was saved, in order.
type notebook struct {
	mu    sync.Mutex
	notes []string
	begun chan struct{} // one for each call of wait or hold
}

type noteIn struct {
	Text string `json:"text,omitempty" desc:"what to note"`
	MS   int    `json:"ms,omitempty" desc:"how long it takes" min:"0" max:"60000"`
}

type noteOut struct {
	Notes []string `json:"notes"`
}

func (n *notebook) save(_ context.Context, _ memory.Scope, in noteIn) (*noteOut, string, error) {
	n.begun <- struct{}{}
	time.Sleep(time.Duration(in.MS) * time.Millisecond)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, in.Text)
	return &noteOut{}, "saved " + in.Text, nil
}

func (n *notebook) all() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.notes, ",")
}

func (n *notebook) recall(context.Context, memory.Scope, noteIn) (*noteOut, string, error) {
	return &noteOut{}, "notes: " + n.all(), nil
}

func (n *notebook) wait(ctx context.Context, _ memory.Scope, _ noteIn) (*noteOut, string, error) {
	n.begun <- struct{}{}
	<-ctx.Done()
	return nil, "", ctx.Err()
}

// progress notifies before it answers.
func (n *notebook) progress(ctx context.Context, _ memory.Scope, _ noteIn) (*noteOut, string, error) {
	for range 20 {
		_ = mcpserver.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": 1, "progress": 1})
	}
	return &noteOut{}, "done", nil
}

// confirm asks the client's user.
func (n *notebook) confirm(ctx context.Context, _ memory.Scope, _ noteIn) (*noteOut, string, error) {
	request := mcp.ElicitationRequest{Params: mcp.ElicitationParams{Message: "sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}}
	n.begun <- struct{}{}
	result, err := mcpserver.ServerFromContext(ctx).RequestElicitation(ctx, request)
	if err != nil {
		return nil, "", err
	}
	return &noteOut{}, "user: " + string(result.Action), nil
}

func sampleServer(t testing.TB, change func(*Options)) (*Server, *notebook) {
	t.Helper()
	n := &notebook{begun: make(chan struct{}, 1000)}
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
	opts := Options{Name: "test", Title: "Test", Version: "1", Fleet: fleet,
		Instructions: func(context.Context) string { return "notes: " + n.all() }}
	if change != nil {
		change(&opts)
	}
	return New(opts), n
}

// exchange sends input all at once and returns the answers.
func exchange(t testing.TB, s *Server, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.ServeStdio(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return answers(t, out.String())
}

func answers(t testing.TB, out string) []string {
	t.Helper()
	if out == "" {
		return nil
	}
	if !strings.HasSuffix(out, "\n") {
		t.Fatalf("the last line has no end: %q", out)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Fatalf("not JSON: %q", l)
		}
	}
	return lines
}

// live is a client that waits for answers.
type live struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	got  *json.Decoder
	done chan error
	stop context.CancelFunc
}

func dial(t *testing.T, s *Server) *live {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	l := &live{t, inW, outR, json.NewDecoder(outR), make(chan error, 1), stop}
	go func() {
		err := s.ServeStdio(ctx, inR, outW)
		_ = outW.Close()
		l.done <- err
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close(); stop() })
	return l
}

func (l *live) send(lines ...string) {
	l.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(l.in, line+"\n"); err != nil {
			l.t.Fatal(err)
		}
	}
}

func (l *live) next() string {
	l.t.Helper()
	var raw json.RawMessage
	if err := l.got.Decode(&raw); err != nil {
		l.t.Fatal(err)
	}
	return string(raw)
}

func (l *live) wait() error {
	l.t.Helper()
	select {
	case err := <-l.done:
		return err
	case <-time.After(patience):
		l.t.Fatal("the server did not end")
		return nil
	}
}

func request(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

func initialize(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`
}

// expect checks that the answers contain the parts, one each, in order.
func expect(t *testing.T, got []string, parts ...string) {
	t.Helper()
	if len(got) != len(parts) {
		t.Fatalf("%d answers, want %d:\n%s", len(got), len(parts), strings.Join(got, "\n"))
	}
	for i, part := range parts {
		for _, p := range strings.Split(part, " & ") {
			if !strings.Contains(got[i], p) {
				t.Errorf("answer %d is\n%s\nwithout %s", i, got[i], p)
			}
		}
	}
}
