//go:build unix

package process

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// send makes a request and returns its status, header and body. Headers are
// "Name: value".
func (c *caller) send(method, path, body string, headers ...string) (int, http.Header, string) {
	c.t.Helper()
	answer := c.begin(method, path, body, headers...)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

// begin makes a request whose answer may be a stream.
func (c *caller) begin(method, path, body string, headers ...string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, h := range append(headers, "Content-Type: application/json", "Accept: application/json, text/event-stream",
		"Authorization: Bearer "+c.token) {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// stream begins a request and returns the data of its events as they come.
func (c *caller) stream(method, path, body string, headers ...string) <-chan string {
	c.t.Helper()
	answer := c.begin(method, path, body, headers...)
	c.t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != 200 {
		c.t.Fatalf("%s %s: %s", method, path, answer.Status)
	}
	events := make(chan string, 1000)
	go func() {
		defer close(events)
		for lines := bufio.NewReader(answer.Body); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				events <- strings.TrimSpace(data)
			}
		}
	}()
	return events
}

// upTo reads events up to the one that contains a part, and returns it and
// what came before.
func upTo(t *testing.T, events <-chan string, part string) (before []string, event string) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case event, ok := <-events:
			if !ok {
				t.Fatalf("the stream ended before %s; %q", part, before)
			}
			if strings.Contains(event, part) {
				return before, event
			}
			before = append(before, event)
		case <-late:
			t.Fatalf("no %s; %q", part, before)
		}
	}
}

// answerIn returns the message in an answer that may be a stream of events.
func answerIn(body string) string {
	if i := strings.LastIndex(body, "\ndata: "); i >= 0 {
		body = body[i+len("\ndata: "):]
	}
	return strings.TrimSpace(body)
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// ways are how a client may use the server over HTTP. Each returns what makes
// requests, and what the server said first.
var ways = map[string]func(c *caller) (ask func(method, params string) string, greeting string){
	"stateless": func(c *caller) (func(string, string) string, string) {
		ask := func(method, params string) string {
			c.t.Helper()
			_, body, err := c.post(method, strings.TrimSuffix(strings.TrimPrefix(params, "{"), "}"))
			if err != nil {
				c.t.Fatal(err)
			}
			return answerIn(body)
		}
		return ask, ask("server/discover", "{}")
	},
	"session": func(c *caller) (func(string, string) string, string) {
		session, greeting := c.session()
		id := 0
		return func(method, params string) string {
			c.t.Helper()
			id++
			_, _, body := c.send("POST", "/mcp",
				fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params), session)
			return answerIn(body)
		}, greeting
	},
	"sse": func(c *caller) (func(string, string) string, string) {
		events := c.stream("GET", "/sse", "")
		_, endpoint := upTo(c.t.(*testing.T), events, "/message")
		id := 0
		say := func(message string) string {
			c.t.Helper()
			if status, _, body := c.send("POST", endpoint, message); status != 202 {
				c.t.Fatalf("%d %s", status, body)
			}
			_, answer := upTo(c.t.(*testing.T), events, fmt.Sprintf(`"id":%d,`, id))
			return answer
		}
		greeting := say(hello)
		return func(method, params string) string {
			c.t.Helper()
			id++
			return say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
		}, greeting
	},
}

