package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
	"mcp-memory/transfer/foreign"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/upkeep"
)

// foreignFlags are the flags of `import --from`.
type foreignFlags struct {
	from, since            string
	projects               []string
	dryRun, yes            bool
	all, prompts, instruct bool
}

func addForeignFlags(cmd *cobra.Command) *foreignFlags {
	f := &foreignFlags{}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "read what another program keeps: its name, or auto")
	flags.BoolVar(&f.dryRun, "dry-run", false, "with --from: only say what would be imported")
	flags.BoolVar(&f.yes, "yes", false, "with --from: do not ask")
	flags.StringVar(&f.since, "since", "", "with --from: nothing older than a date or a time such as 90d")
	flags.StringArrayVar(&f.projects, "project-map", nil, "with --from: OLD=NEW, the project that one of the program's is here; repeatable")
	flags.BoolVar(&f.all, "all", false, "with --from: also what is left out as unlikely to be of use")
	flags.BoolVar(&f.prompts, "with-prompts", false, "with --from: also what the user typed, as conversations")
	flags.BoolVar(&f.instruct, "include-instructions", false,
		"with --from: also instructions and procedures, which the host may load already")
	return f
}

// alone refuses flags that need --from, and a missing file.
func (f *foreignFlags) alone(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"dry-run", "yes", "since", "project-map", "all", "with-prompts", "include-instructions"} {
		if cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s goes with --from", name)}
		}
	}
	if len(args) == 0 {
		return usageError{errors.New("name a file or folder, or a program with --from")}
	}
	return nil
}

// foreignNames lists the supported programs for the help.
func foreignNames() string {
	var b strings.Builder
	for _, s := range foreign.Sources() {
		fmt.Fprintf(&b, "  %-19s %s\n", s.Name, s.About)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// foreignImport is one run of `import --from`.
type foreignImport struct {
	p       *Program
	a       *app
	flags   *foreignFlags
	targets []foreign.Target
	input   foreign.Input
	options transfer.ForeignOptions
	mapped  map[string]string
	dirs    map[string]string // projects by folder, from projectOfTalk
	named   string            // the path on the command line, "" for none
}

func (p *Program) importForeign(cmd *cobra.Command, flags *foreignFlags, args []string, revive bool) (err error) {
	for _, name := range []string{"format", "skip-bad"} {
		if cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s does not go with --from", name)}
		}
	}
	f := &foreignImport{p: p, flags: flags, mapped: map[string]string{}, dirs: map[string]string{}}
	f.input = foreign.Input{Open: openForeign, Options: foreign.Options{
		All: flags.all, Prompts: flags.prompts, Instructions: flags.instruct, Now: p.Clock(),
	}}
	if err := f.read(p.Clock()); err != nil {
		return usageError{err}
	}
	if len(args) > 0 {
		f.named = args[0]
	}
	if f.targets, err = p.foreignTargets(cmd.Context(), flags.from, args); err != nil {
		return err
	}
	p.loading = true
	open := p.open
	if flags.dryRun {
		open = p.openRehearsal
	}
	if f.a, err = open(cmd.Context()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.a.close()) }()
	scope, err := f.a.scopeOf(cmd.Context(), nil)
	if err != nil {
		return err
	}
	if p.settings.origins["project"] == "default" {
		scope.Project = "" // the working directory does not matter for what another program keeps
	}
	f.options = transfer.ForeignOptions{Scope: scope, Project: f.projectOf, Since: f.input.Since, Revive: revive, Learner: f.a.window}
	return f.run(cmd)
}

// openRehearsal is open for a dry run. If there is no memory yet, it uses an empty one in a
// temporary directory.
func (p *Program) openRehearsal(ctx context.Context) (*app, error) {
	temporary := ""
	a, err := p.openOver(ctx, func(dir string) (err error) {
		if p.onServer() || upkeep.CheckThere(dir) == nil {
			return makeDataDir(dir)
		}
		temporary, err = os.MkdirTemp("", "mcp-memory-dry-run-")
		p.settings.values["data_dir"] = temporary
		return err
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temporary))
	}
	a.temporary = temporary
	return a, nil
}

