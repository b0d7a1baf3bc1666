package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/text/secrets"
)

// planOutput is a to-do or an event that falls in the time that a recall asked about, or is what it
// asked the time of.
type planOutput struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind" enum:"todo,event"`
	Title   string    `json:"title"`
	At      time.Time `json:"at,omitzero"` // when it is due, was done or starts
	Done    bool      `json:"done,omitempty"`
	Project string    `json:"project,omitempty"`
}

func (s Services) planned(ctx context.Context, scope memory.Scope, asked *recall.Agenda) (planned []planning.Planned, more int, err error) {
	if len(asked.About) > 0 {
		return s.Planning.About(ctx, scope, asked.About)
	}
	return s.Planning.At(ctx, scope, asked.From, asked.To)
}

// plans adds to out the to-dos and events in the time that the question asked about, or that are
// what it asked the time of. It returns
// them as lines of text, "" if the question asked for no plans, the caller may not see them or
// there are none.
func (s Services) plans(ctx context.Context, scope memory.Scope, asked *recall.Agenda, out *recallOutput) (string, error) {
	if asked == nil || s.Planning == nil || access.Refusal(ctx, "plans", false, access.WholeBank) != nil {
		return "", nil
	}
	planned, more, err := s.planned(ctx, scope, asked)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, p := range planned {
		if secrets.Find(p.Title) != "" { // secrets are only shown by the tools for to-dos and events
			continue
		}
		one := planOutput{p.ID, "todo", p.Title, p.At, p.Done, p.Project}
		notes := []string{"to-do"}
		switch {
		case p.Event:
			one.Kind, notes = "event", []string{"calendar, " + minute(p.At) + " UTC"}
		case p.Done:
			notes = append(notes, "done "+s.Recall.Day(p.At))
		case !p.At.IsZero():
			notes = append(notes, "due "+s.Recall.Day(p.At))
		}
		if p.Project != "" {
			notes = append(notes, "project "+memory.OneLine(p.Project, 80))
		}
		out.Plans = append(out.Plans, one)
		fmt.Fprintf(&text, "- %s (%s, id %s)\n", memory.OneLine(p.Title, 200), strings.Join(notes, ", "), p.ID)
	}
	if text.Len() == 0 {
		return "", nil
	}
	if more > 0 {
		fmt.Fprintf(&text, "- and %d more\n", more)
	}
	return "Planned:\n" + strings.TrimSuffix(text.String(), "\n"), nil
}
