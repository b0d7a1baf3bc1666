package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// synced is a writer for many goroutines.
type synced struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *synced) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// A call in hand is finished and answered when the server is told to end; its
// streams end, and what comes after is refused.
func TestShutdownOverHTTP(t *testing.T) {
	v := open(t, nil, nil)
	session := v.session()
	_, lines := v.stream("/mcp", session)
	_, sse := v.stream("/sse")
	for range 2 {
		<-sse // the endpoint
	}
	answered := make(chan string, 1)
	go func() {
		_, text := v.ask("POST", "/mcp", servertest.CallTool("1", "save", `{"text":"a","ms":300}`), session)
		answered <- text
	}()
	<-v.Begun
	listen := listening(v)
	v.end()
	for range lines { // until it ends
	}
	if v.All() != "a" {
		t.Error("the stream ended before the call")
	}
	for range listen {
	}
	for range sse {
	}
	if text := <-answered; !strings.Contains(text, "saved a") {
		t.Errorf("the call in hand was answered %s", text)
	}
	if err := <-v.done; err != nil {
		t.Error(err)
	}
	v.done <- nil
	if _, err := http.Get(v.url + "/healthz"); err == nil {
		t.Error("it still listens")
	}
}

// A client that takes nothing of its answer loses its connection.
func TestSlowReader(t *testing.T) {
	v := open(t, nil, func(_ *server.Options, o *Options) { o.Timeout = 200 * time.Millisecond })
	v.Set(strings.Repeat("x", 32<<20))
	session := v.session()
	conn, err := net.Dial("tcp", strings.TrimPrefix(v.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := servertest.CallTool("1", "recall", `{}`)
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\nContent-Length: %d\r\n\r\n%s",
		session, len(body), body)
	_, _ = conn.Read(make([]byte, 1)) // the request has begun, if it is not even over
	eventually(t, "the request ends", func() bool {
		v.web.sessions.mu.Lock()
		defer v.web.sessions.mu.Unlock()
		return v.web.sessions.all[strings.TrimPrefix(session, "Mcp-Session-Id: ")].busy == 0
	})
	if n, _ := io.Copy(io.Discard, conn); n >= 32<<20 {
		t.Error("the whole answer was sent")
	}
}

// A request that trickles in is given up.
func TestSlowWriter(t *testing.T) {
	v := open(t, nil, func(_ *server.Options, o *Options) { o.Timeout, o.header = 200*time.Millisecond, time.Hour })
	for _, begin := range []string{
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(v.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, begin); err != nil {
			t.Fatal(err)
		}
		conn.SetReadDeadline(time.Now().Add(servertest.Patience))
		if _, err := io.Copy(io.Discard, conn); err != nil {
			t.Errorf("the connection stays open: %v", err)
		}
	}
}

// Sessions that come and go, with streams and without, leave nothing behind.
func TestNothingGrows(t *testing.T) {
	v := open(t, everybody, nil)
	round := func(n int) {
		for i := range n {
			session := v.session(bearerOf("ann"))
			if i%5 == 0 {
				v.stream("/mcp", session, bearerOf("ann"))
			}
			v.ask("POST", "/mcp", servertest.CallTool("1", "progress", `{}`), session, bearerOf("ann"))
			v.ask("POST", "/mcp", servertest.CallTool("1", "save", `{"text":"`+strings.Repeat("x", 1000)+`"}`), session, bearerOf("ann"))
			v.ask("POST", "/mcp", "{", session, bearerOf("ann"))
			v.ask("DELETE", "/mcp", "", session, bearerOf("ann"))
			<-v.Begun
		}
		v.Set()
		http.DefaultClient.CloseIdleConnections()
	}
	round(20)
	eventually(t, "the streams end", func() bool { return v.web.sessions.count() == 0 })
	before, goroutines := heap(), runtime.NumGoroutine()
	round(200)
	eventually(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= goroutines+10 })
	eventually(t, "the heap is as it was before 200 sessions", func() bool { return heap()-before <= 2<<20 })
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(servertest.Patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			var stacks bytes.Buffer
			buf := make([]byte, 1<<20)
			stacks.Write(buf[:runtime.Stack(buf, true)])
			t.Fatalf("not in time: %s\n%.6000s", what, stacks.String())
		}
	}
}

