package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// globalName is the name for "no project" on the command line.
const globalName = "global"

// destination returns the project that a name on the command line means.
func destination(name string) string {
	if name == globalName {
		return ""
	}
	return name
}

// moveCommand moves memories to another project.
func (p *Program) moveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "move ID...", Short: "Move memories into another project, or into all with --to global",
		Args: usageArgs(cobra.MinimumNArgs(1)),
		Long: "Moves memories with their history. What is about you (who you are, what you like, how you work everywhere) belongs to no\n" +
			"project: --to global. `mcp-memory undo` takes a move back. The beginning of an id is enough.",
	}
	to := cmd.Flags().String("to", "", "the `project` that they belong to from now on, or global")
	addJSONFlag(cmd)
	cmd.ValidArgsFunction = p.completeIDs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("to") {
			return usageError{errors.New("move: --to is missing: the name of a project, or global")}
		}
		var gone error // error for missing ids, returned after the others are moved
		err := p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			ids := make([]string, len(args))
			for i, arg := range args {
				id, err := a.wholeID(ctx, memory.IDsOfRecords, arg)
				if err != nil {
					return nil, "", err
				}
				ids[i] = cmp.Or(id, arg)
			}
			moved, err := a.remember.Move(ctx, scope, ids, destination(*to))
			if err != nil {
				return nil, "", err
			}
			gone = missing(moved.Missing)
			return movedShown(moved), movedText(moved), nil
		})
		return errors.Join(err, gone)
	}
	return cmd
}

func movedShown(m remember.Moved) map[string]any {
	shown := map[string]any{"moved": m.IDs, "project": m.Project}
	if m.UndoID != "" {
		shown["undo_id"] = m.UndoID
	}
	return shown
}

func movedText(m remember.Moved) string {
	whose := "for all projects"
	if m.Project != "" {
		whose = "in project " + visible(m.Project)
	}
	if m.UndoID == "" {
		return "Nothing to move: already " + whose + "."
	}
	return fmt.Sprintf("Now %s: %s.\nTo take that back: mcp-memory undo %s", whose, counted(len(m.IDs), "memory", "memories"), m.UndoID)
}

// projectSortCommand finds memories of projects that are about the person, and makes them global.
func (p *Program) projectSortCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "sort [PROJECT]", Short: "Find what is about you in a project, or in all, and make it global, with undo",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: "Shows the memories of PROJECT, or of every project, that are certainly about the person and not about the work there, and\n" +
			"after a yes makes them global. `mcp-memory undo` takes all of it back; `mcp-memory move` moves single ones.",
	}
	dryRun := cmd.Flags().Bool("dry-run", false, "only show them")
	yes := cmd.Flags().Bool("yes", false, "do not ask")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		project := ""
		if len(args) > 0 {
			project = args[0]
		}
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			ctx := cmd.Context()
			found, err := a.remember.Personal(ctx, a.scope, project)
			if err != nil {
				return nil, "", err
			}
			shown, ids := make([]listedShown, len(found)), make([]string, len(found))
			for i, r := range found {
				shown[i], ids[i] = listedOf(r), r.ID
			}
			result := map[string]any{"items": shown, "total": len(found)}
			if len(found) == 0 {
				return result, "Nothing there is certainly about you.", nil
			}
			list, err := p.listText(ctx, a, found)
			if err != nil {
				return nil, "", err
			}
			if *dryRun {
				return result, list +
					fmt.Sprintf("\n\n%s would become global; nothing was changed.", counted(len(found), "memory", "memories")), nil
			}
			if !*yes {
				if isTerminal(p.Stdin) {
					fmt.Fprintln(p.Stderr, list)
				}
				if err := p.agreed(ctx, fmt.Sprintf("Make %s global?", counted(len(found), "memory", "memories"))); err != nil {
					return nil, "", err
				}
			}
			moved, err := a.remember.Move(ctx, a.scope, ids, "")
			if err != nil {
				return nil, "", err
			}
			result["undo_id"] = moved.UndoID
			return result, list + "\n\n" + movedText(moved), nil
		})
	}
	return cmd
}
