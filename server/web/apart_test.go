package web

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// until reads a stream up to the line that contains a part, and returns what
// came before it.
func until(t *testing.T, lines <-chan string, part string) (before []string) {
	t.Helper()
	late := time.After(servertest.Patience)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("the stream ended before %q", part)
			}
			if strings.Contains(line, part) {
				return before
			}
			before = append(before, line)
		case <-late:
			t.Fatalf("nothing with %q", part)
		}
	}
}

// Clients number their requests alike, and in the stateless era nothing but the
// connection tells them apart. What one subscribes to, ends or cancels is not
// another's.
func TestClientsWithTheSameIDs(t *testing.T) {
	l := servertest.NewBank(t)
	v := open(t, everybody, func(o *server.Options, _ *Options) { o.Pages, o.Poll = l.Options().Pages, servertest.Poll })
	modern := func(method string) []string {
		return []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
	}
	uris := map[string]string{"ann": "memory://record/" + l.Save("ann", "The harbour closes at nine."), "bob": "memory://salient"}
	streams := map[string]<-chan string{}
	for token, uri := range uris {
		body := servertest.Request("newer", "subscriptions/listen", `"notifications":{"resourceSubscriptions":["`+uri+`"]}`)
		_, streams[token] = v.begin("POST", "/mcp", body, append(modern("subscriptions/listen"), bearerOf(token))...)
		until(t, streams[token], "acknowledged")
	}
	for _, token := range []string{"bob", "ann2"} {
		body := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,` + servertest.MetaModern + `}}`
		if answer, _ := v.ask("POST", "/mcp", body,
			append(modern("notifications/cancelled"), bearerOf(token))...); answer.StatusCode != 202 {
			t.Errorf("%s cancels: %s", token, answer.Status)
		}
	}
	l.Save("bob", "The vault is in the cellar.")
	if before := until(t, streams["bob"], `"memory://salient"`); strings.Contains(strings.Join(before, ""), "updated") {
		t.Errorf("bob heard %q", before)
	}
	anns := strings.TrimPrefix(uris["ann"], "memory://record/")
	if _, err := l.Remember.Forget(t.Context(), memory.Scope{Agent: "ann"},
		remember.ForgetRequest{IDs: []string{anns}, Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	if before := until(t, streams["ann"], uris["ann"]); slices.ContainsFunc(before,
		func(line string) bool { return strings.Contains(line, "salient") }) {
		t.Errorf("ann heard %q", before)
	}
}

// We and the library behind us see the same era in a message, also in one
// that says two things: else it would be let in as stateless and then be served
// in somebody's session.
func TestMessageOfTwoEras(t *testing.T) {
	v := open(t, everybody, nil)
	anns := v.session(bearerOf("ann"))
	for name, method := range map[string]string{"a call in another's session": "tools/list", "a session beside the limits": "initialize"} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":"x","params":{%s}}`, method, servertest.MetaModern)
		answer, text := v.ask("POST", "/mcp", body, anns, bearerOf("bob"))
		if method == "tools/list" && answer.StatusCode != 404 || strings.Contains(text, `"tools"`) {
			t.Errorf("%s: %s %s", name, answer.Status, text)
		}
	}
	v.web.sessions.each = 1
	for range 5 {
		v.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":"x","params":{`+servertest.MetaModern+`}}`,
			bearerOf("bob"))
	}
	if n := v.web.sessions.count(); n > 2 {
		t.Errorf("%d sessions beside the limits", n)
	}
}

// An operator reads the metrics, and is refused at every other door, whatever it asks.
func TestOperatorsOpenNoBank(t *testing.T) {
	l := servertest.NewBank(t)
	l.Save("ann", "The harbour closes at nine.")
	v := open(t, everybody, func(o *server.Options, h *Options) {
		o.Pages = l.Options().Pages
		h.MemoryTool = func(context.Context, string, []byte) []byte { return []byte("The harbour closes at nine.") }
	})
	session := v.session(bearerOf("ann"))
	for _, ask := range []struct{ method, path, body string }{
		{"POST", "/mcp", servertest.Initialize("2025-11-25")}, {"POST", "/mcp", servertest.CallTool("1", "note", "{}")},
		{"POST", "/mcp", servertest.Request("newer", "tools/list", "")},
		{"POST", "/mcp", servertest.Request("newer", "resources/read", `"uri":"memory://salient"`)},
		{"GET", "/mcp", ""}, {"DELETE", "/mcp", ""}, {"GET", "/sse", ""},
		{"POST", "/message?sessionId=1", servertest.Initialize("2024-11-05")}, {"POST", "/memory-tool", "{}"},
	} {
		for _, header := range []string{"X-Nothing: 1", session} {
			answer, text := v.ask(ask.method, ask.path, ask.body, bearerOf("ops"), header)
			if answer.StatusCode != 403 || !strings.Contains(text, "forbidden: this token is an operator's") ||
				strings.Contains(text, "harbour") {
				t.Errorf("%s %s %s: %s %s", ask.method, ask.path, ask.body, answer.Status, text)
			}
		}
	}
	if answer, text := v.ask("GET", "/metrics", "", bearerOf("ops")); answer.StatusCode != 200 ||
		!strings.Contains(text, "mcp_memory_sessions") {
		t.Errorf("metrics: %s %s", answer.Status, text)
	}
	if answer, text := v.ask("GET", "/metrics", "", bearerOf("shop")); answer.StatusCode != 403 || strings.Contains(text, "mcp_memory") {
		t.Errorf("metrics for some projects: %s %s", answer.Status, text)
	}
	// What is behind these doors refuses it as well.
	if page, err := l.Options().Pages.Read(access.With(t.Context(), everybody["ops"]), "memory://salient"); err == nil {
		t.Errorf("a page: %+v", page)
	}
}