// read checks the flags.
func (f *foreignImport) read(now time.Time) (err error) {
	if len(foreign.Named(f.flags.from)) == 0 && f.flags.from != foreign.Auto {
		return fmt.Errorf("there is no program %q to import from: auto, %s", f.flags.from, strings.Join(foreign.Names(), ", "))
	}
	if f.input.Since, err = since(f.flags.since, now); err != nil {
		return err
	}
	for _, pair := range f.flags.projects {
		old, name, ok := strings.Cut(pair, "=")
		if !ok || old == "" {
			return fmt.Errorf("--project-map %q is not OLD=NEW", pair)
		}
		name, err := memory.NormalProject(name)
		if name == memory.AllProjects || err != nil {
			return fmt.Errorf("--project-map %q: %q is no name of a project", pair, name)
		}
		f.mapped[old] = name
	}
	return nil
}

// since parses a date, or a time ago such as 90d, 12w or 720h. "" is the zero time.
func since(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for unit, long := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < 40000 {
				return now.Add(-time.Duration(n) * long), nil
			}
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	if t, ok := jsonl.ParseTime(text); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("--since is %q: a date such as 2026-01-31, or a time such as 90d, 12w or 36h", text)
}

func openForeign(ctx context.Context, path string) (foreign.Database, error) {
	return db.OpenForeign(ctx, path)
}

// foreignTargets returns the places to read.
func (p *Program) foreignTargets(ctx context.Context, from string, args []string) ([]foreign.Target, error) {
	if len(args) == 0 {
		dir, err := os.Getwd()
		if err != nil {
			dir = ""
		}
		return foreign.Targets(from, foreign.Machine{Home: homeDir(p.Env), OS: runtime.GOOS, Work: dir, Env: p.Env})
	}
	path, err := filepath.Abs(args[0])
	if err != nil {
		return nil, cannotUse(args[0], err)
	}
	ours, err1 := os.Stat(filepath.Join(p.settings.get("data_dir"), databaseName))
	if theirs, err2 := os.Stat(path); err1 == nil && err2 == nil && os.SameFile(ours, theirs) {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "%s is this program's own database", args[0]).
			WithHint("`mcp-memory export` takes memories out of it")
	}
	sample, err := foreign.Look(ctx, path, openForeign)
	if err != nil {
		return nil, err
	}
	sources := foreign.Named(from)
	if len(sources) == 0 {
		source, err := foreign.Recognise(sample)
		if err != nil {
			return nil, err
		}
		sources = []foreign.Source{source}
	}
	return foreign.TargetsAt(sources, sample)
}

// foreignFile improves the error of a file that could not be imported: if it is another program's,
// the error says which.
func foreignFile(ctx context.Context, name string, err error) error {
	var known *memory.Error
	if memory.CodeOf(err) != memory.CodeInvalidArgument || !errors.As(err, &known) {
		return err
	}
	sample, failed := foreign.Look(ctx, name, openForeign)
	if failed != nil {
		return err
	}
	source, failed := foreign.Recognise(sample)
	if failed != nil {
		return err
	}
	return known.WithHint("it is of %s: mcp-memory import --from %s %s", source.Name, source.Name, name)
}

// projectOf returns the project of an item: by --project-map, else by its program, else by its
// folder.
func (f *foreignImport) projectOf(ctx context.Context, item foreign.Item) (string, error) {
	name := item.Project
	if name == "" && item.Dir != "" && item.Talk != nil {
		name = f.projectOfTalk(item.Dir)
	} else if name == "" && item.Dir != "" {
		found, err := findProjectInTime(item.Dir, homeDir(f.p.Env))
		if name = found.name; err != nil || name == "" {
			name = strings.ToLower(filepath.Base(item.Dir))
		}
		if filepath.Clean(item.Dir) == filepath.Clean(homeDir(f.p.Env)) {
			name = ""
		}
	}
	if mapped, ok := f.mapped[name]; ok {
		return mapped, nil
	}
	name, err := memory.NormalProject(name)
	if name == "" || name == memory.AllProjects || err != nil {
		return "", nil // the provenance still has the name
	}
	return f.a.remember.ResolveProject(ctx, f.options.Scope.Agent, name)
}

