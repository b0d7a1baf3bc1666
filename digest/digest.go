package digest

import (
	"context"

	"mcp-memory/memory"
	"mcp-memory/semantics"
	"mcp-memory/tokens"
)

// Options are what a Digester works with.
type Options struct {
	// Counter counts the tokens of summaries; nil counts as cl100k_base.
	Counter *tokens.Counter
	// Table gives the meanings of words, by which a summary follows its focus;
	// it is asked for when the first focus comes. Nil compares words only.
	Table func() *semantics.Table
}

// Digester finds facts and summarises by rules. Safe for concurrent use.
type Digester struct {
	counter *tokens.Counter
	table   func() *semantics.Table
}

var _ memory.Digester = (*Digester)(nil)

// New returns a Digester.
func New(o Options) *Digester {
	if o.Counter == nil {
		o.Counter = tokens.NewCounter("")
	}
	return &Digester{o.Counter, o.Table}
}

// Name is "extractive".
func (*Digester) Name() string { return "extractive" }

// Local is true: it needs no network and no model.
func (*Digester) Local() bool { return true }

// Extract implements [memory.Digester]. Its only error is that of ctx.
func (d *Digester) Extract(ctx context.Context, r memory.ExtractRequest) ([]memory.Extracted, error) {
	x := newExtraction(r)
	for i := range r.Turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.turn(i)
	}
	return x.result(r.Max), nil
}

// Summarize implements [memory.Digester]. Of nothing it makes an empty summary;
// its only error is that of ctx.
func (d *Digester) Summarize(ctx context.Context, r memory.SummaryRequest) (string, error) {
	material := collect(r)
	if err := material.rank(ctx, r, d.table); err != nil {
		return "", err
	}
	return d.write(material, r), nil
}
