package link_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestTwoProcessesShareAtOnce: while both agents and a stranger write, one of
// many answers wins, and everything is copied once.
func TestTwoProcessesShareAtOnce(t *testing.T) {
	w := newWorld(t)
	processes := []*process{w.process, w.newProcess()}
	for i := range 60 {
		w.say(bob, fmt.Sprintf("Bob's marked memory %d.", i))
	}
	l := w.ask(link.Part{})
	var answers, writers sync.WaitGroup
	var won, written atomic.Int32
	stop := make(chan struct{})
	for i, agent := range []string{ann, bob, eve} {
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				_, err := processes[i%2].remember.Save(t.Context(), memory.Scope{Agent: agent},
					remember.SaveRequest{Content: fmt.Sprintf("%s writes meanwhile %d.", agent, n), Quiet: true})
				if err != nil {
					t.Error(err)
					return
				}
				written.Add(1)
			}
		})
	}
	for i := range 6 {
		answers.Go(func() {
			var err error
			if i < 4 {
				_, err = processes[i%2].Share(t.Context(), bob, link.Offer{LinkID: l.ID})
			} else {
				_, err = processes[i%2].Decline(t.Context(), bob, l.ID, "")
			}
			if err == nil {
				won.Add(1)
			} else if memory.CodeOf(err) != memory.CodeConflict {
				t.Error(err)
			}
		})
	}
	answers.Wait()
	close(stop)
	writers.Wait()
	if won.Load() != 1 {
		t.Fatalf("%d answers won", won.Load())
	}
	decided, err := w.Status(t.Context(), ann, l.ID)
	if err != nil {
		t.Fatal(err)
	}
	linked := w.linked(ann)
	if decided.Status == memory.LinkShared && (decided.Copied < 61 || decided.Copied != len(linked)) ||
		decided.Status != memory.LinkShared && len(linked) > 0 {
		t.Errorf("%s, copied %d, there are %d", decided.Status, decided.Copied, len(linked))
	}
	total := 0
	for _, agent := range []string{ann, bob, eve} {
		for _, r := range w.records(agent) {
			total++
			if r.Agent != agent ||
				strings.Contains(r.Content, "writes meanwhile") && r.Source != memory.SourceLink && !strings.HasPrefix(r.Content, agent) {
				t.Errorf("%s has %+v", agent, r)
			}
		}
	}
	if want := 3 + 60 + int(written.Load()) + len(linked); total != want {
		t.Errorf("%d records, want %d", total, want)
	}
	// Whatever came first, linking once more brings all of the rest, once.
	again := w.link(link.Part{}, link.Part{})
	if n := len(w.linked(ann)); again.Copied+len(linked) != n || n != len(w.records(bob)) {
		t.Errorf("then copied %d; there are %d of %d", again.Copied, n, len(w.records(bob)))
	}
	slices.Sort(w.contents(ann))
	if n := len(slices.Compact(w.contents(ann))); n != len(w.linked(ann)) {
		t.Errorf("%d different of %d", n, len(w.linked(ann)))
	}
}

// TestTwoProcessesAskAtOnce: there is one request, also where some calls are
// committed together. Now and then none are, so it is tried several times.
func TestTwoProcessesAskAtOnce(t *testing.T) {
	for n := range 8 {
		t.Run(strconv.Itoa(n), askAtOnce)
	}
}

func askAtOnce(t *testing.T) {
	w := newWorld(t)
	processes := []*process{w.process, w.newProcess()}
	ids := make([]string, 24)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			l, err := processes[i%2].Request(t.Context(), ann, link.Request{Agent: bob})
			if err != nil {
				t.Error(err)
			}
			ids[i] = l.ID
		})
	}
	wg.Wait()
	if links, err := w.store.Links(t.Context(), ann, 10); err != nil || len(links) != 1 || len(slices.Compact(ids)) != 1 {
		t.Errorf("%d links, %v, %q", len(links), err, ids)
	}
}

// failing is a store that breaks in the middle of reading the sharer's bank.
type failing struct {
	memory.Store
	pages int
}

func (f *failing) Vectors(ctx context.Context, agent string, c memory.Corpus, seqs []int64) (map[int64][]float32, error) {
	if f.pages--; f.pages < 0 {
		return nil, memory.Errorf(memory.CodeUnavailable, "the disk is gone")
	}
	return f.Store.Vectors(ctx, agent, c, seqs)
}

// TestABrokenCopyIsNone: all or nothing, and then it can be shared again.
func TestABrokenCopyIsNone(t *testing.T) {
	var broken *failing
	w := newWorld(t, func(o *link.Options) {
		broken = &failing{Store: o.Store.(memory.Store), pages: 1}
		o.Store = broken
	})
	var requests []remember.SaveRequest
	for i := range 499 { // a page with the one that is there
		requests = append(requests, remember.SaveRequest{Content: fmt.Sprintf("Memory %d of Bob's.", i)})
	}
	if _, err := w.remember.SaveBatch(t.Context(), memory.Scope{Agent: bob}, requests); err != nil {
		t.Fatal(err)
	}
	w.say(bob, "And one more.")
	id := w.ask(link.Part{}).ID
	_, err := w.Share(t.Context(), bob, link.Offer{LinkID: id})
	wantCode(t, err, memory.CodeUnavailable, "disk")
	if log := w.audits(bob); log[len(log)-1] != "bob link.share failed" || len(w.records(ann)) != 1 || len(w.audits(ann)) != 1 {
		t.Errorf("bob's log %q, ann's %q, ann has %d", log, w.audits(ann), len(w.records(ann)))
	}
	broken.pages = 9
	if shared := w.share(link.Offer{LinkID: id}); shared.Copied != 501 || len(w.linked(ann)) != 501 {
		t.Errorf("%+v", shared)
	}
}

// BenchmarkShare copies a bank of facts to one agent after the other.
func BenchmarkShare(b *testing.B) {
	for _, size := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			w := newWorld(b)
			for from := 0; from < size; from += memory.MaxBatch {
				var requests []remember.SaveRequest
				for i := range memory.MaxBatch {
					requests = append(requests, remember.SaveRequest{
						Content:  fmt.Sprintf("In week %d the team of station %d measured %d degrees at the harbour.", i, from, from+i),
						Category: "event",
					})
				}
				if _, err := w.remember.SaveBatch(b.Context(), memory.Scope{Agent: bob}, requests); err != nil {
					b.Fatal(err)
				}
			}
			for i := 0; b.Loop(); i++ {
				agent := fmt.Sprint("agent", i)
				l, err := w.Request(b.Context(), agent, link.Request{Agent: bob})
				if err != nil {
					b.Fatal(err)
				}
				begun := time.Now()
				shared, err := w.Share(b.Context(), bob, link.Offer{LinkID: l.ID})
				if err != nil || shared.Copied != size+1 {
					b.Fatalf("%+v, %v", shared, err)
				}
				b.ReportMetric(float64(shared.Copied)/time.Since(begun).Seconds(), "records/s")
			}
		})
	}
}
