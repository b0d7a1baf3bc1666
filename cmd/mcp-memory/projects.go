package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/remember"
)

func (p *Program) projectCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "project", Short: "The projects of the bank: show, rename, join and sort them",
		Long: "The name of a project comes from a setting, a .mcp-memory.yaml or the git remote, and may change. An alias leads what\n" +
			"is saved and read under an old name to the new one; a merge moves what the old one has.",
		Args: usageArgs(cobra.NoArgs),
	}
	list := p.projectListCommand()
	cmd.RunE = list.RunE
	addJSONFlag(cmd)
	cmd.AddCommand(list, p.projectAliasCommand(), p.projectMergeCommand(), p.projectSortCommand())
	return cmd
}

// projectShown is a project as JSON output.
type projectShown struct {
	Name       string    `json:"name"`
	Records    int       `json:"records"`
	Turns      int       `json:"turns"`
	LastUse    time.Time `json:"last_use,omitzero"`
	AliasOf    string    `json:"alias_of,omitempty"`
	LikelySame []string  `json:"likely_same,omitempty"`
}

func (p *Program) projectListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "Show the projects, and which are likely the same under two names",
		Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			found, err := a.remember.Projects(cmd.Context(), a.scope.Agent)
			shown := make([]projectShown, len(found))
			for i, one := range found {
				shown[i] = projectShown{one.Name, one.Records, one.Turns, one.LastUse.UTC(), one.AliasOf, one.Like}
			}
			return map[string]any{"items": shown, "total": len(shown)}, p.projectsText(found), err
		})
	}
	return cmd
}

func (p *Program) projectsText(list []remember.Project) string {
	if len(list) == 0 {
		return "The bank is empty."
	}
	rows := [][]string{{"project", "records", "turns", "last use", ""}}
	told := map[string]bool{}
	var same []string
	for _, one := range list {
		alias := ""
		if one.AliasOf != "" {
			alias = "alias of " + one.AliasOf
		}
		last := one.LastUse.In(p.zone()).Format(time.DateOnly)
		rows = append(rows, []string{cmp.Or(visibleName(one.Name), "(none: global)"), strconv.Itoa(one.Records), strconv.Itoa(one.Turns),
			last, visibleName(alias)})
		if group := append([]string{one.Name}, one.Like...); len(one.Like) > 0 && !told[one.Name] {
			for _, name := range group {
				told[name] = true
			}
			same = append(same, fmt.Sprintf("Likely the same: %s. To join two: mcp-memory project merge FROM INTO",
				visibleName(strings.Join(group, ", "))))
		}
	}
	return strings.Join(append([]string{p.screen().Table(rows)}, same...), "\n")
}

func (p *Program) projectAliasCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "alias [OLD NEW]", Short: "Lead what is saved and read under an old name to another project; without names, show the aliases",
		Long: "From then on OLD stands for NEW wherever a project is named: in tools, on the command line, in settings and files. What OLD\n" +
			"has stays there until `project merge OLD NEW`. A token that is restricted to projects gains no other by an alias.",
	}
	remove := cmd.Flags().Bool("remove", false, "let OLD stand for itself again")
	addJSONFlag(cmd)
	cmd.Args = usageArgs(func(_ *cobra.Command, args []string) error {
		if want := map[bool][]int{true: {1}, false: {0, 2}}[*remove]; !slices.Contains(want, len(args)) {
			return errors.New("alias takes OLD and NEW, nothing, or --remove and OLD")
		}
		return nil
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.answer(cmd, p.open, func(a *app) (any, string, error) {
			ctx, agent, text := cmd.Context(), a.scope.Agent, ""
			var err error
			switch len(args) {
			case 1:
				err, text = a.remember.RemoveAlias(ctx, agent, args[0]), args[0]+" stands for itself again."
			case 2:
				err = a.remember.AliasProject(ctx, agent, args[0], args[1])
			}
			if err != nil {
				return nil, "", err
			}
			aliases, err := a.remember.ProjectAliases(ctx, agent)
			if err != nil {
				return nil, "", err
			}
			switch len(args) {
			case 0:
				text = aliasesText(aliases)
			case 2:
				text, err = p.aliasedText(cmd, a, args[0], args[1])
			}
			return map[string]any{"aliases": aliases}, text, err
		})
	}
	return cmd
}

func aliasesText(aliases map[string]string) string {
	if len(aliases) == 0 {
		return "There are no aliases."
	}
	var lines []string
	for _, old := range slices.Sorted(maps.Keys(aliases)) {
		lines = append(lines, old+" stands for "+aliases[old])
	}
	return strings.Join(lines, "\n")
}

