package embed

import (
	"context"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
)

const (
	// quietTime is how long nobody must have called before a text is taken up.
	quietTime = 15 * time.Millisecond
	// longestQuiet is how long quiet is waited for before a text: then it goes on all
	// the same, so that what was saved is found by its meaning soon.
	longestQuiet = 60 * time.Millisecond
	// pacedShare is the part of one core that documents take.
	pacedShare = 2.0 / 3
)

// Paced is an embedder that computes in this process and whose documents give
// way: before each text it waits a moment for calls to end, and it rests half as
// long as the text before took. Questions are embedded at once.
type Paced struct {
	memory.Embedder
	last   atomic.Int64 // nanoseconds of the last call
	rested atomic.Int64 // nanoseconds at which the rest after the last text is over
}

// NewPaced returns an embedder over another.
func NewPaced(e memory.Embedder) *Paced { return &Paced{Embedder: e} }

// Unrelated is that of the embedder beneath, 0 if it does not say it.
func (p *Paced) Unrelated() float64 {
	if e, ok := p.Embedder.(interface{ Unrelated() float64 }); ok {
		return e.Unrelated()
	}
	return 0
}

// Batch is that of the embedder beneath, 0 if it does not say it.
func (p *Paced) Batch() int {
	if e, ok := p.Embedder.(interface{ Batch() int }); ok {
		return e.Batch()
	}
	return 0
}

// Called notes that somebody calls, which texts that wait make room for.
func (p *Paced) Called() { p.last.Store(time.Now().UnixNano()) }

// EmbedQuery embeds at once; errors are those of the embedder beneath.
func (p *Paced) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	p.Called()
	return p.Embedder.EmbedQuery(ctx, query)
}

// EmbedDocuments returns one vector a text, in order. Errors are the context's and
// those of the embedder beneath.
func (p *Paced) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for _, text := range texts {
		// Resting before and not after: what was made is handed over at once.
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

// pause returns the context's error if that ends before the time is over.
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
