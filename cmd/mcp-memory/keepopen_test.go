package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// opened is a store whose sets of vectors say when they were opened.
type opened struct {
	at    []time.Time
	fails func(time.Time) error
}

// numbered is a set of vectors, by how often it was opened, in whose queue nothing waits.
type numbered struct {
	memory.VectorSet
	n int
}

func (numbered) VectorJobs(context.Context, time.Time, int, ...memory.Corpus) ([]memory.VectorJob, error) {
	return nil, nil
}

func (o *opened) VectorSet(context.Context, memory.Fingerprint) (memory.VectorSet, error) {
	if err := o.fails(time.Now()); err != nil {
		return nil, err
	}
	o.at = append(o.at, time.Now())
	return numbered{n: len(o.at)}, nil
}

// A server that runs for weeks opens the set of the encoder again every day, as one
// that nobody opens for 30 is dropped, and goes on with it.
func TestSetOfTheEncoderIsKeptOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		begun := time.Now()
		var log bytes.Buffer
		sets := &opened{fails: func(now time.Time) error {
			if hours := now.Sub(begun).Hours(); hours > 47 && hours < 50 { // the second time
				return errors.New("database is locked")
			}
			return nil
		}}
		e := &encoding{Paced: embed.NewPaced(embed.NewBuiltin())}
		if e.stored() != nil {
			t.Error("there are vectors before the set is open")
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			e.run(ctx, sets, time.Now, slog.New(slog.NewTextHandler(&log, nil)))
		}()
		time.Sleep(49 * time.Hour)
		if got := e.stored(); got != recall.StoredVectors(numbered{n: 2}) {
			t.Errorf("while it cannot be opened again, vectors are read from %v", got)
		}
		time.Sleep(40*24*time.Hour - 49*time.Hour)
		stop()
		<-done
		if len(sets.at) < 39 {
			t.Fatalf("opened %d times in 40 days", len(sets.at))
		}
		for i, at := range sets.at[1:] {
			if apart := at.Sub(sets.at[i]); apart < 24*time.Hour || apart > 28*time.Hour {
				t.Errorf("opened %s after the time before", apart)
			}
		}
		if got := e.stored(); got != recall.StoredVectors(numbered{n: len(sets.at)}) {
			t.Errorf("vectors are read from %v, opened %d times", got, len(sets.at))
		}
		if said := strings.Count(log.String(), "database is locked"); said != 1 {
			t.Errorf("said %d times:\n%s", said, log.String())
		}
	})
}
