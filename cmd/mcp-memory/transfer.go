package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

func (p *Program) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE|DIR|--from NAME [PATH]",
		Short: "Read memories or conversations from a file, a folder of notes, or another memory program; - is stdin",
		Args:  usageArgs(cobra.MaximumNArgs(1)),
		Long: `Reads a JSONL file, gzip or plain, into the bank of --agent. Importing the same file again changes nothing.

Formats, one JSON object a line:
  turns   conversations: {id?, session, speaker, role?, ts, text}
  facts   memories:      {id?, content, category?, kind?, ts?, importance?, tags?}
  bundle  what export wrote

A folder is read as Markdown notes: what export --format markdown wrote and a person may have edited, an Obsidian
vault, or any folder of .md files. A note that was exported keeps its id. Another text in it supersedes what it said
(--json lists what; one undo takes all of it back), other tags, category, importance, pinned or valid_until are taken
over. A note without front matter of ours gives one memory for the text below each heading, or one for each item where
there is only a list; its place is remembered, so that a changed section supersedes what it said. Hidden folders,
templates and attachments are passed over, symbolic links refused. All notes are checked before anything is written.

A broken line stops the import: its batch of up to 500 lines is not written, and what came before is kept.

With --from NAME [PATH] it reads what another program keeps, which is opened for reading and never changed. Without a
path it looks where that program has its data; --from auto looks for all of them, or finds out what a path is. First it
says what is new, project by project, with examples; on a terminal it asks. What was imported before is left alone,
what changed since is a new version, and one undo takes all of an import back. NAME is one of
` + foreignNames(),
	}
	format := cmd.Flags().String("format", "", "turns, facts, bundle or markdown (a folder); default: recognised by the first line")
	skip := cmd.Flags().Bool("skip-bad", false, "go on after a broken line or note and count it")
	revive := cmd.Flags().Bool("revive", false, "bring back what was forgotten or erased since; without it that stays so")
	own := cmd.Flags().Bool("own", false,
		"a backup of your own: what you said stays yours; into an empty bank it does anyway, else it becomes an import")
	from := addForeignFlags(cmd)
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("from") {
			return p.importForeign(cmd, from, args, *revive)
		}
		if err := from.alone(cmd, args); err != nil {
			return err
		}
		o := transfer.Options{Format: transfer.Format(*format), SkipBad: *skip, Revive: *revive, Own: *own}
		if isFolder(args[0], *format) {
			return p.importNotes(cmd, args[0], o)
		}
		if *format != "" && !slices.Contains(transfer.Formats(), o.Format) {
			return usageError{fmt.Errorf("there is no format %q: turns, facts, bundle or markdown", *format)}
		}
		return p.importFile(cmd, args[0], o)
	}
	return cmd
}

func (p *Program) importFile(cmd *cobra.Command, name string, o transfer.Options) error {
	var report transfer.Report
	return p.readFile(cmd, name, "importing", func(a *app, in io.Reader, progress func(bytes int64)) (err error) {
		if o.Scope, err = a.scopeOf(cmd.Context(), nil); err != nil {
			return err
		}
		o.Progress = func(_, bytes int64) { progress(bytes) }
		report, err = transfer.Import(cmd.Context(), p.transferDeps(a), in, o)
		if text := undoText(report); err != nil && text != "" {
			fmt.Fprintln(p.Stderr, "Before the import failed: "+visible(text))
		}
		if report.Created+report.Updated+report.Duplicates == 0 {
			err = foreignFile(cmd.Context(), name, err)
		}
		return err
	}, func() error { return p.printReport(cmd, report, "Imported") })
}

// loadingGC is GOGC during an import, in percent. It is less than for other commands (main.go),
// because an import may last.
const loadingGC = 300

