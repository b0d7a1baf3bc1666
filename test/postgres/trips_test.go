//go:build postgres

package postgres

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/test/backend"
)

// questions counts the ways there and back in what a client sends: messages after which the server
// answers, Sync and Query. See "Message Formats" of PostgreSQL's protocol 3.
type questions struct {
	trips   *atomic.Int64
	pending []byte
	started bool // the first messages have no type
}

func (q *questions) read(b []byte) {
	q.pending = append(q.pending, b...)
	for {
		head := 1
		if !q.started {
			head = 0
		}
		if len(q.pending) < head+4 {
			return
		}
		size := head + int(binary.BigEndian.Uint32(q.pending[head:]))
		if len(q.pending) < size {
			return
		}
		if q.started && (q.pending[0] == 'S' || q.pending[0] == 'Q') {
			q.trips.Add(1)
		}
		const tlsRequest = 80877103
		if !q.started && binary.BigEndian.Uint32(q.pending[4:]) != tlsRequest {
			q.started = true
		}
		q.pending = q.pending[size:]
	}
}

// settled counts the ways once none was added for a while: what follows an answer belongs to the call.
func (n *network) settled() int64 {
	for last := n.trips.Load(); ; {
		time.Sleep(40 * time.Millisecond)
		now := n.trips.Load()
		if now == last {
			return now
		}
		last = now
	}
}

// TestRoundTrips counts how often a call of the built program waits for the database. No encoder
// works meanwhile, whose ways would be counted too.
func TestRoundTrips(t *testing.T) {
	n, url := newNetwork(t, backend.Database(t.TempDir(), "trips"))
	p, err := child.New(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := child.Serve(p.Command(t.Context(), "serve", "--database", url, "--embed-local", "table"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	use := func(tool string, arguments map[string]any) (result map[string]any) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if err := s.Use(ctx, tool, arguments, &result); err != nil {
			t.Fatal(s.Explain(err))
		}
		return result
	}
	if err := s.Initialize(t.Context()); err != nil {
		t.Fatal(s.Explain(err))
	}
	for _, c := range []struct {
		tool      string
		arguments func(i int) map[string]any
		most      int64
	}{
		{"memory_save", func(i int) map[string]any {
			return map[string]any{"content": fmt.Sprintf("Boat %d lies at quay %d of the harbour.", i, i%7)}
		}, 6}, // two of them beside the others, for what is similar
		{"memory_recall", func(i int) map[string]any { return map[string]any{"query": fmt.Sprintf("where is boat %d?", i)} }, 9},
	} {
		var trips []int64
		for i := range 30 {
			before := n.trips.Load()
			result := use(c.tool, c.arguments(i))
			once := n.settled() - before
			if result["confidence"] == "low" || result["confidence"] == "none" {
				once-- // it asks then whether something is archived
			}
			trips = append(trips, once)
		}
		slices.Sort(trips)
		report(t, "%s: %d ways to the database and back (%d to %d)", c.tool, trips[len(trips)/2], trips[0], trips[len(trips)-1])
		if trips[len(trips)/2] > c.most {
			t.Errorf("%s: %d, at most %d", c.tool, trips, c.most)
		}
	}
}