// listening opens a stream of the stateless era and returns its lines.
func listening(v *site, headers ...string) <-chan string {
	v.t.Helper()
	_, lines := v.begin("POST", "/mcp", listenBody, append(headers, listenHeaders...)...)
	return lines
}

// The time for a request is no limit to a stream.
func TestStreamsLast(t *testing.T) {
	v := open(t, nil, func(_ *server.Options, o *Options) { o.Timeout, o.Heartbeat = time.Second, 200*time.Millisecond })
	_, lines := v.stream("/mcp", v.session())
	_, sse := v.stream("/sse")
	for name, stream := range map[string]<-chan string{"/mcp": lines, "/sse": sse} {
		for pings := 0; pings < 10; {
			line, ok := <-stream
			if !ok {
				t.Fatalf("%s ended after %d pings", name, pings)
			}
			if strings.Contains(line, `"ping"`) {
				pings++
			}
		}
	}
}

// lapsing is an access that ends.
type lapsing struct {
	guests
	over atomic.Bool
}

func (l *lapsing) Identify(ctx context.Context, token string) (access.Identity, error) {
	if l.over.Load() {
		token = ""
	}
	return l.guests.Identify(ctx, token)
}

// A stream lives no longer than its token: it ends within a second, which this
// test does not measure on a busy machine.
func TestStreamsEndWithTheirToken(t *testing.T) {
	l := &lapsing{guests: everybody}
	bank := servertest.NewBank(t)
	v := open(t, nil, func(so *server.Options, o *Options) { so.Pages, o.Access = bank.Options().Pages, l })
	session := v.session(bearerOf("ann"))
	_, lines := v.stream("/mcp", session, bearerOf("ann"))
	_, sse := v.stream("/sse", bearerOf("ann"))
	listen := listening(v, bearerOf("ann"))
	<-sse
	<-listen
	begun := time.Now()
	l.over.Store(true)
	for _, stream := range []<-chan string{lines, sse, listen} {
		for range stream {
		}
	}
	if took := time.Since(begun); took > DefaultHeartbeat/3 {
		t.Errorf("the streams ended after %v", took)
	}
}

// The answer of a call that came by SSE is on its stream before the stream ends,
// also if it takes a while to write.
func TestShutdownWaitsForAnswersBySSE(t *testing.T) {
	v := open(t, nil, nil)
	v.Set(strings.Repeat("x", 16<<20))
	_, lines := v.stream("/sse")
	<-lines
	endpoint := strings.TrimPrefix(<-lines, "data: ")
	endpoint = endpoint[strings.Index(endpoint, "/message"):]
	if answer, text := v.ask("POST", endpoint, servertest.CallTool("1", "recall", `{}`)); answer.StatusCode != http.StatusAccepted {
		t.Fatalf("%s %s", answer.Status, text)
	}
	v.end()
	answered := false
	for line := range lines { // until it ends
		answered = answered || strings.Contains(line, "xxxx")
	}
	if !answered {
		t.Error("the stream ended without the answer")
	}
}

// What is not answered, because its client is gone, keeps nobody waiting.
func TestShutdownWaitsForNobodyWhoIsGone(t *testing.T) {
	s := newSessions(time.Now, 10, 10, time.Hour)
	h, other := s.add("ann"), s.add("bob")
	s.owe(h, 1)
	s.owe(h, 1)
	s.owe(other, 1)
	s.owe(other, -1)
	s.owe(other, -1) // one too many
	waited := make(chan struct{})
	go func() { s.waitPaid(t.Context()); close(waited) }()
	s.owe(h, -1)
	s.remove(h.id)
	s.owe(h, 1)
	<-waited
	if s.waitPaid(t.Context()); s.owing != 0 {
		t.Errorf("%d answers are owed", s.owing)
	}
}

func TestIsAnswer(t *testing.T) {
	for event, want := range map[string]bool{
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n":                               true,
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":1,\"message\":\"\"}}\n\n": true,
		"event: message\ndata:{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n":                          false,
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n":                false,
		"event: endpoint\ndata: /message?sessionId=A\r\n\r\n":                                                  false,
		"": false,
	} {
		if got := isAnswer([]byte(event)); got != want {
			t.Errorf("%q: %v", event, got)
		}
	}
}
