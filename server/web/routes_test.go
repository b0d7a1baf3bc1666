package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"mcp-memory/server/servertest"
)

// Each path has its methods, and no others: not even HEAD where there is GET,
// since that would open a stream.
func TestMethods(t *testing.T) {
	v := open(t, guests{}, nil)
	for path, allowed := range map[string]string{
		"/healthz": "GET, HEAD", "/readyz": "GET, HEAD", "/metrics": "GET", "/mcp": "GET, POST, DELETE", "/sse": "GET", "/message": "POST",
		"/.well-known/oauth-protected-resource": "GET", "/.well-known/oauth-protected-resource/mcp": "GET",
	} {
		methods := strings.Split(allowed, ", ")
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			if method == "GET" && path == "/sse" {
				continue // a stream, which does not end
			}
			answer, text := v.ask(method, path, "")
			got := answer.Header.Get("Allow")
			switch refused := answer.StatusCode == http.StatusMethodNotAllowed; {
			case slices.Contains(methods, method):
				if refused || got != "" {
					t.Errorf("%s %s: %s, Allow: %s", method, path, answer.Status, got)
				}
			case !refused || got != allowed || method != "HEAD" && !strings.Contains(text, "use "+allowed):
				t.Errorf("%s %s: %s %s, Allow: %s, want %s", method, path, answer.Status, text, got, allowed)
			}
		}
	}
}

// Once the shutdown has begun, calls are refused and whoever looks is told.
func TestShuttingDown(t *testing.T) {
	v := open(t, guests{}, nil)
	session := v.session()
	v.web.closing.Store(true)
	for _, path := range []string{"/mcp", "/message"} {
		answer, text := v.ask("POST", path, servertest.CallTool("1", "save", `{"text":"late"}`), session)
		if answer.StatusCode != 503 || !strings.Contains(text, "shutting down") {
			t.Errorf("POST %s: %s %s", path, answer.Status, text)
		}
	}
	for path, want := range map[string]int{"/metrics": 503, "/healthz": 200, "/readyz": 503} {
		if answer, text := v.ask("GET", path, ""); answer.StatusCode != want {
			t.Errorf("GET %s: %s %s", path, answer.Status, text)
		}
	}
	if v.All() != "" {
		t.Error("a call was made")
	}
}
