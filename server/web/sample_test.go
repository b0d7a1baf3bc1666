//lint:file-ignore SA1019 Clients of the older servertest.Eras are among those that are tested.

package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// guests are known by their tokens. Without any, everybody is let in.
type guests map[string]access.Identity

func (g guests) Required(context.Context) (bool, error) { return len(g) > 0, nil }

func (g guests) Identify(_ context.Context, token string) (access.Identity, error) {
	if i, ok := g[token]; ok {
		return i, nil
	}
	return access.Identity{}, memory.Errorf(memory.CodeForbidden, "unknown")
}

var everybody = guests{
	"ann": {Agent: "ann", Token: "1"}, "ann2": {Agent: "ann", Token: "2"}, "bob": {Agent: "bob", Token: "3"},
	"reader": {Agent: "ann", Token: "4", ReadOnly: true}, "shop": {Agent: "ann", Token: "5", Projects: []string{"shop"}},
	"ops": {Agent: "ann", Token: "6", Operator: true},
}

// site is a server on a real listener.
type site struct {
	*servertest.Notebook
	t    testing.TB
	web  *Server
	url  string // without a path
	end  context.CancelFunc
	done chan error
}

func open(t testing.TB, g guests, change func(*server.Options, *Options)) *site {
	t.Helper()
	o := Options{Access: g, Agent: "own", SSE: true}
	s, n := servertest.New(t, func(so *server.Options) {
		if change != nil {
			change(so, &o)
		}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	v := &site{n, t, New(s, o), "http://" + l.Addr().String(), end, make(chan error, 1)}
	go func() { v.done <- v.web.Serve(ctx, l) }()
	t.Cleanup(func() {
		end()
		if err := <-v.done; err != nil {
			t.Error(err)
		}
		v.done <- nil
	})
	return v
}

// ask makes a request. Headers are "Name: value".
func (v *site) ask(method, path, body string, headers ...string) (*http.Response, string) {
	v.t.Helper()
	// A server that is wrong may answer with a stream, which never ends.
	ctx, cancel := context.WithTimeout(v.t.Context(), 15*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, v.url+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		if name == "Content-Type" {
			r.Header.Del(name)
		}
		r.Header.Add(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer, string(text)
}

// session begins one of the older era and returns its header.
func (v *site) session(headers ...string) string {
	v.t.Helper()
	answer, text := v.ask("POST", "/mcp", servertest.Initialize("2025-11-25"), headers...)
	id := answer.Header.Get("Mcp-Session-Id")
	if answer.StatusCode != 200 || id == "" {
		v.t.Fatalf("initialize: %s %s", answer.Status, text)
	}
	return "Mcp-Session-Id: " + id
}

// stream opens a stream of events and returns its lines.
func (v *site) stream(path string, headers ...string) (*http.Response, <-chan string) {
	v.t.Helper()
	return v.begin("GET", path, "", headers...)
}

// begin begins a request whose answer is a stream.
func (v *site) begin(method, path, body string, headers ...string) (*http.Response, <-chan string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.url+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { answer.Body.Close() })
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(answer.Body)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			if s.Text() != "" {
				lines <- s.Text()
			}
		}
	}()
	return answer, lines
}

func bearerOf(token string) string { return "Authorization: Bearer " + token }

// clients are the library's: in the stateless era, the older one, and over the
// transport of 2024-11-05.
func (v *site) clients(token string) map[string]*client.Client {
	v.t.Helper()
	headers := map[string]string{"Authorization": "Bearer " + token}
	stream := func() transport.Interface {
		c, err := transport.NewStreamableHTTP(v.url+"/mcp", transport.WithHTTPHeaders(headers))
		if err != nil {
			v.t.Fatal(err)
		}
		return c
	}
	sse, err := transport.NewSSE(v.url+"/sse", transport.WithHeaders(headers))
	if err != nil {
		v.t.Fatal(err)
	}
	all := map[string]*client.Client{
		"2026-07-28": client.NewClient(stream(), client.WithProtocolVersion("2026-07-28")),
		"2025-11-25": client.NewClient(stream(), client.WithLegacyProtocolOnly()),
		"2024-11-05": client.NewClient(sse, client.WithLegacyProtocolOnly()),
	}
	for name, c := range all {
		v.t.Cleanup(func() { c.Close() })
		if err := c.Start(v.t.Context()); err != nil {
			v.t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

func greet(t testing.TB, c *client.Client) *mcp.InitializeResult {
	t.Helper()
	hello := mcp.InitializeRequest{}
	hello.Params.ClientInfo = mcp.Implementation{Name: "t", Version: "1"}
	result, err := c.Initialize(t.Context(), hello)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// useTool calls a tool and returns its text.
func useTool(t testing.TB, c *client.Client, tool, text string) string {
	t.Helper()
	r := mcp.CallToolRequest{}
	r.Params.Name, r.Params.Arguments = tool, map[string]any{"text": text}
	result, err := c.CallTool(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return mcp.GetTextFromContent(result.Content[0])
}

// handle asks without a network.
func (h *Server) handle(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
