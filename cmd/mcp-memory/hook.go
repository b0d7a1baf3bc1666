package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcp-memory/hooks"
	"mcp-memory/memory"
)

// hookName is the name of the command that hosts call.
const hookName = "hook"

// hookRun has the flags of the command.
type hookRun struct {
	host, logFile               string
	patience                    time.Duration
	verbose, dryRun, background bool
}

func (p *Program) hookCommand() *cobra.Command {
	var r hookRun
	cmd := &cobra.Command{
		Use: hookName + " [EVENT]", Short: "Answer a hook of an agent host: its event as JSON on stdin, what it is to show on stdout",
		Long: "Hosts run this when a session starts, a prompt is sent, an answer is done: it shows what is remembered, and keeps what\n" +
			"was said. `mcp-memory install HOST` sets it up; docs/hooks.md says what it does for each event.\n\n" +
			"Whatever happens it prints nothing that is not for the host, and exits with 0. --verbose says on stderr what went\n" +
			"wrong; --dry-run says what would be shown or saved, and writes nothing.\n\n" +
			"Hosts: " + strings.Join(hooks.Hosts(), ", ") + ". EVENT is a host's name for it, where the JSON does not tell.",
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		Args:               cobra.ArbitraryArgs,
	}
	flags := cmd.Flags()
	flags.StringVar(&r.host, "host", "", "the host that calls; default: recognised by what it sends")
	flags.BoolVar(&r.verbose, "verbose", false, "say on stderr what is done and what went wrong")
	flags.StringVar(&r.logFile, "log-file", "", "append that to a file as well, also what is done in the background")
	flags.DurationVar(&r.patience, "patience", 0, "how long to look for what is to be shown; default: 300ms for a prompt, 10s for a start")
	flags.BoolVar(&r.dryRun, "dry-run", false, "print what would be shown or saved, and write nothing")
	flags.BoolVar(&r.background, "background", false, "")
	flags.Lookup("background").Hidden = true
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error { return nil } // run prepares: a mistake must not be reported to the host
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		event := ""
		if len(args) > 0 {
			event = args[0]
		}
		err := p.hook(cmd, r, event)
		if r.dryRun {
			return err
		}
		return nil
	}
	return cmd
}

// hooking reports whether the command line is that of a hook, and not of a dry run. Errors are then
// not reported to the host, because some hosts take an exit code for an order to stop.
func (p *Program) hooking() bool {
	for i := 0; i < len(p.Args); i++ {
		name, isFlag := strings.CutPrefix(p.Args[i], "--")
		switch {
		case !isFlag:
			return p.Args[i] == hookName && !slices.Contains(p.Args, "--dry-run")
		case slices.ContainsFunc(knownSettings, func(s setting) bool { return s.flag() == name }):
			i++ // skip the flag's value
		}
	}
	return false
}

const (
	// hookPayload is how many bytes of a payload are read. A longer one, such as the result of a
	// tool, would take longer than a host should wait, and is ignored.
	hookPayload = 4 << 20
	// hookDrain is how long the rest of a longer payload is read and dropped, so that the host can
	// write it.
	hookDrain = 500 * time.Millisecond
)

// errLongPayload says that a payload is over [hookPayload].
var errLongPayload = errors.New("the payload is too long")

// readPayload reads the JSON that a host sends. The host need not close stdin.
func readPayload(in io.Reader) (payload json.RawMessage, err error) {
	limited := &io.LimitedReader{R: in, N: hookPayload}
	if err = json.NewDecoder(limited).Decode(&payload); err == nil || errors.Is(err, io.EOF) {
		return payload, nil
	}
	if limited.N > 0 {
		return nil, fmt.Errorf("read what the host sends: %w", err)
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, in)
	}()
	select {
	case <-drained:
	case <-time.After(hookDrain):
	}
	return nil, errLongPayload
}

// hook answers one hook. Its error is only reported with --verbose and --dry-run.
func (p *Program) hook(cmd *cobra.Command, r hookRun, event string) error {
	if p.answering() {
		return errors.New("this host answers a memory: what is said in it is not remembered")
	}
	log, done := p.hookLog(r)
	defer done()
	start := time.Now()
	type result struct {
		out   []byte
		after func()
		err   error
	}
	answered := make(chan result, 1)
	patience := make(chan time.Duration, 1)
	go func() {
		var res result
		defer func() {
			if v := recover(); v != nil {
				res = result{err: fmt.Errorf("panic: %v", v)}
			}
			answered <- res
		}()
		res.out, res.after, res.err = p.answerHook(cmd, r, event, log, patience)
	}()
	limit := time.After(stdinPatience)
	for {
		select {
		case d := <-patience:
			limit = time.After(d - time.Since(start))
		case res := <-answered:
			if res.err != nil {
				log.Error("hook", "error", res.err)
			}
			if len(res.out) > 0 {
				if _, err := p.Stdout.Write(res.out); err != nil {
					return err
				}
			}
			log.Debug("hook", "bytes", len(res.out), "took", time.Since(start))
			if res.after != nil {
				finishWithin(res.after, limit)
			}
			return res.err
		case <-limit:
			log.Error("hook", "error", "no time is left", "took", time.Since(start))
			return errors.New("no time is left")
		}
	}
}

