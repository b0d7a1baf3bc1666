//go:build postgres

package postgres

import (
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// network is the way to a server, which can be cut.
type network struct {
	listener net.Listener
	server   string
	mu       sync.Mutex
	pairs    map[*pair]bool
	opened   int
	closed   atomic.Bool  // nobody gets through who is not connected
	trips    atomic.Int64 // questions whose answer somebody waits for
}

// pair is a connection's two halves.
type pair struct {
	client, server *net.TCPConn
	stalled        atomic.Bool
	cutAfter       atomic.Int64 // bytes of the server's answers that still pass; negative for all
	asked          questions
}

// newNetwork makes a way to the server at a URL and returns it with the URL that goes along it.
func newNetwork(t *testing.T, at string) (*network, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &network{listener: listener, server: hostOf(at), pairs: map[*pair]bool{}}
	go n.accept()
	t.Cleanup(func() {
		listener.Close()
		n.each(func(p *pair) { p.cut() })
	})
	return n, strings.Replace(at, n.server, listener.Addr().String(), 1)
}

func (n *network) accept() {
	for {
		client, err := n.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", n.server)
		if err != nil || n.closed.Load() {
			client.Close()
			continue
		}
		p := &pair{client: client.(*net.TCPConn), server: server.(*net.TCPConn)}
		p.cutAfter.Store(-1)
		n.mu.Lock()
		n.pairs[p] = true
		n.opened++
		n.mu.Unlock()
		p.asked = questions{trips: &n.trips}
		go p.carry(p.client, p.server, false)
		go p.carry(p.server, p.client, true)
	}
}

// carry passes on what comes from one half to the other.
func (p *pair) carry(from, to *net.TCPConn, answers bool) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		for p.stalled.Load() {
			time.Sleep(5 * time.Millisecond)
		}
		if !answers {
			p.asked.read(buffer[:n])
		}
		if left := p.cutAfter.Load(); answers && left >= 0 {
			if p.cutAfter.Add(int64(-n)); int64(n) >= left {
				to.Write(buffer[:left])
				p.cut()
				return
			}
		}
		if _, written := to.Write(buffer[:n]); written != nil || err == io.EOF {
			to.CloseWrite()
			return
		} else if err != nil {
			return
		}
	}
}

// cut ends both halves at once, with a reset.
func (p *pair) cut() {
	p.stalled.Store(false)
	for _, half := range []*net.TCPConn{p.client, p.server} {
		half.SetLinger(0)
		half.Close()
	}
}

// each does something to every connection there is; those that are done for are forgotten.
func (n *network) each(fn func(*pair)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for p := range n.pairs {
		fn(p)
		if p.cutAfter.Load() == -1 && !p.stalled.Load() {
			delete(n.pairs, p)
		}
	}
}

// TestNetworkIsCut drops connections: with a reset, in the middle of an answer, half of them, or so
// that nothing arrives any more and nobody is told.
func TestNetworkIsCut(t *testing.T) {
	_, direct := open(t)
	for _, c := range []struct {
		name    string
		disturb func(n *network)
	}{
		{"reset", func(n *network) { n.each((*pair).cut) }},
		{"in an answer", func(n *network) { n.each(func(p *pair) { p.cutAfter.Store(rand.Int64N(60)) }) }},
		{"questions end", func(n *network) { n.each(func(p *pair) { p.server.CloseWrite() }) }},
		{"answers end", func(n *network) { n.each(func(p *pair) { p.client.CloseWrite() }) }},
		{"away for a while", func(n *network) {
			n.closed.Store(true)
			n.each((*pair).cut)
			time.Sleep(400 * time.Millisecond)
			n.closed.Store(false)
		}},
		{"late", func(n *network) {
			stalled := []*pair{}
			n.each(func(p *pair) { p.stalled.Store(true); stalled = append(stalled, p) })
			time.Sleep(300 * time.Millisecond)
			for _, p := range stalled {
				p.stalled.Store(false)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, url := newNetwork(t, direct)
			s := openAt(t, url, time.Second)
			underLoad(t, s, func() {
				for range 8 {
					time.Sleep(40 * time.Millisecond)
					c.disturb(n)
				}
			})
		})
	}
}

// TestNetworkIsSilent: no answer comes any more on the connections that there are, and nobody
// is told, as with a firewall that forgets them. Calls end, new connections are made.
func TestNetworkIsSilent(t *testing.T) {
	_, direct := open(t)
	n, url := newNetwork(t, direct)
	s := openAt(t, url, time.Second)
	l := underLoad(t, s, func() {
		time.Sleep(200 * time.Millisecond)
		n.each(func(p *pair) { p.stalled.Store(true) })
	})
	if l.refused.Load() == 0 {
		t.Error("nothing was refused")
	}
	if longest := time.Duration(l.longest.Load()); longest > callTime+10*time.Second {
		t.Errorf("a call took %v", longest)
	}
}
