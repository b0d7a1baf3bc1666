package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/changes"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (p *Program) undoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "undo [ID]", Short: "Take the last change back, or that with an ID of the log; asks first on a terminal",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: "Takes the last change of the bank back that was not taken back yet: a save, an update, a forgetting, an import, a merge of\n" +
			"projects or self-care; with an ID of `mcp-memory log`, or that of a memory, that one. It shows what it is, and asks on a\n" +
			"terminal. What was changed again since stays as it is. To-dos and events are not taken back: after one, undo wants an ID.\n" +
			"`mcp-memory redo` makes it hold again.",
	}
	yes := cmd.Flags().BoolP("yes", "y", false, "do not ask")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			one, err := a.toUndo(ctx, scope, args)
			if err != nil {
				return nil, "", err
			}
			if !one.UndoneAt.IsZero() {
				return nil, "", memory.Errorf(memory.CodeConflict, "that was undone already").
					WithHint("`mcp-memory redo %s` makes it hold again", one.ID)
			}
			text, _, err := p.logText(ctx, a, []remember.Changed{one})
			if err == nil && !*yes {
				err = p.agreed(ctx, text+"\n\nTake this back?")
			}
			if err != nil {
				return nil, "", err
			}
			done, err := a.changes.TakeBack(ctx, scope, one)
			if err != nil {
				return nil, "", err
			}
			return undoneShownOf(one, done), "Took back:\n\n" + text + "\n\n" + undoneText(done), nil
		})
	}
	return cmd
}

func (p *Program) redoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "redo [ID]", Short: "Make the last change hold again that was taken back, or that with an ID of the log",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: "Makes a change hold again that undo took back: the last one, if nothing was changed since, or with an ID of `mcp-memory log`\n" +
			"that one. It shows what it is, and asks on a terminal. What was changed again since stays as it is. An import, a merge of\n" +
			"projects and self-care are done again by their own commands.",
	}
	yes := cmd.Flags().BoolP("yes", "y", false, "do not ask")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			id := ""
			if len(args) > 0 {
				of, err := a.toUndo(ctx, scope, args)
				if err != nil {
					return nil, "", err
				}
				id = of.ID
			}
			one, err := a.changes.Undone(ctx, scope, id)
			if err != nil {
				return nil, "", err
			}
			one.UndoneAt = time.Time{}
			text, _, err := p.logText(ctx, a, []remember.Changed{one})
			if err == nil && !*yes {
				err = p.agreed(ctx, text+"\n\nMake this hold again?")
			}
			if err != nil {
				return nil, "", err
			}
			done, err := a.changes.Redo(ctx, scope, one.ID)
			if err != nil {
				return nil, "", err
			}
			redone := "It holds again."
			if done.Missing > 0 {
				redone += " " + counted(done.Missing, "memory was", "memories were") + " erased since."
			}
			return undoneShownOf(one, done), "Redone:\n\n" + text + "\n\n" + redone, nil
		})
	}
	return cmd
}

// undoneShown is a change that was undone or redone, as JSON output.
type undoneShown struct {
	changeShown
	SetAside int `json:"set_aside"`
	Restored int `json:"restored"`
	Messages int `json:"messages,omitempty"`
	Missing  int `json:"missing,omitempty"`
}

func undoneShownOf(one remember.Changed, done changes.Undone) undoneShown {
	return undoneShown{changeShownOf(one), done.Aside, done.Back, done.Turns, done.Missing}
}

// plansLooked is how many to-dos are looked at for a later change.
const plansLooked = 1000

// noPlanSince returns [memory.CodeConflict] if a to-do or an event was added, or a to-do completed,
// after a change: whoever undoes the last change would mean that, which has no way back.
func (a *app) noPlanSince(ctx context.Context, scope memory.Scope, one remember.Changed) error {
	todos, _, err := a.store.Todos(ctx, scope.Agent, memory.TodoFilter{Status: memory.TodoAll}, plansLooked)
	if err != nil {
		return err
	}
	now := a.clock() // what has a later time is from before the clock went back
	later, title := one.At, ""
	for _, t := range todos {
		if at := latest(t.CreatedAt, t.CompletedAt); at.After(later) && !at.After(now) {
			later, title = at, "the to-do "+t.Title
		}
	}
	events, err := a.store.Calendar(ctx, scope.Agent, now, now.AddDate(100, 0, 0))
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.CreatedAt.After(later) && !e.CreatedAt.After(now) {
			later, title = e.CreatedAt, "the event "+e.Title
		}
	}
	if title == "" {
		return nil
	}
	return memory.Errorf(memory.CodeConflict, "the last change was to %s, which undo does not take back", title).
		WithHint("`mcp-memory undo %s` takes back the change before it; `mcp-memory log` shows them", one.ID)
}

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// toUndo returns the change to undo: the last one, or the one that args name.
func (a *app) toUndo(ctx context.Context, scope memory.Scope, args []string) (remember.Changed, error) {
	if len(args) == 0 {
		one, err := a.changes.Last(ctx, scope)
		if err != nil {
			return one, err
		}
		return one, a.noPlanSince(ctx, scope, one)
	}
	id, err := a.wholeID(ctx, memory.IDsOfChanges, args[0])
	if err != nil {
		return remember.Changed{}, err
	}
	if id != "" {
		return a.changes.Find(ctx, scope, id)
	}
	if id, err = a.wholeID(ctx, memory.IDsOfRecords, args[0]); err != nil {
		return remember.Changed{}, err
	}
	found, err := a.store.Records(ctx, scope.Agent, []string{id})
	if err != nil {
		return remember.Changed{}, err
	}
	if len(found) == 0 {
		return remember.Changed{}, memory.Errorf(memory.CodeNotFound, "there is no change %q", args[0]).
			WithHint("`mcp-memory log` shows what was changed")
	}
	return remember.Changed{ID: id, Action: remember.DidSave, Count: 1, Records: found, At: found[0].CreatedAt}, nil
}

func undoneText(u changes.Undone) string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{u.Aside, "memory was set aside", "memories were set aside"}, {u.Back, "memory is as before", "memories are as before"},
		{u.Turns, "message was removed", "messages were removed"},
		{u.Missing, "was changed or erased since", "were changed or erased since"},
	} {
		if part.n > 0 {
			parts = append(parts, counted(part.n, part.one, part.many))
		}
	}
	if len(parts) == 0 {
		return "Everything is as before."
	}
	return strings.Join(parts, ", ") + "."
}
