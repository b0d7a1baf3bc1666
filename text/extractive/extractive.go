package extractive

import (
	"context"

	"mcp-memory/memory"
	"mcp-memory/text/semantics"
	"mcp-memory/text/tokens"
)

// Options are what a Summarizer works with.
type Options struct {
	// Counter counts the tokens of summaries; nil counts as cl100k_base.
	Counter *tokens.Counter
	// Table gives the meanings of words, by which a summary follows its focus;
	// it is asked for when the first focus comes. Nil compares words only.
	Table func() *semantics.Table
}

// Summarizer finds facts and summarises by rules. Safe for concurrent use.
type Summarizer struct {
	counter *tokens.Counter
	table   func() *semantics.Table
}

var _ memory.Summarizer = (*Summarizer)(nil)

// New returns a Summarizer.
func New(o Options) *Summarizer {
	if o.Counter == nil {
		o.Counter = tokens.NewCounter("")
	}
	return &Summarizer{o.Counter, o.Table}
}

// Name is "extractive".
func (*Summarizer) Name() string { return "extractive" }

// Local is true: it needs no network and no model.
func (*Summarizer) Local() bool { return true }

// Extract implements [memory.Summarizer]. Its only error is that of ctx.
func (d *Summarizer) Extract(ctx context.Context, r memory.ExtractRequest) ([]memory.Extracted, error) {
	c := newCast(r.Turns)
	x := &extraction{turns: paired(bounded(r.Turns)), cast: c, names: c.names(), known: newKnown(r.Known), talk: dialogue{turn: -1}}
	for i := range x.turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.turn(i)
	}
	return x.result(r.Max), nil
}

// Summarize implements [memory.Summarizer]. Of nothing it makes an empty summary;
// its only error is that of ctx.
func (d *Summarizer) Summarize(ctx context.Context, r memory.SummaryRequest) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	material := collect(r)
	material.rank(r, d.table)
	return d.write(material, r), nil
}