// session begins one of the older era and returns its header.
func (c *caller) session() (header, greeting string) {
	c.t.Helper()
	status, answer, body := c.send("POST", "/mcp", hello)
	id := answer.Get("Mcp-Session-Id")
	if status != 200 || id == "" {
		c.t.Fatalf("initialize: %d %s", status, body)
	}
	header = "Mcp-Session-Id: " + id
	c.send("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, header)
	return header, body
}

// listen subscribes in the stateless era.
func (c *caller) listen(t *testing.T, uris ...string) <-chan string {
	t.Helper()
	list, err := json.Marshal(uris)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":%s,"resourcesListChanged":true},%s}}`, list, stateless)
	events := c.stream("POST", "/mcp", body, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen")
	upTo(t, events, "acknowledged")
	return events
}

// subscribe subscribes in a session of the older era.
func (c *caller) subscribe(session string, uris ...string) <-chan string {
	c.t.Helper()
	events := c.stream("GET", "/mcp", "", session)
	for _, uri := range uris {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":%q}}`, uri)
		if status, _, answer := c.send("POST", "/mcp", body, session); status != 200 || strings.Contains(answer, `"error"`) {
			c.t.Fatalf("subscribe: %d %s", status, answer)
		}
	}
	return events
}

// Over HTTP nothing of an agent reaches the holder of another's token either,
// in each of the transports, while the agent itself uses the same process: not
// by tools and pages, not by its sessions and streams, not by what it hears of,
// not by metrics, errors and the log.
func TestLeakOverHTTP(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ada, known := owner(t, dir)
	_, adas := token(t, dir, "--agent", "ada")
	h, url := serveHTTP(t, dir, "--sse", "--log-level", "debug", "--tools", "all")
	inside := newCaller(t, url, adas)
	session, _ := inside.session()
	_, endpoint := upTo(t, inside.stream("GET", "/sse", ""), "/message")
	unheard(t, dir, inside, session, known)
	for name, way := range ways { // the process knows her bank as well as it ever will
		ask, greeting := way(inside)
		if all := greeting + ask("resources/read", `{"uri":"memory://session-start"}`) + ask("prompts/get", `{"name":"session-start"}`) +
			ask("tools/call", `{"name":"memory_search","arguments":{"query":"harbour"}}`); strings.Count(strings.ToLower(all), mark) < 20 {
			t.Errorf("%s: the owner finds %s", name, all)
		}
	}

	// Her own searches are counted some time after their answers.
	counts := regexp.MustCompile(`,"(access_count|last_accessed_at)":[^,}]*`)
	has := func() string { return counts.ReplaceAllString(ada.everything(t), "") }
	before, unreal := has(), ghosts(known)
	owned := belongings(t, before, known)
	secrets := []string{adas}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			_, his := token(t, dir, "--agent", "boris-"+name)
			secrets = append(secrets, his)
			boris := newCaller(t, url, his)
			ask, greeting := way(boris)
			s := stranger{t, ask, owned}
			s.call("memory_save", `{"content":"Boris has a harbour of his own."}`)
			s.tools(known, unreal)
			s.pages(known, unreal)
			_, later := way(boris) // which knows what he has saved
			s.checked("the greeting", greeting+later, known)
			s.doors(boris, session, endpoint)
		})
	}
	if after := has(); after != before {
		t.Errorf("the strangers changed the owner's bank:\n%s", changedLines(before, after))
	}
	if status, _, body := inside.send("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, session); status != 200 {
		t.Errorf("the owner's session has ended: %d %s", status, body)
	}
	terminate(t, h)
	for _, secret := range append(secrets, mark) {
		if strings.Contains(h.log.String(), secret) {
			t.Errorf("the log tells %q:\n%s", secret, h.log)
		}
	}
	var others string
	if err := inspect(t, dir).
		QueryRow(`SELECT coalesce(group_concat(actor || ' ' || action || ' ' || details), '') FROM audit_log WHERE agent = 'ada' AND actor NOT IN ('ada', 'cleo')`).Scan(&others); err != nil || others != "" {
		t.Errorf("in the owner's audit log there is %q, %v", others, err)
	}
	ada.sleep()
}

