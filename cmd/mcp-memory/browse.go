package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/browse"
	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/render"
)

func (p *Program) browseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "browse [QUERY]", Short: "Look through the memories on the whole screen, search as you type, edit, forget and undo",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: "Shows the newest memories, or with QUERY what it finds, and beside or below the list the chosen one with its history and\n" +
			"links. / searches with each letter, enter reads the memory whole, e edits its text in $VISUAL or $EDITOR, f forgets and u takes\n" +
			"the last change back, both after a question, space marks several, p pins, m moves out of a project or into it, o shows those\n" +
			"of other projects, ? shows all keys, q quits. It needs a terminal.",
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !isTerminal(p.Stdin) || !isTerminal(p.Stdout) || p.Env("TERM") == "dumb" {
			return failedError{memory.Errorf(memory.CodeInvalidArgument, "browse needs a terminal for its screen and its keys").
				WithHint("`mcp-memory list` and `mcp-memory recall` print what there is")}
		}
		return p.browse(cmd.Context(), strings.Join(args, " "))
	}
	return cmd
}

// browse runs the browser in the terminal until the person leaves. Log lines are written
// afterwards, because they would disturb the screen.
func (p *Program) browse(ctx context.Context, query string) (err error) {
	var logged bytes.Buffer
	if p.log, err = newLogger(&logged, p.settings.get("log.level"), p.settings.get("log.format")); err != nil {
		return err
	}
	defer func() { _, _ = p.Stderr.Write(logged.Bytes()) }()
	p.serving = true // many queries will come, as for a server
	a, err := p.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	scope, err := a.scopeOf(ctx, nil)
	if err != nil {
		return err
	}
	a.background(p.log, a.mirrorFiles)
	model := browse.New(ctx, p.browsed(a, scope), query, p.screen().Color)
	_, err = tea.NewProgram(model, tea.WithContext(ctx), tea.WithInput(p.Stdin), tea.WithOutput(p.Stdout), tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return nil // the program was told to end, by a signal
	}
	return err
}

// browsed adapts a bank to the browser.
func (p *Program) browsed(a *app, scope memory.Scope) browse.Bank {
	views, scopes := viewsOf(scope)
	at := scope.Project
	if at == memory.AllProjects { // all projects are none to move a memory into
		at = ""
	}
	return browse.Bank{
		Project: visible(at), Views: views,
		Find: func(ctx context.Context, view int, query string, offset int) (browse.Found, error) {
			found, err := p.found(ctx, a, scopes[view], query, offset)
			return found, shownError(err)
		},
		Move: func(ctx context.Context, ids []string, global bool) (string, error) {
			to := at
			if global {
				to = ""
			}
			moved, err := a.remember.Move(ctx, scope, ids, to)
			text, _, changed := strings.Cut(movedText(moved), "\n")
			if changed {
				text += " u takes it back."
			}
			return text, shownError(err)
		},
		Show: func(ctx context.Context, id string) (browse.Detail, error) {
			detail, err := p.wholeOf(ctx, a, scope, id)
			return detail, shownError(err)
		},
		Forget: func(ctx context.Context, ids []string) (string, error) {
			result, err := a.remember.Forget(ctx, scope, remember.ForgetRequest{IDs: ids, Reason: "forgotten in the browser"})
			return fmt.Sprintf("Forgot %s; u brings back what was forgotten last.", counted(result.Forgotten, "memory", "memories")),
				shownError(err)
		},
		Pin: func(ctx context.Context, id string, pinned bool) (string, error) {
			_, err := a.remember.UpdateBy(ctx, scope, remember.UpdateRequest{ID: id, Pinned: &pinned}, memory.SourceUser)
			if pinned {
				return "Pinned: it does not fade.", shownError(err)
			}
			return "No longer pinned.", shownError(err)
		},
		Edit: func(ctx context.Context, id, seen, text string) (string, string, error) {
			result, err := a.remember.UpdateIf(ctx, scope, remember.UpdateRequest{ID: id, Content: &text}, memory.SourceUser,
				func(r memory.Record) error {
					if r.Content != seen {
						return memory.Errorf(memory.CodeConflict, "it was changed while you edited it")
					}
					return nil
				})
			if result.Action == remember.Unchanged {
				return id, "It says that already.", shownError(err)
			}
			return result.ID, "Saved. The old text is history.", shownError(err)
		},
		Last: func(ctx context.Context) (browse.Change, error) {
			last, err := a.changes.Last(ctx, scope)
			if err != nil {
				return browse.Change{}, shownError(err)
			}
			return browse.Change{ID: last.ID, Text: visible(fmt.Sprintf("%s %s: %s", last.Action, p.age(last.At), whatChanged(last)))}, nil
		},
		Undo: func(ctx context.Context, id string) (string, error) {
			one, err := a.changes.Find(ctx, scope, id)
			if err != nil {
				return "", shownError(err)
			}
			done, err := a.changes.TakeBack(ctx, scope, one)
			return "Took back: " + undoneText(done), shownError(err)
		},
		Editor: p.editor,
	}
}