// stdinPatience is how long a hook waits for its host's payload.
const stdinPatience = 5 * time.Second

// afterwards is the least time for noting what was shown.
const afterwards = 200 * time.Millisecond

// finishWithin does the work after an answer, until limit, but for at least afterwards. Then it
// returns and leaves the work unfinished.
func finishWithin(work func(), limit <-chan time.Time) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // the host already has its answer
		work()
	}()
	least := time.After(afterwards)
	select {
	case <-done:
		return
	case <-limit:
	}
	select {
	case <-done:
	case <-least:
	}
}

// answerHook reads the payload and handles it. after notes what was shown, and runs after the
// answer.
func (p *Program) answerHook(cmd *cobra.Command, r hookRun, event string, log *slog.Logger, patience chan<- time.Duration) (out []byte,
	after func(), err error) {
	if isTerminal(p.Stdin) {
		return nil, nil, errors.New("a host sends JSON on stdin; docs/hooks.md says what")
	}
	payload, err := readPayload(p.Stdin)
	if errors.Is(err, errLongPayload) {
		log.Debug("hook", "nothing to do for", err)
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	var call hooks.Call
	ok := true
	if r.background {
		ok = json.Unmarshal(payload, &call) == nil
	} else {
		call, ok = hooks.Decode(payload, r.host, event)
	}
	if !ok || call.Nothing() {
		log.Debug("hook", "nothing to do for", call.Name)
		return nil, nil, nil
	}
	log.Debug("hook", "host", call.Host, "event", call.Name, "session", call.Session)
	p.patience = r.patience
	switch {
	case r.background && call.Event == hooks.PreCompact: // its host waits for it
		p.behind = atOnce
	case r.background:
		p.behind = unawaited
	}
	switch {
	case r.dryRun, r.background:
		patience <- hookBackground
	case call.Background():
		patience <- time.Minute
	case r.patience > 0:
		patience <- r.patience
	default:
		patience <- call.Patience()
	}
	if err := p.prepareHook(cmd, call, log); err != nil {
		return nil, nil, err
	}
	switch {
	case r.dryRun:
		return p.rehearse(cmd.Context(), call)
	case r.background:
		return nil, nil, p.captureHook(cmd.Context(), call)
	case call.Background():
		return nil, nil, p.inBackground(cmd, r, call)
	}
	return p.showHook(cmd, r, call)
}

// hookBackground is how long the work of a hook in the background may take.
const hookBackground = 5 * time.Minute

// prepareHook reads the settings, and finds the project of the host's directory.
func (p *Program) prepareHook(cmd *cobra.Command, call hooks.Call, log *slog.Logger) (err error) {
	if p.settings, err = loadSettings(cmd.Flags(), p.Env); err != nil {
		return err
	}
	p.log, p.calling = log, true
	if p.settings.origins["project"] != "default" {
		return nil
	}
	for _, dir := range []string{p.Env("CLAUDE_PROJECT_DIR"), p.Env("GEMINI_PROJECT_DIR"), call.Dir} {
		if dir == "" || !filepath.IsAbs(dir) || !isDir(dir) {
			continue
		}
		at, err := findProjectInTime(dir, homeDir(p.Env))
		if err != nil {
			return err
		}
		p.place, p.settings.values["project"], p.settings.origins["project"] = at, at.name, "directory of the host"
		return nil
	}
	return nil
}

// hookLog returns the log of a hook. Without --verbose, --dry-run or a log file it discards
// everything.
func (p *Program) hookLog(r hookRun) (log *slog.Logger, done func()) {
	var to []io.Writer
	done = func() {}
	if r.verbose || r.dryRun {
		to = append(to, p.Stderr)
	}
	if r.logFile != "" {
		if f, err := os.OpenFile(r.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			to, done = append(to, f), func() { _ = f.Close() }
		}
	}
	if len(to) == 0 {
		return slog.New(slog.DiscardHandler), done
	}
	level := slog.LevelDebug
	if r.dryRun && !r.verbose {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(io.MultiWriter(to...), &slog.HandlerOptions{Level: level})), done
}

// showHook answers a call that its host waits for. If there is no bank yet, there is nothing to
// show.
func (p *Program) showHook(cmd *cobra.Command, r hookRun, call hooks.Call) (out []byte, after func(), err error) {
	ctx := cmd.Context()
	a, err := p.openExisting(ctx)
	if memory.CodeOf(err) == memory.CodeNotFound && call.Event != hooks.ToolUse {
		return nil, func() { p.leave(cmd, r, call) }, nil
	}
	if err != nil {
		return nil, nil, err
	}
	service, scope, err := p.hookService(ctx, a, call)
	if err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	left := false
	if call.Event == hooks.SessionStart && !a.readOnly {
		if names, err := service.Left(ctx, scope, call); err == nil && len(names) > 0 { // the host should not wait for a model
			left = p.readsByModel() || p.catchUp(ctx, service, scope, call)
		}
	}
	answer, err := service.Show(ctx, scope, call)
	if err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	return hooks.Envelope(call, answer.Text), func() {
		if answer.Note != nil && !a.readOnly {
			if err := answer.Note(ctx); err != nil {
				p.log.Error("hook", "note", err)
			}
		}
		_ = a.close() // an error cannot be reported any more
		if left {
			p.leave(cmd, r, call)
		}
	}, nil
}

// leave hands the rest of a call to a background process.
func (p *Program) leave(cmd *cobra.Command, r hookRun, call hooks.Call) {
	if err := p.inBackground(cmd, r, call); err != nil {
		p.log.Error("hook", "background", err)
	}
}

// catchUpTime is how long the start of a session waits for work that an earlier session left.
const catchUpTime = 3 * time.Second

// catchUp finishes what earlier sessions left. It returns true if something is left.
func (p *Program) catchUp(ctx context.Context, service *hooks.Service, scope memory.Scope, call hooks.Call) bool {
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	if err := service.CatchUp(ctx, scope, call); err != nil {
		p.log.Error("hook", "catch up", err)
		return true
	}
	return false
}

// captureHook does the work of a call that nobody waits for.
func (p *Program) captureHook(ctx context.Context, call hooks.Call) error {
	a, err := p.open(ctx)
	if err != nil {
		return err
	}
	service, scope, err := p.hookService(ctx, a, call)
	switch {
	case err != nil:
	case call.Background():
		err = service.Capture(ctx, scope, call)
	default: // there was no bank before, or earlier sessions left something
		err = errors.Join(service.Open(ctx, scope, call), service.CatchUp(ctx, scope, call))
	}
	return errors.Join(err, a.window.WaitUpTo(ctx, hookBackground-grace), a.close())
}

// hookService makes the use case of hooks over an open app.
func (p *Program) hookService(ctx context.Context, a *app, call hooks.Call) (*hooks.Service, memory.Scope, error) {
	scope, err := a.ownScopeOf(ctx, nil)
	if err != nil {
		return nil, scope, err
	}
	if call.Event == hooks.SessionStart && !a.readOnly {
		a.mirror.Refresh(ctx, scope.Agent) // so that the page has the latest edits of the files
	}
	pages, err := p.pages(a)
	if err != nil {
		return nil, scope, err
	}
	warn, err := p.settings.bool("actions.warn")
	if err != nil {
		return nil, scope, err
	}
	return hooks.New(hooks.Options{
		Store: a.store, Recall: a.recall, Pages: pages.Service,
		Window: a.window, Cognition: a.cognition, Tokens: p.counter(), Clock: p.Clock,
		Log: p.log, Extract: a.builtin, Lock: p.lockSession, Actions: a.actions, Told: a.told.Page, ByModel: p.readsByModel(), Warn: warn,
	}), scope, nil
}

// forwarded returns the flags of settings that were given, for a process that this one starts. It
// leaves out --data-dir and --project, which inBackground adds.
func forwarded(flags *pflag.FlagSet) (args []string) {
	flags.Visit(func(f *pflag.Flag) {
		if slices.ContainsFunc(knownSettings, func(s setting) bool { return s.flag() == f.Name }) && f.Name != "data-dir" &&
			f.Name != "project" {
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	return args
}

// inBackground hands a call to a new process of this program, which survives the end of the host.
// It waits for it a little if the result is needed soon.
func (p *Program) inBackground(cmd *cobra.Command, r hookRun, call hooks.Call) error {
	payload, err := json.Marshal(call)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(p.settings.get("data_dir"))
	if err != nil {
		return err
	}
	if err := makeDataDir(dir); err != nil {
		return err
	}
	args := append([]string{hookName, "--background", "--data-dir=" + dir}, forwarded(cmd.Flags())...)
	if p.settings.origins["project"] != "default" {
		args = append(args, "--project="+p.settings.get("project"))
	}
	if r.logFile != "" {
		path, err := filepath.Abs(r.logFile)
		if err != nil {
			return err
		}
		args = append(args, "--log-file="+path)
	}
	ended, err := detach(args, dir, bytes.NewReader(payload))
	if err != nil || call.Event != hooks.PreCompact {
		return err
	}
	wait := compactPatience
	if p.readsByModel() {
		wait = modelPatience
	}
	select {
	case <-ended:
	case <-time.After(wait):
	}
	return nil
}

// compactPatience is how long a host waits before it compacts its context, so that the page that it
// gets right after has what it forgets. modelPatience is the same where a model reads the
// conversation.
const compactPatience, modelPatience = 5 * time.Second, 30 * time.Second

// rehearse returns what a call would show or save. It writes nothing.
func (p *Program) rehearse(ctx context.Context, call hooks.Call) (out []byte, after func(), err error) {
	a, err := p.openExisting(ctx)
	if err != nil {
		return nil, nil, err
	}
	service, scope, err := p.hookService(ctx, a, call)
	if err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	text, err := service.Rehearse(ctx, scope, call)
	if err = errors.Join(err, a.close()); err != nil {
		return nil, nil, err
	}
	return []byte(visible(text) + "\n"), nil, nil
}
