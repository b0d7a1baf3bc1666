package web

import (
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// testConn is a connection that a connLimiter counts, seen by its client.
type testConn struct {
	net.Conn
	served net.Conn
}

func (l *connLimiter) join(t *testing.T, states ...http.ConnState) testConn {
	client, served := net.Pipe()
	t.Cleanup(func() { client.Close(); served.Close() })
	for _, state := range append([]http.ConnState{http.StateNew}, states...) {
		l.stateChanged(served, state)
	}
	return testConn{client, served}
}

// gone waits for the end of a connection.
func (m testConn) gone() bool {
	_, err := m.Read(make([]byte, 1))
	return err == io.EOF
}

// stays reports whether a connection can be used.
func (m testConn) stays() bool {
	go m.served.Write([]byte("."))
	return !m.gone()
}

// At the end connections on which nothing was asked are closed. The others are
// left to the library, which knows what is still being sent on them.
func TestConnLimiterCloses(t *testing.T) {
	l := newConnLimiter(100)
	fresh, idle, busy := l.join(t), l.join(t, http.StateActive, http.StateIdle), l.join(t, http.StateActive)
	l.close()
	if !fresh.gone() {
		t.Error("one on which nothing was asked is still there")
	}
	l.stateChanged(busy.served, http.StateIdle)
	if !idle.stays() || !busy.stays() {
		t.Error("another one was closed")
	}
	if late := l.join(t); !late.gone() {
		t.Error("one came in after the end")
	}
}

// In a full house those make room that were quiet for longest: first who was
// served already, then who has not asked; never who is being served or has
// only come.
func TestConnLimiterMakesRoom(t *testing.T) {
	l := newConnLimiter(5)
	busy := l.join(t, http.StateActive)
	fresh := l.join(t)
	served, later := l.join(t, http.StateActive, http.StateIdle), l.join(t, http.StateActive, http.StateIdle)
	closed := func(m testConn) { l.stateChanged(m.served, http.StateClosed) }
	for i, want := range []testConn{served, later, fresh} {
		come := l.join(t)
		if !want.gone() {
			t.Fatalf("%d: another made room", i)
		}
		closed(want)
		l.stateChanged(come.served, http.StateActive)
		if !come.stays() {
			t.Fatalf("%d: it was sent away", i)
		}
	}
	last := l.join(t) // all others are being served
	if !last.stays() || !busy.stays() {
		t.Error("one in use or the only one to come was sent away")
	}
	l.stateChanged(busy.served, http.StateIdle)
	if !busy.gone() || !last.stays() {
		t.Error("not the one that was served made room")
	}
}

// A client that opened a connection and asked nothing learns of the end.
func TestShutdownWithStrangers(t *testing.T) {
	v := open(t, guests{}, nil)
	v.ask("GET", "/healthz", "")
	c, err := net.Dial("tcp", v.url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	v.ask("GET", "/healthz", "") // by then it was accepted
	v.end()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a connection without a request was answered")
	}
	err = <-v.done
	v.done <- err
	if err != nil {
		t.Error(err)
	}
}

// However many connect and say nothing, or half of something, or have said what
// they wanted, others are served, and no more than the limit are open.
func TestIdleConnections(t *testing.T) {
	const limit = 20
	for name, begin := range map[string]string{
		"silent": "", "half": "GET /healthz HTT", "served": "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, nil, func(_ *server.Options, o *Options) { o.Connections, o.header = limit, time.Hour })
			_, lines := v.stream("/mcp", v.session()) // in use, so it stays
			address := strings.TrimPrefix(v.url, "http://")
			for range 10 {
				for range 2 * limit {
					conn, err := net.Dial("tcp", address)
					if err != nil {
						t.Fatal(err)
					}
					defer conn.Close()
					if _, err := io.WriteString(conn, begin); err != nil && !slices.Contains([]string{"served", "half"}, name) {
						t.Fatal(err) // it may be closed meanwhile
					}
				}
				client := &http.Client{Transport: &http.Transport{}, Timeout: servertest.Patience}
				answer, err := client.Get(v.url + "/healthz")
				if err != nil || answer.StatusCode != 200 {
					t.Fatalf("between them: %+v, %v", answer, err)
				}
				answer.Body.Close()
				if n := v.web.connections.count(); n > limit {
					t.Errorf("%d are open", n)
				}
			}
			v.end()
			for range lines { // which only now ends
			}
		})
	}
}
