package main

import (
	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
)

func (p *Program) agentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "agent", Short: "The agents that have a memory here",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.agentListCommand(), p.agentEraseCommand())
	return cmd
}

// agentShown is an agent as `agent list` shows it.
type agentShown struct {
	Agent    string `json:"agent"`
	Records  int    `json:"records"` // live
	Sessions int    `json:"sessions"`
	Turns    int    `json:"turns"`
}

func (p *Program) agentListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "Show all of them, and how much they have", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			names, err := a.store.Agents(cmd.Context())
			if err != nil {
				return nil, "", err
			}
			shown := make([]agentShown, len(names))
			for i, name := range names {
				stats, err := a.store.Stats(cmd.Context(), name)
				if err != nil {
					return nil, "", err
				}
				shown[i] = agentShown{name, stats.Records, stats.Sessions, stats.Turns}
			}
			return map[string]any{"items": shown, "total": len(shown)}, agentsText(p.screen(), shown), nil
		})
	}
	return cmd
}

func agentsText(s screen.Screen, agents []agentShown) string {
	if len(agents) == 0 {
		return "There are no agents."
	}
	var rows [][]string
	for _, one := range agents {
		rows = append(rows, []string{one.Agent, counted(one.Records, "memory", "memories"),
			counted(one.Sessions, "conversation", "conversations"), counted(one.Turns, "message", "messages")})
	}
	return s.Table(rows)
}

func (p *Program) agentEraseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "erase NAME", Short: "Erase everything of an agent for good, with --confirm",
		Long: "Erases everything of an agent for good: memories, conversations, plans, links, its log, and the whole folder of its\n" +
			"workspace, also what you wrote there. Its tokens are revoked. What it shared with other agents stays theirs.",
		Args: usageArgs(cobra.ExactArgs(1)),
	}
	confirm := cmd.Flags().Bool("confirm", false, "needed: this cannot be undone")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !*confirm {
			return memory.Errorf(memory.CodeInvalidArgument, "erasing agent %q cannot be undone and needs --confirm", args[0]).
				WithHint("`mcp-memory export --agent %s FILE` keeps a copy", args[0])
		}
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			pending, err := a.remember.EraseAgent(cmd.Context(), args[0])
			text := "Erased everything of " + args[0] + "."
			if pending {
				text += " The database is in use: bytes of it may stay in its files until the last program that uses them has ended."
			}
			return map[string]any{"agent": args[0], "erased": true, "pending": pending}, text, err
		})
	}
	return cmd
}
