package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
)

// consent asks the user of the host before memories are copied to another agent. If the host cannot
// ask, the call itself is the consent. It does not ask about an offer that Share would refuse
// anyway. Refusal is [memory.CodeForbidden].
func (s Services) consent(ctx context.Context, agent string, o link.Offer) error {
	if !canAsk(ctx) {
		return nil
	}
	asked, err := s.Link.Status(ctx, agent, o.LinkID)
	if err != nil || asked.From != agent || asked.Status != memory.LinkPending || link.Check(asked, o) != nil {
		return nil // Share returns the error
	}
	answer, err := Ask(ctx, agent, ShareQuestion(asked, o), asked.ID)
	if err == nil && answer == Refused {
		err = memory.Errorf(memory.CodeForbidden, "the user did not agree").WithAdvice(memory.Advice{
			Tool:    "nothing was shared; neural_link with action decline tells " + asked.To,
			Command: "nothing was shared; `mcp-memory link decline` tells " + asked.To,
		})
	}
	return err
}

// ShareQuestion is the question to the user of the agent that was asked, l.From, about an offer.
func ShareQuestion(l memory.Link, o link.Offer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Let the agent %s copy the memory of %s?", l.To, l.From)
	var parts []string
	for _, p := range []struct {
		name   string
		values []string
	}{{"kinds", names(l.Kinds)}, {"kinds offered", names(o.Kinds)}, {"categories", l.Categories}, {"categories offered", o.Categories}} {
		if len(p.values) > 0 {
			parts = append(parts, p.name+" "+strings.Join(p.values, ", "))
		}
	}
	if since := later(l.Since, o.Since); !since.IsZero() {
		parts = append(parts, "since "+since.UTC().Format(time.DateOnly))
	}
	if len(parts) == 0 {
		parts = []string{"all of it without soul, conversations and secrets"}
	}
	fmt.Fprintf(&b, " What: %s. Nothing of %s changes.", memory.OneLine(strings.Join(parts, "; "), 400), l.From)
	if l.Message != "" {
		fmt.Fprintf(&b, "\n%s writes: %s", l.To, quoteMessage(l.Message))
	}
	return b.String()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
