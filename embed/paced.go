package embed

import (
	"context"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
)

const (
	// quietTime is how long there must have been no call before a text is embedded.
	quietTime = 15 * time.Millisecond
	// longestQuiet is how long to wait at most for quietTime without a call: saved texts are to be
	// found by their meaning soon.
	longestQuiet = 60 * time.Millisecond
	// pacedShare is the part of the time, and so of one core, that embedding documents takes.
	pacedShare = 2.0 / 3
)

// Paced wraps an embedder that computes in this process, so that embedding documents gives way to
// calls of the program: before each text it waits for a moment without calls, and after each it
// rests half as long as the text took. Questions are embedded at once.
type Paced struct {
	memory.Embedder
	last   atomic.Int64 // when Called was last called, nanoseconds since 1970
	rested atomic.Int64 // when the rest after the last text is over, nanoseconds since 1970
}

// NewPaced returns a Paced around e.
func NewPaced(e memory.Embedder) *Paced { return &Paced{Embedder: e} }

// Unrelated returns the value of the wrapped embedder's method, 0 if it has none.
func (p *Paced) Unrelated() float64 {
	if e, ok := p.Embedder.(interface{ Unrelated() float64 }); ok {
		return e.Unrelated()
	}
	return 0
}

// Batch returns the value of the wrapped embedder's method, 0 if it has none.
func (p *Paced) Batch() int {
	if e, ok := p.Embedder.(interface{ Batch() int }); ok {
		return e.Batch()
	}
	return 0
}

// Called notes that somebody uses the program now, so that documents wait.
func (p *Paced) Called() { p.last.Store(time.Now().UnixNano()) }

// EmbedQuery embeds at once; errors are those of the wrapped embedder.
func (p *Paced) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	p.Called()
	return p.Embedder.EmbedQuery(ctx, query)
}

// EmbedDocuments returns one vector for each text, in order. Errors are the context's and those of
// the wrapped embedder.
func (p *Paced) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for _, text := range texts {
		// Rest before a text and not after one, so that the last vector is returned at once.
		if err := pause(ctx, time.Until(time.Unix(0, p.rested.Load()))); err != nil {
			return nil, err
		}
		if err := p.waitForQuiet(ctx); err != nil {
			return nil, err
		}
		began := time.Now()
		one, err := p.Embedder.EmbedDocuments(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, one...)
		ended := time.Now()
		p.rested.Store(ended.Add(time.Duration(float64(ended.Sub(began)) * (1/pacedShare - 1))).UnixNano())
	}
	return vectors, nil
}

func (p *Paced) waitForQuiet(ctx context.Context) error {
	for until := time.Now().Add(longestQuiet); ; {
		left := min(quietTime-time.Since(time.Unix(0, p.last.Load())), time.Until(until))
		if left <= 0 {
			return ctx.Err()
		}
		if err := pause(ctx, left); err != nil {
			return err
		}
	}
}

// pause waits for d, or returns the context's error if that ends earlier.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
