package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/workspace"
)

func (p *Program) workspaceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "workspace", Short: "The files that you and the agent edit: where they are, and what became of edits",
		Long: "Shows where the files are and how they were left. Where most lines of one vanish at once nothing is forgotten until\n" +
			"you say so: accept archives their memories, restore writes the lines again.",
		Args: usageArgs(cobra.NoArgs),
	}
	cmd.RunE = p.workspaceStatus
	addJSONFlag(cmd)
	cmd.AddCommand(
		p.workspaceSyncCommand(),
		p.workspaceSettleCommand("accept", "Forget the memories whose lines vanished from a file together; an undo brings them back", true),
		p.workspaceSettleCommand("restore", "Write the lines that vanished from a file together again", false),
	)
	return cmd
}

// workspaceShown is the state of a workspace as JSON output.
type workspaceShown struct {
	Path      string       `json:"path"`  // "" if the workspace is in a database
	Files     []mirrorFile `json:"files"` // the files that mirror the bank
	Conflicts []string     `json:"conflicts,omitempty"`
}

// mirrorFile is the state of a file that mirrors the bank.
type mirrorFile struct {
	Name      string    `json:"name"`
	Lines     int       `json:"lines"` // lines for memories or to-dos
	Held      []string  `json:"held,omitempty"`
	HeldSince time.Time `json:"held_since,omitzero"`
	Undo      string    `json:"undo_id,omitempty"`
	UndoAt    time.Time `json:"undo_at,omitzero"`
}

func (p *Program) workspaceStatus(cmd *cobra.Command, _ []string) error {
	return p.answer(cmd, p.open, func(a *app) (any, string, error) {
		shown, err := a.workspaceState(cmd.Context())
		return shown, shown.text(), err
	})
}

// workspaceState returns the state of the files of the process's own agent, after bringing them up
// to date.
func (a *app) workspaceState(ctx context.Context) (shown workspaceShown, err error) {
	a.mirror.RefreshAll(ctx, a.scope.Agent)
	if !a.readOnly { // finish what a killed process has not written
		if err := a.mirror.Complete(ctx, a.scope.Agent); err != nil {
			return shown, err
		}
	}
	dir := a.workspace(a.scope.Agent)
	if !a.readOnly {
		if err := dir.Ensure(ctx); err != nil {
			return shown, err
		}
	}
	if shown.Path = dir.Path(); shown.Path != "" {
		if shown.Path, err = filepath.Abs(shown.Path); err != nil {
			return shown, err
		}
	}
	if shown.Conflicts, err = dir.Conflicts(ctx); err != nil {
		return shown, err
	}
	for _, name := range workspace.Mirrored() {
		left := dir.Left(ctx, name)
		shown.Files = append(shown.Files,
			mirrorFile{name, len(left.IDs) - len(left.Held), left.Held, left.HeldSince, left.Undo, left.UndoAt})
	}
	return shown, nil
}

func (w workspaceShown) text() string {
	lines := []string{cmp.Or(w.Path, "The files are in the database: `mcp-memory workspace sync DIR` keeps a folder the same.")}
	for _, f := range w.Files {
		if f.Lines > 0 || f.Name == workspace.MemoryFile {
			lines = append(lines, fmt.Sprintf("%s has %s of the bank.", f.Name, counted(f.Lines, "line", "lines")))
		}
		if n := len(f.Held); n > 0 {
			lines = append(lines,
				fmt.Sprintf("%s of %s vanished together on %s. Nothing was forgotten: `mcp-memory workspace accept` forgets, `restore` writes them again.",
					counted(n, "line", "lines"), f.Name, f.HeldSince.Local().Format(time.DateTime)))
		}
		if f.Undo != "" {
			lines = append(lines, fmt.Sprintf("Lines taken out of %s on %s were archived; `mcp-memory undo %s` brings them back.",
				f.Name, f.UndoAt.Local().Format(time.DateTime), f.Undo))
		}
	}
	for _, name := range w.Conflicts {
		lines = append(lines, name+" keeps what an edit left no room for: copy back what is missed and delete it.")
	}
	return strings.Join(lines, "\n")
}

func (p *Program) workspaceSettleCommand(name, short string, accept bool) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.answer(cmd, p.open, func(a *app) (any, string, error) {
			lines, undos, err := a.mirror.Settle(cmd.Context(), a.scope.Agent, accept)
			text := "No lines vanished together."
			switch {
			case lines > 0 && accept:
				text = "Archived the memories of " + counted(lines, "line", "lines") + "."
				for _, undo := range undos {
					text += fmt.Sprintf(" `mcp-memory undo %s` brings them back.", undo)
				}
			case lines > 0:
				text = fmt.Sprintf("Wrote %s again.", counted(lines, "line", "lines"))
			}
			return map[string]any{"lines": lines, "undo_ids": undos}, text, err
		})
	}
	return cmd
}
