package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

func TestErasOverHTTP(t *testing.T) {
	v := open(t, everybody, func(o *server.Options, _ *Options) {
		o.Instructions = func(ctx context.Context) string {
			i, _ := access.From(ctx)
			return "you are " + i.Agent
		}
	})
	for era, c := range v.clients("ann") {
		hello := greet(t, c)
		if want := strings.Replace(era, "2024-11-05", "2025-11-25", 1); hello.ProtocolVersion != want ||
			hello.Instructions != "you are ann" {
			t.Errorf("%s: version %s, instructions %q", era, hello.ProtocolVersion, hello.Instructions)
		}
		if got := useTool(t, c, "save", era); got != "saved "+era {
			t.Errorf("%s: %q", era, got)
		}
		if got := useTool(t, c, "recall", ""); !strings.Contains(got, era) {
			t.Errorf("%s: %q", era, got)
		}
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || len(list.Tools) != 5 {
			t.Errorf("%s: %d tools, %v", era, len(list.Tools), err)
		}
	}
}

func TestReadOnlyToken(t *testing.T) {
	notes := &ledger{}
	v := open(t, everybody, func(o *server.Options, _ *Options) { o.Audit = notes })
	for era, c := range v.clients("reader") {
		greet(t, c)
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || slices.ContainsFunc(list.Tools, func(t mcp.Tool) bool { return t.Name == "save" }) || len(list.Tools) != 4 {
			t.Errorf("%s: tools %+v, %v", era, list, err)
		}
		if got := useTool(t, c, "save", "x"); !strings.HasPrefix(got, "forbidden: ") {
			t.Errorf("%s: %q", era, got)
		}
		if got := useTool(t, c, "recall", ""); got != "notes: " {
			t.Errorf("%s: %q", era, got)
		}
	}
	if want := []string{"ann save forbidden", "ann save forbidden", "ann save forbidden"}; !slices.Equal(notes.lines, want) {
		t.Errorf("audit log %q", notes.lines)
	}
}

func TestProjectToken(t *testing.T) {
	v := open(t, everybody, nil)
	c := v.clients("shop")["2025-11-25"]
	greet(t, c)
	if got := useTool(t, c, "save", "x"); !strings.HasPrefix(got, "forbidden: ") {
		t.Errorf("%q", got)
	}
	if got := useTool(t, c, "recall", ""); got != "notes: " {
		t.Errorf("%q", got)
	}
}

// ledger is an audit log in memory.
type ledger struct {
	mu    sync.Mutex
	lines []string
}

type ledgerKey struct{}

func (l *ledger) Begin(ctx context.Context, tool, request string) context.Context {
	i, _ := access.From(ctx)
	if request == "" {
		tool = "?"
	}
	return context.WithValue(ctx, ledgerKey{}, i.Agent+" "+tool)
}

func (l *ledger) End(ctx context.Context, code string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, strings.TrimSpace(ctx.Value(ledgerKey{}).(string)+" "+code))
	return nil
}

// What a call came to is in the audit log, in traces and in the metrics.
func TestAudit(t *testing.T) {
	notes, spans := &ledger{}, &ledger{}
	v := open(t, everybody, func(o *server.Options, _ *Options) {
		o.Audit = notes
		o.Trace = func(ctx context.Context, tool string) (context.Context, func(string)) {
			begun := spans.Begin(ctx, tool, "a span")
			return ctx, func(code string) { _ = spans.End(begun, code) }
		}
	})
	c := v.clients("bob")["2026-07-28"]
	greet(t, c)
	useTool(t, c, "recall", "")
	useTool(t, c, "save", "x")
	useTool(t, c, "save", "\x00")
	reader := v.clients("reader")["2026-07-28"]
	greet(t, reader)
	useTool(t, reader, "save", "x")
	if want := []string{"bob save", "bob save invalid_argument", "ann save forbidden"}; !slices.Equal(notes.lines, want) {
		t.Errorf("audit log %q", notes.lines)
	}
	if want := []string{"bob recall", "bob save", "bob save invalid_argument", "ann save forbidden"}; !slices.Equal(spans.lines, want) {
		t.Errorf("spans %q", spans.lines)
	}
	_, text := v.ask("GET", "/metrics", "", bearerOf("bob"))
	for _, want := range []string{`{tool="save",code="ok"} 1`, `{tool="save",code="invalid_argument"} 1`,
		`{tool="save",code="forbidden"} 1`, `{tool="recall",code="ok"} 1`} {
		if !strings.Contains(text, "mcp_memory_calls_total"+want+"\n") {
			t.Errorf("without %s:\n%s", want, text)
		}
	}
}

