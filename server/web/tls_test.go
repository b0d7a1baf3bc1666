package web

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// With a certificate the server speaks HTTP/2 over TLS and nothing else, tells
// clients its address as they know it, and ends streams like those of HTTP/1.
func TestTLS(t *testing.T) {
	known := httptest.NewTLSServer(http.NotFoundHandler()) // for its certificate and who trusts it
	defer known.Close()
	v := open(t, everybody, func(_ *server.Options, o *Options) { o.TLS = &tls.Config{Certificates: known.TLS.Certificates} })
	client := known.Client()
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	url := strings.Replace(v.url, "http://", "https://", 1)
	ask := func(method, path, body string, headers ...string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range append(headers, "Content-Type: application/json", "Accept: application/json, text/event-stream") {
			name, value, _ := strings.Cut(h, ": ")
			r.Header.Set(name, value)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	if answer := ask("POST", "/mcp", "{}"); answer.ProtoMajor != 2 ||
		!strings.Contains(answer.Header.Get("WWW-Authenticate"), `"`+url+"/.well-known/") {
		t.Errorf("%s %s, WWW-Authenticate %s", answer.Proto, answer.Status, answer.Header.Get("WWW-Authenticate"))
	}
	session := "Mcp-Session-Id: " + ask("POST", "/mcp", servertest.Initialize("2025-11-25"), bearerOf("ann")).Header.Get("Mcp-Session-Id")
	stream := ask("GET", "/mcp", "", session, bearerOf("ann"))
	if text, _ := io.ReadAll(ask("POST", "/mcp", servertest.CallTool("1", "save", `{"text":"a"}`), session,
		bearerOf("ann")).Body); !strings.Contains(string(text), "saved a") {
		t.Errorf("beside a stream: %s", text)
	}
	if answer, err := http.Get(v.url + "/healthz"); err == nil && answer.StatusCode != 400 {
		t.Errorf("without TLS: %s", answer.Status)
	}
	v.end()
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
}
