package main

import (
	"context"
	"sync/atomic"

	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/server"
)

// hostModel makes text short with the model of the host, while there is a host
// at stdin that lends it, and with the built-in summarizer otherwise: to others it
// is then a local one.
type hostModel struct {
	server  atomic.Pointer[server.Server] // nil before it serves
	model   *llm.Summarizer
	builtin memory.Summarizer
}

var _ memory.Summarizer = (*hostModel)(nil)

func newHostModel(builtin memory.Summarizer, counter memory.TokenCounter) *hostModel {
	h := &hostModel{builtin: builtin}
	ask := func(ctx context.Context, system, user string, maxTokens int) (string, error) {
		return h.server.Load().Sample(ctx, system, user, maxTokens)
	}
	h.model = llm.New(llm.Sampling(ask), "sampling", counter, llm.Options{})
	return h
}

func (h *hostModel) chosen() memory.Summarizer {
	if s := h.server.Load(); s != nil && s.CanSample() {
		return h.model
	}
	return h.builtin
}

// Name implements [memory.Summarizer].
func (h *hostModel) Name() string { return h.chosen().Name() }

// Local implements [memory.Summarizer].
func (h *hostModel) Local() bool { return h.chosen().Local() }

// Extract implements [memory.Summarizer].
func (h *hostModel) Extract(ctx context.Context, r memory.ExtractRequest) ([]memory.Extracted, error) {
	return h.chosen().Extract(ctx, r)
}

// Summarize implements [memory.Summarizer].
func (h *hostModel) Summarize(ctx context.Context, r memory.SummaryRequest) (string, error) {
	return h.chosen().Summarize(ctx, r)
}
