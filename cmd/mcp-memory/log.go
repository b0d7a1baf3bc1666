package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// changeShown is a change as JSON output.
type changeShown struct {
	ID       string        `json:"id"`
	Action   remember.Did  `json:"action"`
	Count    int           `json:"count"`
	Records  []recordShown `json:"records"` // only the first ones
	At       time.Time     `json:"at"`
	UndoneAt time.Time     `json:"undone_at,omitzero"`
}

// recordShown is a memory in a change, as JSON output.
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

// aboutBank opens an existing bank, calls fn, and prints its result.
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
	if isSet(cmd, "json") {
		return p.print(cmd, shown, "")
	}
	return p.show(text, p.screen())
}

// logText renders the log for people. It also returns the short ids that are used in it.
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

// whatChanged says which memories a change is about.
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