// projectOfTalk returns the project of the folder of a conversation, which is the one that a
// session there has now. For a folder that is gone it is the folder's name.
func (f *foreignImport) projectOfTalk(dir string) string {
	if name, ok := f.dirs[dir]; ok {
		return name
	}
	at, err := findProjectInTime(dir, homeDir(f.p.Env))
	name := at.name
	if _, gone := os.Stat(dir); (err != nil || name == "") && gone != nil {
		name = strings.ToLower(filepath.Base(dir))
	}
	f.dirs[dir] = name
	return name
}

// run shows what there is to import, asks, and imports it.
func (f *foreignImport) run(cmd *cobra.Command) error {
	items := int64(-1)
	if !f.flags.yes || f.flags.dryRun { // else nobody sees the plan
		plan, err := f.plan(cmd)
		if err != nil || f.flags.dryRun {
			return err
		}
		items = plan.Items
	}
	report, err := f.pass(cmd.Context(), false, items)
	if f.flags.yes {
		f.tellBad(report)
	}
	if err != nil {
		if report.UndoID != "" {
			fmt.Fprintf(f.p.Stderr, "Before the import failed: %s were kept.\nTo take that back: mcp-memory undo %s\n", storedText(report),
				report.UndoID)
		}
		return failedError{err}
	}
	return errors.Join(f.p.print(cmd, report, foreignText(report)), f.anything(report))
}

// anything is an error if the path that a person named has nothing to import, because then it is
// most likely the wrong path. An empty folder is no error.
func (f *foreignImport) anything(r transfer.ForeignReport) error {
	usable := slices.ContainsFunc(r.Projects,
		func(p transfer.ForeignProject) bool { return p.New+p.Changed+p.There+p.Forgotten+p.LeftOut > 0 })
	if f.named == "" || usable || r.Refused == 0 && isDir(f.named) {
		return nil
	}
	return failedError{memory.Errorf(memory.CodeInvalidArgument, "%s has nothing of %s that can be read", f.named,
		f.targets[0].Source.Name).
		WithHint("--from auto finds out whose a file is")}
}

// plan does a dry run, shows its result if needed, and asks whether to go on.
func (f *foreignImport) plan(cmd *cobra.Command) (transfer.ForeignReport, error) {
	began := time.Now()
	plan, err := f.pass(cmd.Context(), true, 0)
	if err != nil {
		return plan, failedError{err}
	}
	likely, err := f.alike(cmd.Context(), plan)
	if err != nil {
		return plan, err
	}
	if plan.Turns > 0 {
		likely += fmt.Sprintf("\nThis takes about %d s.", 1+int(writeFactor*time.Since(began).Seconds()))
	}
	f.tellBad(plan)
	if f.flags.dryRun {
		return plan, errors.Join(f.p.print(cmd, plan, f.heading()+foreignText(plan)+likely), f.anything(plan))
	}
	return plan, f.agree(cmd.Context(), plan, likely)
}

// writeFactor is about how many times longer the import of conversations takes than the dry run.
const writeFactor = 2

// tellBad lists what could not be read or saved, on stderr.
func (f *foreignImport) tellBad(r transfer.ForeignReport) {
	for _, bad := range r.Bad {
		fmt.Fprintf(f.p.Stderr, "%s: %s\n", visible(bad.File), visible(bad.Reason))
	}
}

// agree asks a person whether to import. If nobody can be asked, a program named by --from counts
// as consent, and --from auto needs --yes.
func (f *foreignImport) agree(ctx context.Context, plan transfer.ForeignReport, likely string) error {
	changes := slices.ContainsFunc(plan.Projects, func(p transfer.ForeignProject) bool { return p.New+p.Changed > 0 })
	if f.flags.yes || !changes && !f.options.Revive {
		return nil
	}
	if !isTerminal(f.p.Stdin) {
		if f.flags.from != foreign.Auto {
			return nil
		}
		fmt.Fprintln(f.p.Stderr, visible(f.heading()+foreignText(plan)+likely))
		return memory.Errorf(memory.CodeForbidden, "nothing was imported").WithHint("--yes imports all of it; --from NAME one of them")
	}
	fmt.Fprintln(f.p.Stderr, visible(f.heading()+foreignText(plan)+likely))
	return f.p.agreed(ctx, "Import this?")
}

