package main

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
)

// waiting is a store with one set of vectors, in whose queue some documents wait.
type waiting struct{ queued, stored int }

func (w *waiting) VectorSet(context.Context, memory.Fingerprint) (memory.VectorSet, error) {
	return &set{waiting: w}, nil
}

type set struct {
	memory.VectorSet
	*waiting
}

func (s *set) VectorJobs(_ context.Context, _ time.Time, limit int, _ ...memory.Corpus) ([]memory.VectorJob, error) {
	return slices.Repeat([]memory.VectorJob{{Corpus: memory.Memories}}, min(limit, s.queued)), nil
}

func (s *set) FinishVectorJobs(_ context.Context, jobs []memory.VectorJob, _ [][]float32) error {
	s.queued -= len(jobs)
	s.stored += len(jobs)
	return nil
}

// What was saved just before a question is encoded first, if it is little, and not
// again and again where many ask.
func TestFewMemoriesAreEncodedBeforeAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &waiting{}
		e := &encoding{Paced: embed.NewPaced(embed.NewBuiltin()), sets: w, clock: time.Now, settles: settleTime}
		ask := func(saved int) int {
			if w.queued += saved; saved > 0 {
				e.changed()
			}
			e.forRecall().Settle(t.Context())
			return w.stored
		}
		if n := ask(5); n != 5 {
			t.Errorf("of 5 that were saved %d are encoded", n)
		}
		if n := ask(0); n != 5 {
			t.Errorf("nothing was saved, and %d are encoded", n)
		}
		time.Sleep(time.Second) // the rest
		w.queued++              // by another process
		e.worker.Store(&embed.Worker{})
		if n := ask(0); n != 5 {
			t.Error("what another process left is encoded though a worker runs")
		}
		e.worker.Store(nil)
		e.readOnly = true
		if n := ask(0); n != 5 {
			t.Error("a bank that can only be read is written")
		}
		e.readOnly = false
		if n := ask(0); n != 6 {
			t.Error("what another process left is not encoded")
		}
		w.queued, w.stored = 0, 5
		time.Sleep(time.Second)
		if n := ask(fewWaiting + 1); n != 5 {
			t.Errorf("a question encodes an import: %d", n-5)
		}
		w.queued = 0
		e.rested = time.Now().Add(time.Second)
		if n := ask(1); n != 5 {
			t.Error("it is encoded while the last question's rest goes on")
		}
		time.Sleep(time.Second)
		if n := ask(0); n != 6 {
			t.Errorf("after the rest %d are encoded, want 6", n)
		}
		e.ending = 0
		ask(0)
		w.queued++
		e.changed()
		if e.finish(); w.stored != 6 {
			t.Error("a hook's host waits for the encoder")
		}
		e.ending = atOnce
		if e.finish(); w.stored != 7 {
			t.Error("a command leaves what it saved without a vector")
		}
	})
}
