package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// Everything that should not be asked gets the right status and a short error
// of the protocol, and nothing of it is written to the log.
func TestBadRequests(t *testing.T) {
	var log bytes.Buffer
	v := open(t, everybody, func(o *server.Options, h *Options) {
		o.Log = slog.New(slog.NewTextHandler(&synced{w: &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
		h.Hosts, h.Origins = []string{"memory.example"}, []string{"https://app.example"}
	})
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 10 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	ann, session := bearerOf("ann"), v.session(bearerOf("ann"))
	ping := `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	save := servertest.CallTool("7", "save", `{"text":"x"}`)
	huge := servertest.CallTool("7", "save", `{"text":"`+strings.Repeat("x", 5<<20)+`"}`)
	for name, test := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		part               string
	}{
		"no token":               {"POST", "/mcp", save, nil, 401, "a token is missing"},
		"unknown token":          {"POST", "/mcp", save, []string{bearerOf("mallory")}, 401, "not valid"},
		"empty token":            {"POST", "/mcp", save, []string{"Authorization: Bearer "}, 401, "missing"},
		"basic auth":             {"POST", "/mcp", save, []string{"Authorization: Basic YTpi"}, 401, "missing"},
		"two tokens":             {"POST", "/mcp", save, []string{ann, bearerOf("bob")}, 401, "missing"},
		"token in the query":     {"POST", "/mcp?access_token=ann", save, []string{ann, session}, 400, "URL"},
		"our token in the query": {"POST", "/mcp?x=mcpm_SECRET", save, []string{ann, session}, 400, "URL"},
		"no token for a stream":  {"GET", "/sse", "", nil, 401, "missing"},
		"no token for metrics":   {"GET", "/metrics", "", nil, 401, "missing"},
		"evil origin":            {"POST", "/mcp", save, []string{ann, session, "Origin: https://evil.example"}, 403, "Origin"},
		"null origin":            {"POST", "/mcp", save, []string{ann, session, "Origin: null"}, 403, "Origin"},
		"two origins": {"POST", "/mcp", save,
			[]string{ann, session, "Origin: https://app.example", "Origin: https://evil.example"}, 403, "Origin"},
		"file origin":            {"POST", "/mcp", save, []string{ann, session, "Origin: file://localhost"}, 403, "Origin"},
		"origin like localhost":  {"POST", "/mcp", save, []string{ann, session, "Origin: http://localhost.evil.example"}, 403, "Origin"},
		"allowed origin":         {"POST", "/mcp", ping, []string{ann, session, "Origin: https://app.example"}, 200, `"id":7`},
		"loopback origin":        {"POST", "/mcp", ping, []string{ann, session, "Origin: http://localhost:6274"}, 200, `"id":7`},
		"preflight":              {"OPTIONS", "/mcp", "", []string{"Origin: https://app.example"}, 204, ""},
		"evil preflight":         {"OPTIONS", "/mcp", "", []string{"Origin: https://evil.example"}, 403, "Origin"},
		"wrong host":             {"POST", "/mcp", save, []string{ann, session, "Host: evil.example"}, 403, "Host"},
		"wrong host for a probe": {"GET", "/healthz", "", []string{"Host: evil.example"}, 403, "Host"},
		"known host":             {"POST", "/mcp", ping, []string{ann, session, "Host: memory.example:443"}, 200, `"id":7`},
		"5 MiB":                  {"POST", "/mcp", huge, []string{ann, session}, 413, "too_large"},
		"5 MiB over SSE":         {"POST", "/message?sessionId=x", huge, []string{ann}, 413, "too_large"},
		"gzip":                   {"POST", "/mcp", bomb.String(), []string{ann, session, "Content-Encoding: gzip"}, 415, "compressed"},
		"another type":           {"POST", "/mcp", save, []string{ann, session, "Content-Type: text/plain"}, 415, "application/json"},
		"another type over SSE": {"POST", "/message?sessionId=x", ping, []string{ann, "Content-Type: text/plain"}, 415,
			"application/json"},
		"a form": {"POST", "/mcp", save, []string{ann, session, "Content-Type: application/x-www-form-urlencoded"}, 415,
			"application/json"},
		"nothing":     {"POST", "/mcp", " ", []string{ann, session}, 400, "-32700"},
		"half a JSON": {"POST", "/mcp", `{"jsonrpc":"2.0","id":7,"met`, []string{ann, session}, 400, "-32700"},
		"two JSONs":   {"POST", "/mcp", ping + ping, []string{ann, session}, 400, "-32700"},
		"not UTF-8": {"POST", "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", []string{ann, session},
			400, "-32700"},
		"batch":                   {"POST", "/mcp", "[" + ping + "]", []string{ann, session}, 400, "batches"},
		"batch in the other era":  {"POST", "/mcp", "[" + ping + "]", []string{ann, "Mcp-Protocol-Version: 2026-07-28"}, 400, "batches"},
		"a number":                {"POST", "/mcp", "5", []string{ann, session}, 400, "-32600"},
		"id is an object":         {"POST", "/mcp", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, []string{ann, session}, 400, "-32600"},
		"no session":              {"POST", "/mcp", ping, []string{ann}, 400, `"id":7`},
		"no session for a stream": {"GET", "/mcp", "", []string{ann}, 400, "Mcp-Session-Id"},
		"unknown session":         {"POST", "/mcp", ping, []string{ann, "Mcp-Session-Id: 0123"}, 404, `"id":7`},
		"session of another":      {"POST", "/mcp", ping, []string{bearerOf("bob"), session}, 404, "no such session"},
		"unknown SSE session":     {"POST", "/message?sessionId=0123", ping, []string{ann}, 404, "no such session"},
		"session of other kind": {"POST", "/message?sessionId=" + strings.TrimPrefix(session, "Mcp-Session-Id: "), ping,
			[]string{ann}, 400, ""},
		"unknown version":      {"POST", "/mcp", ping, []string{ann, session, "Mcp-Protocol-Version: 1999-01-01"}, 400, "version"},
		"stream of modern era": {"GET", "/mcp", "", []string{ann, "Mcp-Protocol-Version: 2026-07-28"}, 405, ""},
		"modern without header": {"POST", "/mcp",
			`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + servertest.MetaModern + `}}`, []string{ann}, 400, ""},
		"another method":        {"PUT", "/mcp", ping, []string{ann, session}, 405, "GET, POST, DELETE"},
		"half a method":         {"GE", "/metrics", "", []string{ann}, 405, "GET"},
		"trace":                 {"TRACE", "/mcp", "", []string{ann, session}, 405, ""},
		"get a message":         {"GET", "/message", "", []string{ann}, 405, "POST"},
		"another path":          {"GET", "/", "", []string{ann}, 404, "/mcp"},
		"path tricks":           {"GET", "/mcp/../../etc/passwd", "", []string{ann}, 404, ""},
		"below the path":        {"POST", "/mcp/x", ping, []string{ann, session}, 404, ""},
		"slash behind the path": {"POST", "/mcp/", ping, []string{ann, session}, 404, "/mcp"},
		"two slashes":           {"POST", "//mcp", ping, []string{ann, session}, 404, "/mcp"},
		"dot in the path":       {"GET", "/./metrics", "", []string{ann}, 404, "/mcp"},
	} {
		t.Run(name, func(t *testing.T) {
			v.t = t
			answer, text := v.ask(test.method, test.path, test.body, test.headers...)
			if answer.StatusCode != test.status || !strings.Contains(text, test.part) || len(text) > 600 {
				t.Errorf("%s %s, want %d with %q", answer.Status, text, test.status, test.part)
			}
			if strings.Contains(answer.Header.Get("Content-Type"), "json") && !json.Valid([]byte(text)) {
				t.Errorf("not JSON: %s", text)
			}
			challenge := answer.Header.Get("WWW-Authenticate")
			if wants := `Bearer resource_metadata="` + v.url +
				`/.well-known/oauth-protected-resource"`; test.status == 401 != strings.HasPrefix(challenge, wants) {
				t.Errorf("WWW-Authenticate: %s", challenge)
			}
			if origin := answer.Header.Get("Access-Control-Allow-Origin"); origin == "*" || test.status == 403 && origin != "" {
				t.Errorf("Access-Control-Allow-Origin: %s", origin)
			}
		})
	}
	if v.All() != "" {
		t.Errorf("something was saved: %s", v.All())
	}
	if got := log.String(); strings.Contains(got, "SECRET") || strings.Contains(got, "access_token") || strings.Contains(got, "mallory") ||
		!strings.Contains(got, "agent=ann") {
		t.Errorf("the log has what it should not, or not what it should:\n%s", got)
	}
}

