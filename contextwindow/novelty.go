package contextwindow

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
)

// novel returns the turns in which something new may have been said. What was
// recalled is not new: what this package has injected into the conversation, what
// tools that recall have answered, and messages that say word for word what is
// remembered.
func (r *attempt) novel(ctx context.Context, turns []memory.Turn) ([]memory.Turn, error) {
	var list []memory.Turn
	recalls := r.answersOfRecall()
	for _, t := range turns {
		if t.Role == memory.RoleTool && recalls[t.Index] {
			continue
		}
		t.Content = injected.Without(t.Content)
		if t.Details != nil {
			details := *t.Details
			details.ToolCalls = slices.DeleteFunc(slices.Clone(details.ToolCalls),
				func(c memory.ToolCall) bool { return r.rules.Recalls(c.Name) })
			t.Details = &details
		}
		if strings.TrimSpace(t.Content) != "" || t.Details != nil && len(t.Details.ToolCalls) > 0 {
			list = append(list, t)
		}
	}
	return r.notRemembered(ctx, list)
}

// answersOfRecall returns the indexes of the tools' messages that are results of calls that only
// returned memories.
func (r *attempt) answersOfRecall() map[int]bool {
	sizes := make([]turnSize, len(r.turns))
	for i, t := range r.turns {
		sizes[i] = sizeOf(nothing{}, t)
	}
	answers := map[int]bool{}
	for i, t := range r.turns {
		if t.Role != memory.RoleTool {
			continue
		}
		if r.rules.Recalls(t.Speaker) {
			answers[t.Index] = true
			continue
		}
		if owner := ownerOf(sizes, i); owner >= 0 {
			id := sizes[i].answers
			answers[t.Index] = slices.ContainsFunc(r.turns[owner].Details.ToolCalls, func(c memory.ToolCall) bool {
				return (id == "" || c.ID == "" || c.ID == id) && r.rules.Recalls(c.Name)
			})
		}
	}
	return answers
}

// nothing is a counter that takes every text for 0 tokens, where only roles and calls of turns
// matter.
type nothing struct{}

func (nothing) Count(string) int { return 0 }

// notRemembered leaves out the turns that say what is remembered already.
func (r *attempt) notRemembered(ctx context.Context, turns []memory.Turn) (list []memory.Turn, err error) {
	projects := []string{""}
	if r.window.Project != "" {
		projects = append(projects, r.window.Project)
	}
	contents := make([]string, len(turns))
	for i, t := range turns {
		if len(t.Content) <= maxFactBytes && strings.TrimSpace(t.Content) != "" {
			contents[i] = t.Content
		}
	}
	said, err := r.store.Said(ctx, r.agent, projects, statements, contents)
	if err != nil {
		return nil, err
	}
	for i, t := range turns {
		if contents[i] == "" || !said[i] {
			list = append(list, t)
		}
	}
	return list, nil
}

// statements are the kinds of record whose content somebody may have said.
var statements = []memory.Kind{memory.KindFact, memory.KindLongTerm, memory.KindSoul, memory.KindLearning, memory.KindSummary}
