package llm

import (
	"context"
	"sync/atomic"

	"mcp-memory/memory"
)

// Sampler is a connection to a host whose model may be asked.
type Sampler interface {
	// CanSample reports whether the host lends its model now.
	CanSample() bool
	// Sample is a [Sampling].
	Sample(ctx context.Context, system, user string, maxTokens int) (string, error)
}

// Host is a [memory.Summarizer] that uses the model of a connected host while the host lends it,
// and else a local summarizer. Safe for concurrent use.
type Host struct {
	sampler atomic.Pointer[Sampler] // nil before Connect
	model   *Summarizer
	local   memory.Summarizer
}

var _ memory.Summarizer = (*Host)(nil)

// NewHost returns a Host that is not connected yet.
func NewHost(local memory.Summarizer, counter memory.TokenCounter) *Host {
	h := &Host{local: local}
	ask := func(ctx context.Context, system, user string, maxTokens int) (string, error) {
		return (*h.sampler.Load()).Sample(ctx, system, user, maxTokens)
	}
	h.model = New(Sampling(ask), "sampling", counter, Options{})
	return h
}

// Connect sets the host to ask.
func (h *Host) Connect(s Sampler) { h.sampler.Store(&s) }

func (h *Host) chosen() memory.Summarizer {
	if s := h.sampler.Load(); s != nil && (*s).CanSample() {
		return h.model
	}
	return h.local
}

// Name implements [memory.Summarizer].
func (h *Host) Name() string { return h.chosen().Name() }

// Local implements [memory.Summarizer].
func (h *Host) Local() bool { return h.chosen().Local() }

// Extract implements [memory.Summarizer].
func (h *Host) Extract(ctx context.Context, r memory.ExtractRequest) ([]memory.Extracted, error) {
	return h.chosen().Extract(ctx, r)
}

// Summarize implements [memory.Summarizer].
func (h *Host) Summarize(ctx context.Context, r memory.SummaryRequest) (string, error) {
	return h.chosen().Summarize(ctx, r)
}