// aliasedText describes a new alias, and what the old name still has.
func (p *Program) aliasedText(cmd *cobra.Command, a *app, old, name string) (string, error) {
	text := fmt.Sprintf("What is saved and read under %s goes to %s from now on.", old, name)
	uses, err := a.remember.Projects(cmd.Context(), a.scope.Agent)
	for _, use := range uses {
		if left := use.Records + use.Turns; use.Name == old && left > 0 {
			text += fmt.Sprintf("\n%s still has %s and %s: mcp-memory project merge %s %s moves them.", old,
				counted(use.Records, "memory", "memories"), counted(use.Turns, "message", "messages"), old, name)
		}
	}
	if err != nil {
		return "", err
	}
	tokens, err := p.tokensText(cmd, a, old, name)
	return text + tokens, err
}

// tokensText names the tokens that are for project from but not for into. They need to be replaced,
// because an alias or merge gives them no access. It is "" if there are none.
func (p *Program) tokensText(cmd *cobra.Command, a *app, from, into string) (string, error) {
	tokens, err := a.access.List(cmd.Context(), a.scope.Agent)
	var ids []string
	for _, t := range tokens {
		if t.Valid(p.Clock()) && slices.Contains(t.Projects, from) && !slices.Contains(t.Projects, into) {
			ids = append(ids, t.ID)
		}
	}
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("\nThese tokens are for %s and do not open %s: %s. To give access: mcp-memory token create --projects %s",
		from, into, strings.Join(ids, ", "), into), nil
}

func (p *Program) projectMergeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "merge FROM INTO", Short: "Move all that belongs to one project into another, with undo", Args: usageArgs(cobra.ExactArgs(2)),
		Long: "Moves memories with their history and the messages of conversations, in one transaction. INTO may be new: then the project\n" +
			"is renamed. What is saved under FROM afterwards is FROM's again, unless --alias is given. To-dos and events of the\n" +
			"calendar belong to no project. `mcp-memory undo UNDO_ID` takes a merge back, with its alias.",
	}
	dryRun := cmd.Flags().Bool("dry-run", false, "only say what would be moved")
	yes := cmd.Flags().Bool("yes", false, "do not ask")
	alias := cmd.Flags().Bool("alias", false, "let FROM stand for INTO from now on")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			merge := func(dry bool) (remember.Merged, error) {
				return a.remember.MergeProjects(cmd.Context(), a.scope.Agent, args[0], args[1],
					remember.MergeOptions{DryRun: dry, Alias: *alias})
			}
			merged, err := merge(true)
			if err == nil && !*dryRun && !*yes {
				err = p.agreed(cmd.Context(),
					visible(fmt.Sprintf("Move %s from %s into %s?", mergedText(merged), merged.From, merged.Into)))
			}
			if err == nil && !*dryRun {
				merged, err = merge(false)
			}
			if err != nil {
				return nil, "", err
			}
			tokens, err := p.tokensText(cmd, a, merged.From, merged.Into)
			return mergeShown(merged), mergeText(merged, *dryRun, *alias) + tokens, err
		})
	}
	return cmd
}

// mergeShown is a merge as JSON output.
func mergeShown(m remember.Merged) map[string]any {
	shown := map[string]any{"from": m.From, "into": m.Into, "records": len(m.Records), "turns": len(m.Turns), "sessions": len(m.Sessions),
		"todos": len(m.Todos)}
	if m.UndoID != "" {
		shown["undo_id"] = m.UndoID
	}
	return shown
}

func mergedText(m remember.Merged) string {
	text := fmt.Sprintf("%s and %s of %s", counted(len(m.Records), "memory", "memories"), counted(len(m.Turns), "message", "messages"),
		counted(len(m.Sessions), "conversation", "conversations"))
	if len(m.Todos) > 0 {
		text += " and " + counted(len(m.Todos), "to-do", "to-dos")
	}
	return text
}

func mergeText(m remember.Merged, dryRun, alias bool) string {
	if dryRun {
		return fmt.Sprintf("Would move %s from %s into %s; nothing was changed.", mergedText(m), m.From, m.Into)
	}
	text := fmt.Sprintf("Moved %s from %s into %s.\nTo take that back: mcp-memory undo %s", mergedText(m), m.From, m.Into, m.UndoID)
	if !alias {
		text += fmt.Sprintf("\nIf the old name is still in use: mcp-memory project alias %s %s", m.From, m.Into)
	}
	return text
}

// errLeft means that a person answered no. The command then ends without an error.
var errLeft = errors.New("nothing was changed")

// agreed asks a person at the terminal. It is [errLeft] for any answer but yes. Without a terminal
// it agrees. The question may have colours, so text of memories in it must have gone through
// [visible].
func (p *Program) agreed(ctx context.Context, question string) error {
	if !isTerminal(p.Stdin) {
		return nil
	}
	fmt.Fprint(p.Stderr, question+" [y/N] ")
	answer, err := bufio.NewReader(p.input(ctx)).ReadString('\n')
	if errors.Is(err, errInterrupted) {
		fmt.Fprintln(p.Stderr)
		return err
	}
	if err != nil && err != io.EOF {
		return fmt.Errorf("read the answer: %w", err)
	}
	if !slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))) {
		return errLeft
	}
	return nil
}