// unheard fails if a stranger hears of what the owner changes.
func unheard(t *testing.T, dir string, inside *caller, session string, known keys) {
	t.Helper()
	_, his := token(t, dir, "--agent", "listener")
	boris := newCaller(t, inside.url, his)
	boris.call("memory_save", object{"content": "Boris has a day log."})
	var uris []string
	for _, path := range []string{
		"stats", "salient", "session-start", "record/{record}", "session/{session}",
		"diary/{date}", "workspace/MEMORY.md", "workspace/sessions/{session}.jsonl",
	} {
		uris = append(uris, "memory://"+known.with(path))
	}
	own, _ := boris.session()
	ears := map[string]<-chan string{"stateless": boris.listen(t, uris...), "session": boris.subscribe(own, uris...)}
	for name, heard := range map[string]<-chan string{"stateless": inside.listen(t, uris...),
		"session": inside.subscribe(session, uris...)} {
		for tool, args := range map[string]string{
			"memory_update": `{"id":"{record}","tags":["{tag}","` + name + `"],"pinned":true}`,
			"context_append": `{"session_id":"{session}","messages":[{"role":"user","content":"The harbour ` + mark + ` again, says ` +
				name + `."}]}`,
			"diary_write": `{"date":"{date}","content":"The harbour ` + mark + ` dreamt ` + name + `."}`,
		} {
			if r := inside.call(tool, json.RawMessage(known.with(args))); r.IsError {
				t.Fatal(r.text())
			}
		}
		for changed := slices.Clone(uris[3:6]); len(changed) > 0; {
			_, event := upTo(t, heard, "resources/updated")
			changed = slices.DeleteFunc(changed, func(uri string) bool { return strings.Contains(event, `"`+uri+`"`) })
		}
	}
	boris.call("memory_save", object{"content": "Boris has a pinned harbour.", "pinned": true})
	for name, heard := range ears {
		before, _ := upTo(t, heard, uris[1])
		own := []string{`"memory://stats"`, `"memory://session-start"`, `"memory://workspace/MEMORY.md"`} // each of which he changed once
		for _, event := range before {
			if strings.Contains(event, "notifications/resources/") &&
				!slices.ContainsFunc(own, func(uri string) bool { return strings.Contains(event, uri) }) {
				t.Errorf("%s: the stranger hears %s", name, event)
			}
		}
		text := strings.Join(before, "\n")
		if strings.Contains(text, mark) || slices.ContainsFunc(own, func(uri string) bool { return strings.Count(text, uri) > 1 }) {
			t.Errorf("%s: the stranger hears %s", name, text)
		}
	}
}

// doors tries the owner's sessions and what is about the whole server.
func (s stranger) doors(c *caller, session, endpoint string) {
	s.t.Helper()
	own, _ := c.session()
	events := c.subscribe(own)
	for what, pair := range map[string][2]func() (int, http.Header, string){
		"a call":    {s.knock(c, "POST", "/mcp", session), s.knock(c, "POST", "/mcp", "Mcp-Session-Id: never")},
		"a stream":  {s.knock(c, "GET", "/mcp", session), s.knock(c, "GET", "/mcp", "Mcp-Session-Id: never")},
		"the end":   {s.knock(c, "DELETE", "/mcp", session), s.knock(c, "DELETE", "/mcp", "Mcp-Session-Id: never")},
		"a message": {s.knock(c, "POST", endpoint), s.knock(c, "POST", "/message?sessionId=never")},
		// Events are numbered through all sessions, so that numbers can be guessed.
		"a resumption": {s.knock(c, "GET", "/mcp", own, "Last-Event-ID: 1"), s.knock(c, "GET", "/mcp", own, "Last-Event-ID: 999999")},
	} {
		status, _, text := pair[0]()
		wanted, _, said := pair[1]()
		if status < 400 || status != wanted || text != said {
			s.t.Errorf("%s in another's session: %d %s; in one that never was: %d %s", what, status, text, wanted, said)
		}
	}
	if len(events) > 0 {
		s.t.Errorf("an unasked event: %s", <-events)
	}
	for _, path := range []string{"/metrics", "/healthz", "/readyz", "/.well-known/oauth-protected-resource", "/"} {
		_, header, text := c.send("GET", path, "")
		text += fmt.Sprint(header)
		s.checked(path, text, nil)
		for _, name := range []string{"ada", "cleo", "boris", c.token} {
			if strings.Contains(text, name) {
				s.t.Errorf("%s tells %q: %s", path, name, text)
			}
		}
	}
	for _, wrong := range []string{"", "mcpm_" + strings.Repeat("A", 43), c.token + "x"} {
		if status, _, text := newCaller(s.t, c.url, wrong).send("POST", "/mcp", hello, session); status != 401 ||
			strings.Contains(text, c.token) {
			s.t.Errorf("with the token %q: %d %s", wrong, status, text)
		}
	}
}

// knock makes a request that is to be refused.
func (s stranger) knock(c *caller, method, path string, headers ...string) func() (int, http.Header, string) {
	body := ""
	if method == "POST" {
		body = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	}
	return func() (int, http.Header, string) { return c.send(method, path, body, headers...) }
}
