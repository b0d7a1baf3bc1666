package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"mcp-memory/memory"
)

// connect registers the sample fleet and returns a client of it.
func connect(t *testing.T, calls Calls) *client.Client {
	t.Helper()
	s := server.NewMCPServer("test", "1")
	sampleFleet(t).Register(s, calls)
	c, err := client.NewInProcessClient(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	return c
}

func callTool(t testing.TB, ctx context.Context, c *client.Client, name string, args any) *mcp.CallToolResult {
	t.Helper()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = name, args
	result, err := c.CallTool(ctx, request)
	if err != nil {
		t.Fatalf("%s: a protocol error: %v", name, err)
	}
	return result
}

func textOf(r *mcp.CallToolResult) string { return r.Content[0].(mcp.TextContent).Text }

func TestCallSucceeds(t *testing.T) {
	c := connect(t, Calls{})
	result := callTool(t, t.Context(), c, "sample_find", map[string]any{"query": "x"})
	data, err := json.Marshal(result.StructuredContent)
	if err != nil || result.IsError {
		t.Fatal(err, textOf(result))
	}
	fits(t, schemaOf(sampleFleet(t).rows[0].out, true).raw(), data)
	var text, structured any
	if json.Unmarshal([]byte(textOf(result)), &text) != nil || json.Unmarshal(data, &structured) != nil {
		t.Fatal("the text is not the result as JSON")
	}
	if s := textOf(result); !strings.Contains(s, `"at":"2026-03-01T11:00:00Z"`) || !strings.Contains(s, `"tags":[]`) ||
		!strings.Contains(s, `"counts":{}`) || !strings.Contains(s, `"extra":{}`) || strings.Contains(s, "until") {
		t.Errorf("not tidy: %s", s)
	}
	if got := textOf(callTool(t, t.Context(), c, "sample_write", nil)); got != "written" {
		t.Errorf("the tool's own text: %q", got)
	}
}

func TestCallFails(t *testing.T) {
	c := connect(t, Calls{Timeout: 20 * time.Millisecond})
	for name, want := range map[string]string{
		"sample_missing": "not_found: no such thing (look elsewhere)",
		"sample_leak":    memory.Public(context.Canceled).Error(),
		"sample_panic":   memory.Public(context.Canceled).Error(),
		"sample_slow":    "unavailable: it took longer than 20ms (try again, or ask for less)",
		"sample_find":    "invalid_argument: query is missing (a string)",
	} {
		result := callTool(t, t.Context(), c, name, nil)
		if !result.IsError || textOf(result) != want || result.StructuredContent != nil {
			t.Errorf("%s: %q, want %q", name, textOf(result), want)
		}
	}
	result := callTool(t, t.Context(), c, "sample_slow", map[string]any{"x": 1})
	if want := `invalid_argument: unknown argument "x" (there are no arguments)`; textOf(result) != want {
		t.Errorf("%q, want %q", textOf(result), want)
	}
}

func TestObserve(t *testing.T) {
	var seen []string
	c := connect(t, Calls{Timeout: 20 * time.Millisecond,
		Observe: func(_ context.Context, tool string, code memory.Code, took time.Duration) {
			if tool == "sample_slow" && took < 10*time.Millisecond {
				t.Errorf("%s took %v", tool, took)
			}
			seen = append(seen, tool+" "+string(code))
		}})
	for _, tool := range []string{"sample_write", "sample_missing", "sample_leak", "sample_panic", "sample_slow", "sample_find"} {
		callTool(t, t.Context(), c, tool, nil)
	}
	if want := []string{"sample_write ", "sample_missing not_found", "sample_leak internal", "sample_panic internal",
		"sample_slow unavailable", "sample_find invalid_argument"}; !slices.Equal(seen, want) {
		t.Errorf("observed %q, want %q", seen, want)
	}
}

func TestCancellationReachesOnlyReads(t *testing.T) {
	f := sampleFleet(t)
	calls := Calls{Timeout: time.Minute, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i, want := range map[int]string{4: "unavailable: the call was cancelled", 5: "written"} {
		result, err := calls.handler(f.rows[i], newAsker(nil))(ctx, mcp.CallToolRequest{})
		if err != nil || textOf(result) != want {
			t.Errorf("%s: %v, %v", f.rows[i].Name, result, err)
		}
		if data, _ := result.StructuredContent.(json.RawMessage); strings.Contains(string(data), "true") {
			t.Error("a write saw the cancellation")
		}
	}
}

func TestLogTellsNoArguments(t *testing.T) {
	var b bytes.Buffer
	c := connect(t, Calls{Log: slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	callTool(t, t.Context(), c, "sample_find", map[string]any{"query": "private"})
	callTool(t, t.Context(), c, "sample_find", map[string]any{"query": "q", "mode": "private"})
	callTool(t, t.Context(), c, "sample_leak", nil)
	if log := b.String(); strings.Contains(log, "private") || strings.Count(log, "tool=sample_find") != 2 ||
		!strings.Contains(log, "code=invalid_argument") || !strings.Contains(log, "/secret/path") {
		t.Errorf("the log is\n%s", log)
	}
}

func TestEveryCodeIsMapped(t *testing.T) {
	for _, code := range memory.Codes() {
		if _, ok := severity[code]; !ok {
			t.Errorf("%s has no severity", code)
		}
		if got := textOf(Failure(memory.Errorf(code, "m").WithHint("h"))); got != string(code)+": m (h)" {
			t.Errorf("%s reads %q", code, got)
		}
	}
	if len(severity) != len(memory.Codes()) {
		t.Error("there are codes that do not exist")
	}
}
