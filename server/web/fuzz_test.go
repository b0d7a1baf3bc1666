package web

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"mcp-memory/access"
	"mcp-memory/server/servertest"
)

// Whatever is posted, the answer is a status of ours and JSON, and nothing
// panics.
func FuzzHTTP(f *testing.F) {
	for _, body := range []string{
		servertest.Initialize("2025-11-25"), servertest.CallTool("1", "save", `{"text":"x"}`),
		"[]", "{", "", "5", `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + servertest.MetaModern + `}}`,
	} {
		f.Add("POST", "/mcp", body, "", "2025-11-25", "application/json")
		f.Add("POST", "/mcp", body, "x", "2026-07-28", "application/json")
		f.Add("POST", "/message?sessionId=x", body, "", "", "application/json")
	}
	f.Add("DELETE", "/mcp", "", "x", "", "")
	f.Add("GET", "/mcp?token=x", "", "", "", "")
	s, n := servertest.New(f, nil)
	go func() {
		for range n.Begun {
		}
	}()
	web := New(s, Options{Access: guests{}, Agent: "own", SSE: true})
	session := web.sessions.add(access.Identity{Agent: "own"}.Key()).id
	f.Fuzz(func(t *testing.T, method, path, body, id, version, contentType string) {
		if !validRequest(method, path) || method == "GET" && (strings.HasPrefix(path, "/mcp") || strings.HasPrefix(path, "/sse")) {
			return // streams do not end
		}
		r := httptest.NewRequest(method, "http://localhost/", strings.NewReader(body))
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(path, "?")
		r.Header.Set("Content-Type", contentType)
		if version != "" {
			r.Header.Set("Mcp-Protocol-Version", version)
		}
		if id == "x" {
			id = session
		}
		r.Header.Set("Mcp-Session-Id", id)
		if strings.Contains(body, "wait") || strings.Contains(body, "confirm") || strings.Contains(body, "listen") ||
			strings.Contains(body, "ms") {
			return // calls that wait
		}
		w := web.handle(r)
		if w.Code == 500 {
			t.Errorf("%s", w.Body)
		}
		if text := w.Body.String(); strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid([]byte(text)) {
			t.Errorf("not JSON: %q", text)
		}
	})
}

func validRequest(method, path string) bool {
	return (method == "POST" || method == "DELETE" || method == "GET" || method == "PUT") && strings.HasPrefix(path, "/")
}