// What is too long is not read to its end, also when it does not say its length.
func TestTooLongInChunks(t *testing.T) {
	v := open(t, everybody, nil)
	r := httptest.NewRequest("POST", "http://localhost/mcp", endless{})
	r.Header.Set("Authorization", "Bearer ann")
	r.Header.Set("Content-Type", "application/json")
	if w := v.web.handle(r); w.Code != 413 || !strings.Contains(w.Body.String(), "too_large") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// endless is a body.
type endless struct{}

// Read implements [io.Reader].
func (endless) Read(p []byte) (int, error) { return copy(p, strings.Repeat("x", len(p))), nil }

// The stream of the older transport allows no web page that checkOrigin does not.
func TestSSEAllowsNoPage(t *testing.T) {
	v := open(t, nil, nil)
	answer, lines := v.stream("/sse")
	if got := answer.Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("Access-Control-Allow-Origin: %s", got)
	}
	if first := <-lines; first != "event: endpoint" {
		t.Errorf("the stream begins with %q", first)
	}
	answer, _ = v.stream("/sse", "Origin: http://localhost:1")
	if got := answer.Header.Get("Access-Control-Allow-Origin"); got != "http://localhost:1" {
		t.Errorf("Access-Control-Allow-Origin: %s", got)
	}
}

func TestSSEIsOffUnlessAsked(t *testing.T) {
	v := open(t, nil, func(_ *server.Options, o *Options) { o.SSE = false })
	for _, path := range []string{"/sse", "/message"} {
		if answer, _ := v.ask("GET", path, ""); answer.StatusCode != 404 {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}
