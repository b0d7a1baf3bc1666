package llm_test

import (
	"context"
	"testing"

	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/text/extractive"
	"mcp-memory/text/tokens"
)

// lender is a host that can be told to lend its model or not.
type lender struct {
	lends bool
	asked int
}

func (l *lender) CanSample() bool { return l.lends }

func (l *lender) Sample(context.Context, string, string, int) (string, error) {
	l.asked++
	return `{"summary":"They met."}`, nil
}

// TestHost: the model of the host is asked while it is lent, and only then.
func TestHost(t *testing.T) {
	local := extractive.New(extractive.Options{})
	h := llm.NewHost(local, tokens.NewCounter(""))
	host := &lender{}
	turns := []memory.Turn{{Role: memory.RoleUser, Speaker: "Ann", Content: "I met Boris in Ghent yesterday."}}
	for _, step := range []struct {
		name  string
		do    func()
		model bool
	}{
		{"not connected", func() {}, false},
		{"lends nothing", func() { h.Connect(host) }, false},
		{"lends", func() { host.lends = true }, true},
		{"lends no longer", func() { host.lends = false }, false},
	} {
		step.do()
		before, name := host.asked, local.Name()
		if step.model {
			name = "sampling"
		}
		summary, err := h.Summarize(t.Context(), memory.SummaryRequest{Turns: turns, MaxTokens: 100})
		if err != nil || (summary == "They met.") != step.model || (host.asked > before) != step.model {
			t.Errorf("%s: %q, %v, asked %d times", step.name, summary, err, host.asked-before)
		}
		if h.Name() != name || h.Local() == step.model {
			t.Errorf("%s: name %q, local %t", step.name, h.Name(), h.Local())
		}
		before = host.asked
		facts, err := h.Extract(t.Context(), memory.ExtractRequest{Turns: turns})
		if asked := host.asked > before; asked != step.model || !step.model && (err != nil || len(facts) == 0) {
			t.Errorf("%s: facts %v, %v, asked %t", step.name, facts, err, asked)
		}
	}
}