func TestSessionsOverHTTP(t *testing.T) {
	v := open(t, everybody, nil)
	session := v.session(bearerOf("ann"))
	status := func(method, body string, headers ...string) int {
		answer, _ := v.ask(method, "/mcp", body, headers...)
		return answer.StatusCode
	}
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, token := range []string{"bob", "ann2"} {
		for _, method := range []string{"POST", "GET", "DELETE"} {
			if got := status(method, ping, session, bearerOf(token)); got != 404 {
				t.Errorf("%s of %s in ann's session: %d", method, token, got)
			}
		}
	}
	for _, step := range []struct {
		method string
		want   int
	}{{"POST", 200}, {"DELETE", 200}, {"POST", 404}, {"GET", 404}, {"DELETE", 404}} {
		if got := status(step.method, ping, session, bearerOf("ann")); got != step.want {
			t.Errorf("%s: %d, want %d", step.method, got, step.want)
		}
	}
	if n := v.web.sessions.count(); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

// A client whose stream breaks goes on where it was.
func TestResume(t *testing.T) {
	v := open(t, nil, nil)
	session := v.session()
	_, first := v.stream("/mcp", session)
	for v.web.server.MCP().SendNotificationToSpecificClient(strings.TrimPrefix(session, "Mcp-Session-Id: "), "notifications/x",
		map[string]any{"n": 1}) != nil {
		time.Sleep(time.Millisecond)
	}
	id := ""
	for line := range first {
		if after, ok := strings.CutPrefix(line, "id: "); ok {
			id = after
		}
		if strings.Contains(line, `"n":1`) {
			break
		}
	}
	if err := v.web.server.MCP().
		SendNotificationToSpecificClient(strings.TrimPrefix(session, "Mcp-Session-Id: "), "notifications/x",
			map[string]any{"n": 2}); err != nil {
		t.Fatal(err)
	}
	_, second := v.stream("/mcp", session, "Last-Event-ID: "+id)
	for line := range second {
		if strings.Contains(line, `"n":1`) {
			t.Error("an event that was seen came again")
		}
		if strings.Contains(line, `"n":2`) {
			break
		}
	}
	if answer, _ := v.ask("GET", "/mcp", "", session, "Last-Event-ID: 999"); answer.StatusCode != 400 {
		t.Errorf("an event that never was: %d", answer.StatusCode)
	}
	if answer, _ := v.ask("DELETE", "/mcp", "", session); answer.StatusCode != 200 {
		t.Errorf("delete: %d", answer.StatusCode)
	}
	for range second { // ends with its session
	}
}

func TestEventsAreBounded(t *testing.T) {
	e := newEvents()
	big := json.RawMessage(`"` + strings.Repeat("x", 100<<10) + `"`)
	for range 2 * keptEvents {
		if _, err := e.StoreEvent(t.Context(), "s", "t", big); err != nil {
			t.Fatal(err)
		}
	}
	if k := e.sessions["s"]; k.bytes > keptBytes || len(k.events) > keptEvents || len(k.events) == 0 {
		t.Errorf("%d events of %d bytes are kept", len(k.events), k.bytes)
	}
	const many = 2000
	for i := range many {
		for range 20 {
			if _, err := e.StoreEvent(t.Context(), fmt.Sprint(i), "t", big); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := 0
	for _, k := range e.sessions {
		all += k.bytes
	}
	if all > 6*keptInAll {
		t.Errorf("%d bytes are kept of %d sessions", all, many)
	}
	clear(e.sessions)
	e.sessions["s"] = &sessionEvents{}
	if err := e.PurgeSession(t.Context(), "s"); err != nil || len(e.sessions) != 0 {
		t.Errorf("%v, %d sessions are left", err, len(e.sessions))
	}
}

func TestSessionLimits(t *testing.T) {
	var mu sync.Mutex
	now := time.Now()
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); now = now.Add(time.Millisecond); return now }
	v := open(t, everybody, func(_ *server.Options, o *Options) {
		o.SessionsEach, o.Sessions, o.Clock, o.SessionIdle = 2, 3, clock, time.Hour
	})
	alive := func(session, token string) bool {
		answer, _ := v.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, session, bearerOf(token))
		return answer.StatusCode == 200
	}
	one, two := v.session(bearerOf("ann")), v.session(bearerOf("ann"))
	if !alive(one, "ann") {
		t.Error("a session within the limit ended")
	}
	three := v.session(bearerOf("ann"))
	if alive(two, "ann") || !alive(one, "ann") || !alive(three, "ann") {
		t.Error("not the session that was unused for longest has ended")
	}
	bobs := v.session(bearerOf("bob"))
	if again := v.session(bearerOf("bob")); alive(bobs, "bob") || !alive(again, "bob") || !alive(one, "ann") {
		t.Error("with all places taken, not bob's own session made room for him")
	}
	answer, text := v.ask("POST", "/mcp", servertest.Initialize("2025-11-25"), bearerOf("ann2"))
	if answer.StatusCode != 503 || !strings.Contains(text, "too many sessions") {
		t.Errorf("%s %s", answer.Status, text)
	}
	mu.Lock()
	now = now.Add(59 * time.Minute)
	mu.Unlock()
	alive(one, "ann")
	mu.Lock()
	now = now.Add(2 * time.Minute)
	mu.Unlock()
	v.web.sessions.sweep()
	if n := v.web.sessions.count(); n != 1 || !alive(one, "ann") {
		t.Errorf("%d sessions are left after an hour", n)
	}
}

