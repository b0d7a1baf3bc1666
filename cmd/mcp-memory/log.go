package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/changes"
	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// changeShown is a change as JSON has it.
type changeShown struct {
	ID       string        `json:"id"`
	Action   remember.Did  `json:"action"`
	Count    int           `json:"count"`
	Records  []recordShown `json:"records"` // the first of them
	At       time.Time     `json:"at"`
	UndoneAt time.Time     `json:"undone_at,omitzero"`
}

// recordShown is what a change shows of a memory.
type recordShown struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

func changeShownOf(c remember.Changed) changeShown {
	shown := changeShown{c.ID, c.Action, c.Count, []recordShown{}, c.At, c.UndoneAt}
	for _, r := range c.Records {
		shown.Records = append(shown.Records, recordShown{r.ID, r.Content})
	}
	return shown
}

func (p *Program) logCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "log", Short: "Show what was changed in the bank, the newest first, with what undo takes", Args: usageArgs(cobra.NoArgs),
		Long: "Shows what was saved, updated, forgotten, imported, merged or condensed, the newest first. `mcp-memory undo ID` takes one of\n" +
			"them back. What a bundle or a neural link brought is not in it.",
	}
	limit := cmd.Flags().IntP("limit", "n", 20, "how many, up to 500")
	before := cmd.Flags().String("before", "", "only what was changed before the change with this `ID`")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			from := *before
			if from != "" {
				whole, err := a.wholeID(ctx, memory.IDsOfChanges, from)
				if err != nil {
					return nil, "", err
				}
				if whole != "" {
					from = whole
				}
			}
			log, err := a.changes.Log(ctx, scope, from, *limit)
			if err != nil {
				return nil, "", err
			}
			shown := make([]changeShown, len(log))
			for i, c := range log {
				shown[i] = changeShownOf(c)
			}
			text, short, err := p.logText(ctx, a, log)
			if err == nil && len(log) == *limit {
				text += "\n\nMore: mcp-memory log --before " + short[log[len(log)-1].ID]
			}
			return map[string]any{"items": shown}, text, err
		})
	}
	return cmd
}

func (p *Program) undoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "undo [ID]", Short: "Take the last change back, or that with an ID of the log; asks first on a terminal", Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: "Takes the last change of the bank back that was not taken back yet: a save, an update, a forgetting, an import, a merge of\n" +
			"projects or self-care; with an ID of `mcp-memory log`, or that of a memory, that one. It shows what it is, and asks on a\n" +
			"terminal. What was changed again since stays as it is.",
	}
	yes := cmd.Flags().BoolP("yes", "y", false, "do not ask")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			one, err := a.toUndo(ctx, scope, args)
			if err != nil {
				return nil, "", err
			}
			text, _, err := p.logText(ctx, a, []remember.Changed{one})
			if err == nil && !*yes && one.UndoneAt.IsZero() {
				err = p.agreed(ctx, text+"\n\nTake this back?")
			}
			if err != nil {
				return nil, "", err
			}
			done, err := a.changes.TakeBack(ctx, scope, one)
			if err != nil {
				return nil, "", err
			}
			result := struct {
				changeShown
				SetAside int `json:"set_aside"`
				Restored int `json:"restored"`
				Messages int `json:"messages,omitempty"`
				Missing  int `json:"missing,omitempty"`
			}{changeShownOf(one), done.Aside, done.Back, done.Turns, done.Missing}
			return result, "Took back:\n\n" + text + "\n\n" + undoneText(done), nil
		})
	}
	return cmd
}

// aboutBank opens a bank that is there, and prints what fn finds or does in it.
func (p *Program) aboutBank(cmd *cobra.Command, fn func(context.Context, *app, memory.Scope) (any, string, error)) error {
	a, err := p.openExisting(cmd.Context())
	if err != nil {
		return err
	}
	scope, err := a.scopeOf(cmd.Context(), nil)
	var shown any
	text := ""
	if err == nil {
		shown, text, err = fn(cmd.Context(), a, scope)
	}
	if closing := a.close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	data, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	if isSet(cmd, "json") {
		return p.print(cmd, data, "")
	}
	return p.show(text, p.screen())
}

// toUndo finds the change that is meant: the last one, or the one that is named.
func (a *app) toUndo(ctx context.Context, scope memory.Scope, args []string) (remember.Changed, error) {
	if len(args) == 0 {
		return a.changes.Last(ctx, scope)
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
		return remember.Changed{}, memory.Errorf(memory.CodeNotFound, "there is no change %q", args[0]).WithHint("`mcp-memory log` shows what was changed")
	}
	return remember.Changed{ID: id, Action: remember.DidSave, Count: 1, Records: found, At: found[0].CreatedAt}, nil
}

// logText is the log as people read it, with the short ids in it.
func (p *Program) logText(ctx context.Context, a *app, log []remember.Changed) (string, map[string]string, error) {
	if len(log) == 0 {
		return "Nothing was changed yet.", nil, nil
	}
	ids := make([]string, len(log))
	for i, c := range log {
		ids[i] = c.ID
	}
	short, err := a.shortIDs(ctx, memory.IDsOfChanges, ids)
	if err != nil {
		return "", nil, err
	}
	on := p.screen()
	blocks := make([]screen.Block, len(log))
	for i, c := range log {
		blocks[i] = screen.Block{Text: visible(whatChanged(c)), Notes: []string{short[c.ID], string(c.Action), p.local(c.At), p.age(c.At)}}
		if !c.UndoneAt.IsZero() {
			blocks[i].Marks = []string{"taken back"}
		}
	}
	return on.Show(blocks), short, nil
}

// whatChanged says what a change is about.
func whatChanged(c remember.Changed) string {
	if len(c.Records) == 0 {
		return counted(c.Count, "memory", "memories")
	}
	text := memory.OneLine(c.Records[0].Content, 200)
	if c.Count > 1 {
		text = fmt.Sprintf("%s: %s …", counted(c.Count, "memory", "memories"), text)
	}
	return text
}

func undoneText(u changes.Undone) string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{u.Aside, "memory was set aside", "memories were set aside"}, {u.Back, "memory is as before", "memories are as before"},
		{u.Turns, "message was removed", "messages were removed"}, {u.Missing, "was changed or erased since", "were changed or erased since"},
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