// viewsOf returns the names of the lists that the browser can show, and their scopes.
func viewsOf(scope memory.Scope) (names []string, scopes []memory.Scope) {
	only := func(name, project string) {
		other := scope
		other.Project, other.Closed = project, project != "" && project != memory.AllProjects
		names, scopes = append(names, name), append(scopes, other)
	}
	names, scopes = append(names, ""), append(scopes, scope)
	if scope.Project != "" && scope.Project != memory.AllProjects {
		only("project "+visible(scope.Project), scope.Project)
		only("global", "")
	}
	if scope.Project != memory.AllProjects {
		only("all projects", memory.AllProjects)
	}
	return names, scopes
}

// shownError returns an error whose text is safe to show on a terminal.
func shownError(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(visible(message(err)))
}

// browsePage is how many memories the browser reads at a time. foundMost is how many results a
// query has at most.
const (
	browsePage = 200
	foundMost  = 50
)

// found returns the results of a query, as an agent would get them but without those that have
// nothing to do with it, or the newest memories for an empty query. Browsing does not reinforce
// memories.
func (p *Program) found(ctx context.Context, a *app, scope memory.Scope, query string, offset int) (found browse.Found, err error) {
	var results []recall.Result
	if strings.TrimSpace(query) == "" {
		var newest []memory.Document
		newest, found.More, err = a.recall.List(ctx, recall.Listing{Scope: scope, Limit: browsePage, Offset: offset})
		for _, d := range newest {
			results = append(results, recall.Result{Document: d})
		}
	} else {
		var answer recall.Answer
		answer, err = a.recall.Recall(ctx,
			recall.Request{Query: query, Scope: scope, Limit: foundMost, MinScore: recall.Floor, Lenient: true, Looked: true,
				Explain: true})
		for i, r := range answer.Results {
			if r.Score >= recall.Floor || answer.Confidence != recall.None && i < 3 || touches(r, query) {
				results = append(results, r)
			}
		}
		found.Verdict, found.Unsure = render.Verdict(answer.Confidence, len(results)), !answer.Confidence.Sure()
	}
	for _, r := range results {
		l := p.words().Result(r)
		var notes []string
		for _, m := range l.Marks {
			notes = append(notes, strings.TrimSuffix(strings.TrimSuffix(m.Text, " by"), ", see"))
		}
		notes = append(notes, l.Kind, l.Age, strings.TrimPrefix(l.Project, "project "))
		found.Items = append(found.Items,
			browse.Item{ID: r.ID, Text: visible(memory.OneLine(r.Content, 300)), Notes: visible(joinedNotes(notes))})
	}
	return found, err
}

