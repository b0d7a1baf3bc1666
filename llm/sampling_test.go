package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"mcp-memory/llm"
	"mcp-memory/memory"
)

func TestSampling(t *testing.T) {
	var asked []string
	answers := []string{"I cannot say", `{"facts":[{"content":"Anna prefers tea."}]}`}
	host := llm.Sampling(func(_ context.Context, system, user string, maxTokens int) (string, error) {
		if !strings.HasPrefix(system, "Find what is worth remembering") || maxTokens != 200 {
			t.Errorf("%d tokens, system prompt %q", maxTokens, system)
		}
		asked = append(asked, user)
		return answers[len(asked)-1], nil
	})
	d := llm.New(host, "sampling", counter, llm.Options{MaxOutput: 200})
	facts, err := d.Extract(t.Context(), memory.ExtractRequest{Turns: talk("I prefer tea.")})
	if err != nil || len(facts) != 1 || d.Name() != "sampling" {
		t.Fatalf("%v, %v", facts, err)
	}
	if len(asked) != 2 || !strings.HasPrefix(asked[1], asked[0]) ||
		!strings.Contains(asked[1], "Your answer was:\nI cannot say\n\nThat answer cannot be used") {
		t.Errorf("asked %q", asked)
	}
}

func TestSamplingFails(t *testing.T) {
	refusal := errors.New("the person says no")
	for name, host := range map[string]llm.Sampling{
		"an error": func(context.Context, string, string, int) (string, error) { return "", refusal },
		"blank":    func(context.Context, string, string, int) (string, error) { return " \n", nil },
		"too much": func(context.Context, string, string, int) (string, error) { return long, nil },
	} {
		calls := 0
		counted := llm.Sampling(func(ctx context.Context, system, user string, maxTokens int) (string, error) {
			calls++
			return host(ctx, system, user, maxTokens)
		})
		_, err := llm.New(counted, "sampling", counter, llm.Options{}).Extract(t.Context(), memory.ExtractRequest{Turns: talk("a")})
		if !unavailable(err) || strings.Contains(err.Error(), "says no") || name == "an error" && !errors.Is(err, refusal) || calls != 1 {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
}
