package web

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// crowded is a refusal of [shares], with its code and when to try again.
func crowded(t *testing.T, what string, answer *http.Response, text string, status int) {
	t.Helper()
	if answer.StatusCode != status || answer.Header.Get("Retry-After") != "1" || !strings.Contains(text, "unavailable: ") {
		t.Errorf("%s: %s, Retry-After %q, %s", what, answer.Status, answer.Header.Get("Retry-After"), text)
	}
}

const listenBody = `{"jsonrpc":"2.0","id":6,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["memory://salient"]},` + servertest.MetaModern + `}}`

var listenHeaders = []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"}

// One token has so many streams and no more; others have theirs, and what is
// closed may be opened again.
func TestStreamsOfOneToken(t *testing.T) {
	bank := servertest.NewBank(t)
	v := open(t, everybody, func(so *server.Options, o *Options) { so.Pages, o.Streams = bank.Options().Pages, 3 })
	session := v.session(bearerOf("ann"))
	first, _ := v.begin("POST", "/mcp", listenBody, append(listenHeaders, bearerOf("ann"))...)
	v.stream("/mcp", session, bearerOf("ann"))
	v.stream("/sse", bearerOf("ann"))
	answer, text := v.ask("POST", "/mcp", listenBody, append(listenHeaders, bearerOf("ann"))...)
	crowded(t, "a stream of the newer era", answer, text, 429)
	answer, text = v.ask("GET", "/sse", "", bearerOf("ann"))
	crowded(t, "/sse", answer, text, 429)
	answer, text = v.ask("GET", "/mcp", "", v.session(bearerOf("ann")), bearerOf("ann"), "Accept: text/event-stream")
	crowded(t, "a stream of the older era", answer, text, 429)
	for _, token := range []string{"ann2", "bob"} {
		if answer, _ := v.begin("POST", "/mcp", listenBody, append(listenHeaders, bearerOf(token))...); answer.StatusCode != 200 {
			t.Errorf("%s: %s", token, answer.Status)
		}
	}
	if answer, text := v.ask("POST", "/mcp", servertest.CallTool("1", "recall", "{}"), session, bearerOf("ann")); answer.StatusCode != 200 {
		t.Errorf("a call beside the streams: %s %s", answer.Status, text)
	}
	first.Body.Close()
	eventually(t, "a stream may be opened again", func() bool {
		answer, _ := v.begin("POST", "/mcp", listenBody, append(listenHeaders, bearerOf("ann"))...)
		return answer.StatusCode == 200
	})
}