// pass reads all targets, as a dry run or to import them.
func (f *foreignImport) pass(ctx context.Context, dry bool, items int64) (transfer.ForeignReport, error) {
	what := "importing"
	if dry {
		what, items = "looking", -1
	}
	bar := progressbar.NewOptions64(items, progressbar.OptionSetWriter(f.p.Stderr), progressbar.OptionSetVisibility(isTerminal(f.p.Stderr)),
		progressbar.OptionSetDescription(what), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	defer bar.Exit()
	o := f.options
	o.DryRun, o.Progress = dry, func(done int64) { bar.Set64(done) }
	o.Started = func(undoID string) { // the process may be killed before it ends
		fmt.Fprintf(f.p.Stderr, "Should this be interrupted, what was imported by then is taken back by: mcp-memory undo %s\n", undoID)
	}
	return transfer.ImportForeign(ctx, f.p.transferDeps(f.a), func(ctx context.Context, emit foreign.Emit) error {
		return foreign.Read(ctx, f.targets, f.input, emit)
	}, o)
}

// heading lists what is read.
func (f *foreignImport) heading() string {
	var b strings.Builder
	for _, t := range f.targets {
		fmt.Fprintf(&b, "%s: %s\n", t.Source.Name, t.Path)
	}
	return b.String()
}

// alike names projects that are likely the same, with the flag that joins them.
func (f *foreignImport) alike(ctx context.Context, plan transfer.ForeignReport) (string, error) {
	known, err := f.a.remember.Projects(ctx, f.options.Scope.Agent)
	if err != nil {
		return "", err
	}
	var names []string // existing projects first, because they keep their names
	for _, k := range known {
		names = append(names, k.Name)
	}
	text := ""
	for _, p := range plan.Projects {
		i := slices.IndexFunc(names, func(n string) bool { return n != p.Project && remember.Alike(n, p.Project) })
		if i >= 0 && p.New > 0 && !slices.Contains(names, p.Project) {
			text += fmt.Sprintf("\n%s and %s are likely one project: --project-map %q", p.Project, names[i], p.Project+"="+names[i])
		}
		if !slices.Contains(names, p.Project) {
			names = append(names, p.Project)
		}
	}
	return text, nil
}

func storedText(r transfer.ForeignReport) string {
	text := counted(r.Records, "memory", "memories")
	if r.Turns > 0 {
		text += " and " + counted(r.Turns, "message", "messages")
	}
	return text
}

// foreignText describes what an import did, or would do, for each project.
func foreignText(r transfer.ForeignReport) string {
	var b strings.Builder
	verb := "Imported"
	if r.DryRun {
		verb = "Would import"
	}
	fmt.Fprintf(&b, "%s %s.", verb, storedText(r))
	for _, p := range r.Projects {
		name := "project " + p.Project
		if p.Project == "" {
			name = "no project"
		}
		fmt.Fprintf(&b, "\n%s: %s", name, strings.Join(projectCounts(p), ", "))
		for _, example := range p.Examples {
			if r.DryRun {
				fmt.Fprintf(&b, "\n  - %s", example)
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(r.Why)) {
		fmt.Fprintf(&b, "\nleft out: %d %s", r.Why[why], why)
	}
	if r.Forgotten > 0 {
		fmt.Fprintf(&b, "\n%s (--revive brings back)",
			counted(r.Forgotten, "was forgotten here and stays so", "were forgotten here and stay so"))
	}
	if r.UndoID != "" {
		fmt.Fprintf(&b, "\nTo take all of it back: mcp-memory undo %s", r.UndoID)
	}
	return b.String()
}

func projectCounts(p transfer.ForeignProject) (parts []string) {
	for _, part := range []struct {
		n    int
		what string
	}{
		{p.New - p.Messages, "new"}, {p.Messages, "of conversations"}, {p.Changed, "changed"},
		{p.There, "already there"}, {p.Forgotten, "forgotten since"}, {p.LeftOut, "left out"}, {p.Refused, "refused"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if len(parts) == 0 {
		return []string{"nothing"}
	}
	return parts
}