func TestRate(t *testing.T) {
	now := time.Now()
	var mu sync.Mutex
	v := open(t, everybody, func(_ *server.Options, o *Options) {
		o.Rate, o.Burst, o.Clock = 0.1, 2, func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	ask := func(token string) *http.Response {
		answer, _ := v.ask("GET", "/metrics", "", bearerOf(token))
		return answer
	}
	for _, want := range []int{200, 200, 429, 429} {
		if got := ask("ann"); got.StatusCode != want || want == 429 && got.Header.Get("Retry-After") != "10" {
			t.Errorf("%s, Retry-After %q, want %d", got.Status, got.Header.Get("Retry-After"), want)
		}
	}
	if got := ask("bob"); got.StatusCode != 200 {
		t.Errorf("another token: %s", got.Status)
	}
	mu.Lock()
	now = now.Add(10 * time.Second)
	mu.Unlock()
	if got := ask("ann"); got.StatusCode != 200 {
		t.Errorf("after the wait: %s", got.Status)
	}
}

func TestMetrics(t *testing.T) {
	v := open(t, everybody, func(_ *server.Options, o *Options) {
		o.Metrics = func(context.Context) ([]server.Gauge, error) {
			return []server.Gauge{{Name: "mcp_memory_records", Value: 7}}, nil
		}
	})
	c := v.clients("ann")["2025-11-25"]
	greet(t, c)
	useTool(t, c, "save", "secret")
	_, text := v.ask("GET", "/metrics", "", bearerOf("bob"))
	for _, want := range []string{
		`mcp_memory_calls_total{tool="save",code="ok"} 1`,
		`mcp_memory_call_seconds_count{tool="save"} 1`, `mcp_memory_call_seconds_bucket{tool="save",le="+Inf"} 1`,
		"mcp_memory_sessions 2", "mcp_memory_connections ", "mcp_memory_records 7", "process_resident_memory_bytes",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("without %s:\n%s", want, text)
		}
	}
	for _, leak := range []string{"ann", "secret"} {
		if strings.Contains(text, leak) {
			t.Errorf("the metrics tell %q", leak)
		}
	}
}

func TestProbes(t *testing.T) {
	ready := true
	v := open(t, everybody, func(_ *server.Options, o *Options) {
		o.Issuers = []string{"https://issuer.example"}
		o.Ready = func(context.Context) (string, error) {
			if ready {
				return "a node does not answer", nil
			}
			return "", context.DeadlineExceeded
		}
	})
	for path, want := range map[string]string{
		"/healthz": "ok\n", "/readyz": "ready\na node does not answer\n",
		"/.well-known/oauth-protected-resource":     `"resource":"` + v.url + `/mcp"`,
		"/.well-known/oauth-protected-resource/mcp": `"authorization_servers":["https://issuer.example"]`,
	} {
		if answer, text := v.ask("GET", path, ""); answer.StatusCode != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s", path, answer.Status, text)
		}
	}
	ready = false
	if answer, _ := v.ask("GET", "/readyz", ""); answer.StatusCode != 503 {
		t.Errorf("not ready: %s", answer.Status)
	}
}