// readFile opens a file and the app, calls read with a progress bar, and prints the result by show.
func (p *Program) readFile(cmd *cobra.Command, name, what string, read func(a *app, in io.Reader, progress func(bytes int64)) error,
	show func() error) (err error) {
	in, size, err := p.openInput(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer in.Close()
	p.loading = true
	if p.Env("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(loadingGC))
	}
	a, err := p.open(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	bar := p.progressBar(size, what)
	err = read(a, in, func(bytes int64) { bar.Set64(bytes) })
	bar.Exit()
	if err != nil {
		// Whatever is wrong is in the file, not in the command line.
		return failedError{err}
	}
	return show()
}

func (p *Program) openInput(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	if name == "-" {
		return io.NopCloser(p.input(ctx)), -1, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, cannotUse(name, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(cannotUse(name, err), f.Close())
	}
	if info.IsDir() {
		f.Close()
		return nil, 0, memory.Errorf(memory.CodeUnavailable, "%s is a directory", name).
			WithHint("name a JSONL file, or leave out --format for a folder of Markdown notes")
	}
	return f, info.Size(), nil
}

func cannotUse(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return memory.Errorf(memory.CodeUnavailable, "cannot open %s: %v", name, err).
		WithHint("check the path, and that you may read or write there")
}

func (p *Program) exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "export FILE|DIR", Short: "Write the whole bank to a JSONL file, or with --format markdown to a folder of notes; - is stdout",
		Args: usageArgs(cobra.ExactArgs(1)),
		Long: "Writes all memories, conversations, to-dos and calendar events in the bank of --agent, archived, corrected and\n" +
			"completed ones included, as a bundle that `import` reads back field by field. The file appears only when it\n" +
			"is complete. Not in it: what sessions have in their context windows right now (the messages themselves are),\n" +
			"removed events, neural links, aliases of projects, and what an undo of an earlier call needs.\n" +
			"What cannot be read, or is not what was saved, is named on stderr, and the exit status is 1; an import keeps that mark.\n\n" +
			"With --format markdown the same goes to a folder for Obsidian or Git: one note a memory, with YAML front matter and\n" +
			"links, and one JSONL file a conversation. Exporting into it again changes only what changed in the bank, and removes the\n" +
			"notes of what is gone; what a person edited meanwhile is left as it is and named on stderr, and other files are never touched.",
	}
	format := cmd.Flags().String("format", string(transfer.Bundle), "bundle (a JSONL file) or markdown (a folder of notes)")
	force := cmd.Flags().Bool("force", false, "replace a file that exists; of notes, those that were edited")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch transfer.Format(*format) {
		case transfer.Bundle:
			return p.exportFile(cmd, args[0], *force)
		case transfer.Markdown:
			return p.exportNotes(cmd, args[0], *force)
		}
		return usageError{fmt.Errorf("there is no format %q to export: bundle or markdown", *format)}
	}
	return cmd
}

func (p *Program) exportFile(cmd *cobra.Command, name string, force bool) (err error) {
	if _, err := os.Lstat(name); err == nil && !force {
		return memory.Errorf(memory.CodeConflict, "%s exists", name).WithHint("choose another name, or --force to replace it")
	}
	a, err := p.openExisting(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	bar := p.progressBar(-1, "exporting")
	progress := func(_, bytes int64) { bar.Set64(bytes) }
	if name == "-" {
		report, err := transfer.Export(cmd.Context(), p.transferDeps(a), a.scope.Agent, p.Stdout, progress)
		bar.Exit()
		p.nameDamaged(report)
		return errors.Join(err, damagedError(report))
	}
	out, err := os.CreateTemp(filepath.Dir(name), ".mcp-memory-export-*") // 0600
	if err != nil {
		return cannotUse(name, err)
	}
	report, err := transfer.Export(cmd.Context(), p.transferDeps(a), a.scope.Agent, out, progress)
	bar.Exit()
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return errors.Join(p.printReport(cmd, report, "Exported"), damagedError(report))
}

// damagedError is the error of an export that found damage. The export has all that can be read,
// but whoever relies on it has to know.
func damagedError(r transfer.Report) error {
	if len(r.Damaged) == 0 {
		return nil
	}
	return failedError{memory.Errorf(memory.CodeUnavailable, "%s of what was exported cannot be read or is not what was saved",
		counted(len(r.Damaged), "part", "parts")).
		WithHint("the rest is there; `mcp-memory doctor` says what to do")}
}

func (p *Program) nameDamaged(r transfer.Report) {
	for _, damaged := range r.Damaged {
		fmt.Fprintf(p.Stderr, "damaged: %s\n", visible(damaged))
	}
}

func (p *Program) transferDeps(a *app) transfer.Deps {
	return transfer.Deps{
		Store: a.store, Embedder: a.embedder, Service: a.remember, Clock: p.Clock, IDs: a.ids, Queued: a.worker.Wake, Log: p.log,
		Met: a.cognition.Met, Acted: a.actions.Note,
	}
}

// progressBar shows progress in bytes, on a terminal only.
func (p *Program) progressBar(size int64, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(p.Stderr), progressbar.OptionSetVisibility(isTerminal(p.Stderr)),
		progressbar.OptionSetDescription(what), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())
}