// touches reports whether a result contains a word of the query, or one that begins with the word
// still being typed.
func touches(r recall.Result, query string) bool {
	return r.Why != nil && (len(r.Why.MatchedTerms) > 0 || r.Why.Part("prefix_unknown") > 0) ||
		strings.Contains(strings.ToLower(r.Content), strings.ToLower(strings.TrimSpace(query)))
}

// joinedNotes joins the notes that are not empty.
func joinedNotes(notes []string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), " · ")
}

// wholeOf returns a memory with its history and its sources.
func (p *Program) wholeOf(ctx context.Context, a *app, scope memory.Scope, id string) (browse.Detail, error) {
	found, _, err := a.remember.Get(ctx, scope, []string{id})
	if err == nil && len(found) == 0 {
		err = missing([]string{id})
	}
	if err != nil {
		return browse.Detail{}, err
	}
	one := found[0]
	ids := []string{id}
	for _, r := range one.History {
		ids = append(ids, r.ID)
	}
	short, err := a.shortIDs(ctx, memory.IDsOfRecords, ids)
	if err != nil {
		return browse.Detail{}, err
	}
	d := browse.Detail{ID: id, Text: one.Content, Project: visible(one.Project), Pinned: one.Pinned, Live: one.Live()}
	if !remember.Editable(one.Kind) {
		d.Fixed = fmt.Sprintf("the text of a %s is made of its details; mcp-memory has commands for it", one.Kind)
	}
	d.Sections = []browse.Section{{Blocks: []screen.Block{p.recordBlock(one.Record, short, p.fieldsOf(one.Record)...)}}}
	if len(one.History) > 1 {
		history := browse.Section{Title: "History"}
		for _, r := range slices.Backward(one.History) {
			notes := []string{short[r.ID], "saved " + p.local(r.CreatedAt), p.age(r.CreatedAt), "by " + string(r.Source)}
			if r.ID == id {
				notes = append(notes, "this one")
			}
			history.Blocks = append(history.Blocks, screen.Block{Text: visible(r.Content), Notes: notes})
		}
		d.Sections = append(d.Sections, history)
	}
	links, err := a.linksOf(ctx, one.Record)
	if len(links) > 0 {
		d.Sections = append(d.Sections, browse.Section{Title: "Links", Blocks: links})
	}
	return d, err
}

// maxLinks is how many sources of a memory are shown for each field of its provenance.
const maxLinks = 20

// linksOf returns the sources of a memory, by the fields of its provenance.
func (a *app) linksOf(ctx context.Context, r memory.Record) (links []screen.Block, err error) {
	var fields map[string]any
	if json.Unmarshal(r.Provenance, &fields) != nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		values, several := fields[name].([]any)
		if !several {
			values = []any{fields[name]}
		}
		title := strings.ReplaceAll(visible(name), "_", " ")
		for _, value := range values[:min(len(values), maxLinks)] {
			text, ok := value.(string)
			if !ok {
				raw, err := json.Marshal(value)
				if err != nil {
					return nil, err
				}
				text = string(raw)
			}
			block := screen.Block{Text: visible(title + ": " + memory.OneLine(text, 300))}
			if len(text) == fullID {
				linked, err := a.recordsByID(ctx, []string{text})
				if err != nil {
					return nil, err
				}
				if other, there := linked[text]; there {
					block = screen.Block{Text: visible(memory.OneLine(other.Content, 300)), Notes: []string{title, text}}
				}
			}
			links = append(links, block)
		}
	}
	return links, nil
}

// editor returns the command of the person's editor: $VISUAL, $EDITOR, or the system's usual one.
func (p *Program) editor(path string) (*exec.Cmd, error) {
	words := strings.Fields(p.Env("VISUAL"))
	if len(words) == 0 {
		words = strings.Fields(p.Env("EDITOR"))
	}
	if len(words) == 0 {
		words = []string{"vi"}
		if runtime.GOOS == "windows" {
			words = []string{"notepad"}
		}
	}
	name, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("there is no editor %s: set EDITOR to one", visible(words[0]))
	}
	return exec.Command(name, append(words[1:], path)...), nil
}
