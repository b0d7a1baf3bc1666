package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// listedShown is a memory in the result of list, history and project sort with --json.
type listedShown struct {
	ID           string        `json:"id"`
	Kind         memory.Kind   `json:"kind"`
	Content      string        `json:"content"`
	Category     string        `json:"category"`
	Project      string        `json:"project"`
	Tags         []string      `json:"tags"`
	Importance   float64       `json:"importance"`
	Pinned       bool          `json:"pinned"`
	Source       memory.Source `json:"source"`
	CreatedAt    time.Time     `json:"created_at"`
	OccurredAt   time.Time     `json:"occurred_at,omitzero"`
	ValidFrom    time.Time     `json:"valid_from,omitzero"`
	ValidUntil   time.Time     `json:"valid_until,omitzero"`
	SupersededBy string        `json:"superseded_by,omitempty"`
	ArchivedAt   time.Time     `json:"archived_at,omitzero"`
	Damaged      bool          `json:"damaged,omitempty"` // its content does not match its checksum
}

func listedOf(r memory.Record) listedShown {
	tags := r.Tags
	if tags == nil {
		tags = []string{}
	}
	return listedShown{r.ID, r.Kind, r.Content, r.Category, r.Project, tags, r.Importance, r.Pinned, r.Source, r.CreatedAt,
		r.OccurredAt, r.ValidFrom, r.ValidUntil, r.SupersededBy, r.ArchivedAt, r.Damaged}
}

// listFlags are the flags of `list`.
type listFlags struct {
	kinds, categories, tags []string
	since, until            string
	superseded, archived    bool
	global                  bool
	limit, page             int
}

func (p *Program) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "Show what is in the bank, the newest first", Args: usageArgs(cobra.NoArgs),
		Long: "Shows the memories of the bank, what was saved last first, a page at a time. --project NAME chooses another project, and\n" +
			"--project '*' all of them. Times may be said by words: --since \"last tuesday\".",
	}
	var f listFlags
	flags := cmd.Flags()
	flags.StringSliceVar(&f.kinds, "kind", nil, "only these kinds: "+strings.Join(kindNames(), ", "))
	flags.StringSliceVar(&f.categories, "category", nil, "only these categories")
	flags.StringSliceVar(&f.tags, "tag", nil, "only what has all of these tags")
	flags.StringVar(&f.since, "since", "", "only what happened at or after this `time`")
	flags.StringVar(&f.until, "until", "", "only what happened before this `time`")
	flags.BoolVar(&f.superseded, "superseded", false, "also what was corrected since, or has ended")
	flags.BoolVar(&f.archived, "archived", false, "also what was forgotten or archived")
	flags.BoolVar(&f.global, "global", false, "only what is of no project, in a project too")
	flags.IntVarP(&f.limit, "limit", "n", 20, "how many, up to 500")
	flags.IntVar(&f.page, "page", 1, "which page of so many, from 1")
	addJSONFlag(cmd)
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kindNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("category", p.completeCategories)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if f.page < 1 {
			return usageError{fmt.Errorf("--page is %d: a whole number from 1", f.page)}
		}
		filter, err := p.listFilter(f)
		if err != nil {
			return err
		}
		return p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			if f.global {
				scope.Project = ""
			}
			found, more, err := a.recall.List(ctx,
				recall.Listing{Scope: scope, Filter: filter, Limit: f.limit, Offset: f.limit * (f.page - 1)})
			if err != nil {
				return nil, "", err
			}
			shown := make([]listedShown, len(found))
			records := make([]memory.Record, len(found))
			for i, d := range found {
				shown[i], records[i] = listedOf(d.Record), d.Record
			}
			text, err := p.listText(ctx, a, records)
			if more {
				text += fmt.Sprintf("\n\nMore: --page %d", f.page+1)
			}
			return map[string]any{"items": shown, "more": more}, text, err
		})
	}
	return cmd
}

func kindNames() []string {
	var names []string
	for _, k := range memory.Kinds() {
		names = append(names, string(k))
	}
	return names
}

func (p *Program) listFilter(f listFlags) (memory.Filter, error) {
	filter := memory.Filter{Tags: f.tags, IncludeSuperseded: f.superseded, IncludeArchived: f.archived}
	for _, k := range f.kinds {
		if !slices.Contains(memory.Kinds(), memory.Kind(k)) {
			return filter, memory.Errorf(memory.CodeInvalidArgument, "kind is %q", visible(k)).
				WithHint("one of %s", strings.Join(kindNames(), ", "))
		}
		filter.Kinds = append(filter.Kinds, memory.Kind(k))
	}
	for _, c := range f.categories {
		name, err := memory.NormalCategory(c)
		if err != nil {
			return filter, err
		}
		filter.Categories = append(filter.Categories, name)
	}
	for _, t := range []struct {
		name, typed string
		to          *time.Time
	}{{"since", f.since, &filter.Since}, {"until", f.until, &filter.Until}} {
		if t.typed == "" {
			continue
		}
		at, err := p.moment(t.name, t.typed)
		if err != nil {
			return filter, err
		}
		*t.to = at
	}
	return filter, nil
}

// listText renders a list of memories for people.
func (p *Program) listText(ctx context.Context, a *app, records []memory.Record) (string, error) {
	if len(records) == 0 {
		return "Nothing was found.", nil
	}
	short, err := a.shortIDsOf(ctx, records)
	if err != nil {
		return "", err
	}
	blocks := make([]screen.Block, len(records))
	for i, r := range records {
		blocks[i] = p.recordBlock(r, short)
	}
	return p.screen().Show(blocks), nil
}

func (p *Program) historyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "history ID", Short: "Show the versions of a memory, the newest first", Args: usageArgs(cobra.ExactArgs(1)),
		Long: "Shows what a memory says and said: all that it took the place of, and what took its own. The beginning of an id is enough.",
	}
	addJSONFlag(cmd)
	cmd.ValidArgsFunction = p.completeIDs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.aboutBank(cmd, func(ctx context.Context, a *app, scope memory.Scope) (any, string, error) {
			id, err := a.wholeID(ctx, memory.IDsOfRecords, args[0])
			if err != nil {
				return nil, "", err
			}
			versions, err := a.store.History(ctx, scope.Agent, id)
			if err == nil && len(versions) == 0 {
				versions, err = a.store.Records(ctx, scope.Agent, []string{id})
			}
			if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
				return nil, "", err
			}
			if len(versions) == 0 {
				return nil, "", missing(args)
			}
			slices.Reverse(versions)
			shown := make([]listedShown, len(versions))
			for i, r := range versions {
				shown[i] = listedOf(r)
			}
			text, err := p.listText(ctx, a, versions)
			return map[string]any{"items": shown}, text, err
		})
	}
	return cmd
}
