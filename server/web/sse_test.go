package web

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/server/servertest"
)

// Clients of the newer era say its version in a header also by the older
// transport, but do not repeat the message in headers there.
func TestNewerEraBySSE(t *testing.T) {
	v := open(t, guests{}, nil)
	_, lines := v.stream("/sse")
	next := func() string {
		select {
		case line := <-lines:
			return strings.TrimPrefix(line, "data: ")
		case <-time.After(servertest.Patience):
			t.Fatal("nothing came")
			return ""
		}
	}
	next() // the event's name
	endpoint := next()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + servertest.MetaModern +
		`,"name":"save","arguments":{"text":"by SSE"}}}`
	if answer, text := v.ask("POST", endpoint[strings.Index(endpoint, "/message"):], body,
		"Mcp-Protocol-Version: 2026-07-28"); answer.StatusCode != 202 {
		t.Fatalf("%s %s", answer.Status, text)
	}
	next()
	if got := next(); !strings.Contains(got, "saved by SSE") {
		t.Error(got)
	}
}
