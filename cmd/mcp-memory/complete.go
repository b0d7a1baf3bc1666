package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/tools"
)

// offered is how many ids a completion offers at most.
const offered = 30

// completer returns the completions for a place of the command line, each with a tab and a
// description behind it.
type completer func(context.Context, *app) []cobra.Completion

// completing opens the bank for a completion. After any error it offers nothing, because a shell
// cannot show one.
func (p *Program) completing(find completer) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const done = cobra.ShellCompDirectiveNoFileComp
		if err := p.prepare(cmd); err != nil {
			return nil, done
		}
		a, err := p.openExisting(cmd.Context())
		if err != nil {
			return nil, done
		}
		defer a.close()
		return find(cmd.Context(), a), done | cobra.ShellCompDirectiveKeepOrder
	}
}

// completeIDs offers the newest memories, or those whose ids begin with what was typed.
func (p *Program) completeIDs(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.completing(func(ctx context.Context, a *app) (all []cobra.Completion) {
		var records []memory.Record
		if typed == "" {
			found, _, err := a.recall.List(ctx, recall.Listing{Scope: a.scope, Limit: offered})
			if err != nil {
				return nil
			}
			for _, d := range found {
				records = append(records, d.Record)
			}
		} else {
			ids, err := a.store.IDs(ctx, a.scope.Agent, memory.IDsOfRecords, strings.ToLower(typed), offered)
			if err != nil {
				return nil
			}
			if records, err = a.store.Records(ctx, a.scope.Agent, ids); err != nil {
				return nil
			}
		}
		for _, r := range records {
			all = append(all, cobra.CompletionWithDesc(r.ID, visible(memory.OneLine(r.Content, 60))))
		}
		return all
	})(cmd, args, typed)
}

// completePlans offers pending to-dos, events of the next 30 days, or the newest links.
func (p *Program) completePlans(of memory.IDsOf) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return p.completing(func(ctx context.Context, a *app) (all []cobra.Completion) {
			offer := func(id, text string) {
				one := cobra.CompletionWithDesc(id, visible(memory.OneLine(text, 60)))
				if strings.HasPrefix(id, strings.ToLower(typed)) && !slices.Contains(all, one) && len(all) < offered {
					all = append(all, one)
				}
			}
			switch of {
			case memory.IDsOfTodos:
				todos, _, _ := a.planning.Todos(ctx, a.scope.Agent, memory.TodoFilter{Status: memory.TodoPending}, memory.MaxBatch)
				for _, t := range todos {
					offer(t.ID, t.Title)
				}
			case memory.IDsOfEvents:
				now := p.Clock()
				events, _, _ := a.planning.Calendar(ctx, a.scope.Agent, now, now.AddDate(0, 0, 30), "")
				for _, e := range events {
					offer(e.ID, e.Title)
				}
			case idsOfLinks:
				links, _ := a.store.Links(ctx, a.scope.Agent, offered)
				for _, l := range links {
					offer(l.ID, l.To+" asks "+l.From)
				}
			}
			return all
		})(cmd, args, typed)
	}
}

// completeArgument offers the values of a tool's argument, if they can be listed.
func (p *Program) completeArgument(cmd *cobra.Command, a tools.Argument) {
	var find cobra.CompletionFunc
	switch {
	case len(a.Choices) > 0:
		find = cobra.FixedCompletions(a.Choices, cobra.ShellCompDirectiveNoFileComp)
	case a.Type == "boolean":
		return
	case a.Name == "category" || a.Name == "categories":
		find = p.completeCategories
	default:
		find = cobra.NoFileCompletions
	}
	_ = cmd.RegisterFlagCompletionFunc(flagOf(a.Name), find)
}

func (p *Program) completeCategories(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if err := p.prepare(cmd); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	categories, err := p.settings.categories()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []cobra.Completion
	for _, c := range categories {
		all = append(all, cobra.CompletionWithDesc(c.Name, c.Description))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeSettings offers agents and projects for the flags --agent and --project.
func (p *Program) completeSettings(root *cobra.Command) {
	_ = root.RegisterFlagCompletionFunc("agent", p.completing(func(ctx context.Context, a *app) []cobra.Completion {
		names, _ := a.store.Agents(ctx)
		return names
	}))
	_ = root.RegisterFlagCompletionFunc("project", p.completing(func(ctx context.Context, a *app) (all []cobra.Completion) {
		used, _ := a.store.Projects(ctx, a.scope.Agent)
		for _, u := range used {
			if u.Name != "" {
				all = append(all, cobra.CompletionWithDesc(u.Name, counted(u.Records, "memory", "memories")))
			}
		}
		return all
	}))
}