// countBar shows progress as a count, on a terminal only.
func (p *Program) countBar() *progressbar.ProgressBar {
	return progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(p.Stderr), progressbar.OptionSetVisibility(isTerminal(p.Stderr)),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
}

// countsText counts what was transferred.
func countsText(r transfer.Report) string {
	var stored []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{r.Records, "memory", "memories"}, {r.Turns, "message", "messages"},
		{r.Todos, "to-do", "to-dos"}, {r.Events, "event", "events"}, {r.Actions, "action", "actions"},
	} {
		if part.n > 0 {
			stored = append(stored, counted(part.n, part.one, part.many))
		}
	}
	switch last := len(stored) - 1; last {
	case -1:
		return "nothing new"
	case 0:
		return stored[0]
	default:
		return strings.Join(stored[:last], ", ") + " and " + stored[last]
	}
}

func (p *Program) printReport(cmd *cobra.Command, r transfer.Report, verb string) error {
	result := r
	text := fmt.Sprintf("%s %s.", verb, countsText(r))
	broken, corrected := "broken line", "corrected an earlier one"
	if r.Format == transfer.Markdown {
		broken, corrected = "broken note", "changed"
	}
	var rest []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{r.Updated, corrected, corrected},
		{r.Revived, "was brought back", "were brought back"},
		{r.Forgotten, "was forgotten and stays so (--revive brings it back)", "were forgotten and stay so (--revive brings them back)"},
		{r.Duplicates, "was there already", "were there already"},
		{r.Skipped, broken + " was skipped", broken + "s were skipped"},
	} {
		if part.n > 0 {
			rest = append(rest, counted(part.n, part.one, part.many))
		}
	}
	if len(rest) > 0 {
		text += " " + strings.Join(rest, ", ") + "."
	}
	if verb == "Exported" && r.Format == transfer.Markdown {
		text += " " + notesText(r)
	}
	if undo := undoText(r); undo != "" {
		text += "\n" + undo
	}
	for _, bad := range r.Bad {
		fmt.Fprintf(p.Stderr, "%s: %s\n", visible(placeOf(bad)), visible(bad.Reason))
	}
	p.nameDamaged(r)
	return p.print(cmd, result, text)
}

// shownSuperseded is how many ids a text names. --json has all.
const shownSuperseded = 5

// undoText says which memories imported facts have superseded, and how to undo an import. It is ""
// for an import that changed nothing.
func undoText(r transfer.Report) string {
	if r.UndoID == "" {
		return ""
	}
	back := "To take that back: mcp-memory undo " + r.UndoID
	n := len(r.Superseded)
	if n == 0 {
		return back
	}
	ids := strings.Join(r.Superseded[:min(shownSuperseded, n)], ", ")
	if more := n - shownSuperseded; more > 0 {
		ids += fmt.Sprintf(" and %d more (--json lists them)", more)
	}
	return fmt.Sprintf("%s as history: %s.\n%s",
		counted(n, "memory was superseded, and stays", "memories were superseded, and stay"), ids, back)
}

// counted returns a number with its noun, in singular or plural.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