// unfinished begins requests that announce a body and send a part of it.
func unfinished(t *testing.T, v *site, n int, part string, headers ...string) (conns []net.Conn) {
	t.Helper()
	head := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
		strconv.Itoa(len(part)+1) + "\r\n"
	for _, h := range headers {
		head += h + "\r\n"
	}
	for range n {
		conn, err := net.Dial("tcp", strings.TrimPrefix(v.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		conns = append(conns, conn)
		if _, err := io.WriteString(conn, head+"\r\n"+part); err != nil {
			t.Log(err) // it may have been refused already
		}
	}
	return conns
}

// What one token sends and does not finish takes no more than its share, and
// others are served.
func TestUnfinishedBodies(t *testing.T) {
	v := open(t, everybody, func(so *server.Options, o *Options) {
		so.MaxLine, o.BodyBytes, o.Requests, o.Timeout = 1<<20, 4<<20, 20, time.Hour
	})
	unfinished(t, v, 50, strings.Repeat(" ", 512<<10), bearerOf("ann"))
	held := func() share {
		v.web.shares.mu.Lock()
		defer v.web.shares.mu.Unlock()
		return v.web.shares.total
	}
	eventually(t, "the share is used", func() bool { return held().bytes > 2<<20 })
	if used := held(); used.bytes > 4<<20 || used.requests > 20 {
		t.Errorf("in use: %+v", used)
	}
	if answer, text := v.ask("POST", "/mcp", servertest.Initialize("2025-11-25"), bearerOf("bob")); answer.StatusCode != 200 {
		t.Errorf("another: %s %s", answer.Status, text)
	}
	before := held().requests
	unfinished(t, v, 30, "{", bearerOf("ann2"))
	eventually(t, "too many are under way", func() bool { return held().requests == before+20 })
	answer, text := v.ask("GET", "/metrics", "", bearerOf("ann2"))
	crowded(t, "one more", answer, text, 429)
}

// Nothing is left of what was in use.
func TestSharesAreGivenBack(t *testing.T) {
	v := open(t, everybody, func(_ *server.Options, o *Options) { o.Timeout = 300 * time.Millisecond })
	unfinished(t, v, 5, strings.Repeat(" ", 100<<10), bearerOf("ann"))
	v.session(bearerOf("bob"))
	eventually(t, "nothing is in use", func() bool {
		s := v.web.shares
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.total == share{} && len(s.used) == 0
	})
}

// Whoever is refused does not keep the connection by sending no body.
func TestRefusedBodies(t *testing.T) {
	v := open(t, everybody, nil)
	for _, conn := range unfinished(t, v, 3, "{") {
		conn.SetReadDeadline(time.Now().Add(DefaultTimeout / 2))
		if text, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 401") {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// When streams have all that there is, probes are answered all the same.
func TestProbesOfACrowdedServer(t *testing.T) {
	const limit = 20
	bank := servertest.NewBank(t)
	v := open(t, everybody, func(so *server.Options, o *Options) {
		so.Pages, o.Connections, o.Streams = bank.Options().Pages, limit, limit
	})
	apart := &http.Client{Transport: &http.Transport{}, Timeout: servertest.Patience}
	for n := range 2 * limit {
		r, err := http.NewRequestWithContext(t.Context(), "POST", v.url+"/mcp", strings.NewReader(listenBody))
		if err != nil {
			t.Fatal(err)
		}
		token := []string{"ann", "ann2", "bob", "reader"}[n%4]
		for _, h := range append([]string{bearerOf(token), "Content-Type: application/json", "Accept: text/event-stream"},
			listenHeaders...) {
			name, value, _ := strings.Cut(h, ": ")
			r.Header.Set(name, value)
		}
		answer, err := (&http.Client{Transport: &http.Transport{}, Timeout: servertest.Patience}).Do(r)
		if err != nil {
			t.Fatalf("stream %d: %v", n, err)
		}
		defer answer.Body.Close()
		if want := map[bool]int{true: 200, false: 503}[n < limit-1]; answer.StatusCode != want {
			t.Errorf("stream %d: %s", n, answer.Status)
		}
		probe, err := apart.Get(v.url + "/healthz")
		if err != nil || probe.StatusCode != 200 {
			t.Fatalf("with %d streams: %+v, %v", n+1, probe, err)
		}
		probe.Body.Close()
	}
}

// An id comes back as it was sent, whatever number it is, by every transport.
func TestIDsOverHTTP(t *testing.T) {
	v := open(t, nil, nil)
	session := v.session()
	_, events := v.stream("/sse")
	<-events
	endpoint := strings.TrimPrefix(<-events, "data: ")
	endpoint = endpoint[strings.Index(endpoint, "/message"):]
	for _, id := range []string{`9007199254740993`, `-18446744073709551617`, `1.5`, `1.0`, `1e2`, `"9007199254740993"`, `"a\"b<"`, `7`} {
		want := `"id":` + id + `,`
		_, older := v.ask("POST", "/mcp", servertest.CallTool(id, "recall", "{}"), session)
		modern := strings.Replace(servertest.Request("newer", "tools/call", `"name":"recall","arguments":{}`), `"id":1`, `"id":`+id, 1)
		_, newer := v.ask("POST", "/mcp", modern, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: recall")
		_, wrong := v.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":`+id+`,"method":"nothing"}`, session)
		if answer, text := v.ask("POST", endpoint, servertest.CallTool(id, "recall", "{}")); answer.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", answer.Status, text)
		}
		sse := <-events
		for !strings.HasPrefix(sse, "data: ") {
			sse = <-events
		}
		for door, text := range map[string]string{"older": older, "newer": newer, "refused": wrong, "sse": sse} {
			if !strings.Contains(text, want) {
				t.Errorf("%s, %s: %s", id, door, text)
			}
		}
	}
}

// A subscription's notices name it by its id.
func TestIDOfASubscription(t *testing.T) {
	v := open(t, nil, nil)
	body := strings.Replace(listenBody, `"id":6`, `"id":9007199254740993`, 1)
	_, lines := v.begin("POST", "/mcp", body, listenHeaders...)
	until(t, lines, `"io.modelcontextprotocol/subscriptionId":9007199254740993`)
}

// Ten thousand lines of header are refused before they are read.
func TestTooManyHeaders(t *testing.T) {
	v := open(t, nil, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(v.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { // it is not read to its end
		_, _ = io.WriteString(conn,
			"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"+strings.Repeat("X-Header: and what it says\r\n", 10000)+"\r\n")
	}()
	conn.SetReadDeadline(time.Now().Add(servertest.Patience))
	answer := make([]byte, 12)
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 431" {
		t.Errorf("%q, %v", answer, err)
	}
}
