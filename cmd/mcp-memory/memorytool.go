package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/memorytool"
	"mcp-memory/workspace"
)

// memoryTool makes the service that answers calls of the memory tool of model APIs.
func (p *Program) memoryTool(a *app) *memorytool.Service {
	return memorytool.New(memorytool.Options{
		Agent: a.scope.Agent, ReadOnly: a.readOnly, Audit: a.guard, Log: p.log,
		Files: func(agent string) workspace.Memories {
			return a.workspace(agent).Memories()
		},
	})
}

func (p *Program) memoryToolCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "memory-tool", Short: "Answer the memory tool of model APIs: a call in JSON on each line of stdin, its result on stdout",
		Long: "Answers the client-side memory tool of model APIs (view, create, str_replace, insert, delete, rename under /memories).\n" +
			"Each line of stdin is the input of a call, or a whole tool_use block; each line of stdout is its result. The files are in\n" +
			"the folder memories of the agent's workspace, and every change can be taken back.",
		Args: usageArgs(cobra.NoArgs),
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a, err := p.open(cmd.Context())
		if err != nil {
			return err
		}
		defer a.close()
		err = p.memoryTool(a).Serve(cmd.Context(), p.input(cmd.Context()), p.Stdout)
		if errors.Is(err, errInterrupted) {
			return nil // ended by a signal
		}
		return err
	}
	cmd.AddCommand(p.memoryToolHistoryCommand(), p.memoryToolUndoCommand())
	return cmd
}

// ownMemories returns the files of the memory tool of the process's own agent.
func (a *app) ownMemories() workspace.Memories { return a.workspace(a.scope.Agent).Memories() }

// shownChange is a change of these files as the history shows it.
type shownChange struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Command string    `json:"command"`
	Path    string    `json:"path"`
	NewPath string    `json:"new_path,omitempty"`
	Undoes  string    `json:"undoes,omitempty"`
	Files   int       `json:"files"`
}

func shownChangeOf(c workspace.Change) shownChange {
	one := shownChange{ID: c.ID, At: c.At, Command: c.Command, Path: memorytool.Root + "/" + c.Name, Undoes: c.Undoes, Files: c.Files()}
	if c.To != "" {
		one.NewPath = memorytool.Root + "/" + c.To
	}
	return one
}

func (c shownChange) text() string {
	what := c.Command
	if c.Undoes != "" {
		what += " of " + c.Undoes + ":"
	}
	what += " " + c.Path
	if c.NewPath != "" {
		what += " to " + c.NewPath
	}
	if c.Files > 1 {
		what += fmt.Sprintf(" (%d files)", c.Files)
	}
	return c.ID + "  " + c.At.Local().Format(time.DateTime) + "  " + what
}

func (p *Program) memoryToolHistoryCommand() *cobra.Command {
	var limit int
	cmd := &cobra.Command{Use: "history", Short: "List what was changed under /memories, the newest first", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.Flags().IntVar(&limit, "limit", 50, "most changes")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.answer(cmd, p.open, func(a *app) (any, string, error) {
			list, err := a.ownMemories().Changes(cmd.Context(), limit)
			if err != nil {
				return nil, "", err
			}
			shown, lines := make([]shownChange, len(list)), make([]string, len(list))
			for i, c := range list {
				shown[i] = shownChangeOf(c)
				lines[i] = shown[i].text()
			}
			if len(lines) == 0 {
				lines = []string{"Nothing was changed under /memories."}
			}
			return map[string]any{"changes": shown}, strings.Join(lines, "\n"), nil
		})
	}
	return cmd
}

func (p *Program) memoryToolUndoCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "undo ID", Short: "Take back one change under /memories; the undo is a change too",
		Args: usageArgs(cobra.ExactArgs(1))}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.answer(cmd, p.open, func(a *app) (any, string, error) {
			c, err := a.ownMemories().Undo(cmd.Context(), args[0])
			return shownChangeOf(c), "Taken back: " + shownChangeOf(c).text(), err
		})
	}
	return cmd
}
