package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/tools"
	"mcp-memory/transfer/transcripts"
)

// contextCommands are the commands below `context` that call tools.
var contextCommands = []toolCommand{
	{use: "status SESSION", short: "Show how full a session's window is", tool: "context_status", argument: "session_id"},
	{use: "assemble SESSION", short: "Make a prompt that fits the window", tool: "context_assemble", argument: "session_id"},
	{use: "compact SESSION", short: "Save the facts of a session and compact it", tool: "context_compact", argument: "session_id"},
}

// contextCommand reports a transcript, as a host would have reported it.
func (p *Program) contextCommand(fleet tools.Fleet) *cobra.Command {
	cmd := &cobra.Command{
		Use: contextName + " [FILE]", Short: "Report a conversation from a transcript; without FILE, or with -, from stdin",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: `Reads a transcript and reports its messages to the session's context window: they are stored and counted, facts are saved
when the window is 60 % full, and at 70 % the history is compacted. Reading the same transcript again reports only what was added.

A transcript is what a host wrote, plain or gzip: Claude Code's, Codex's, Gemini CLI's, Copilot CLI's, Cursor CLI's (with
--session), or lines of {role, content, ...} as chat APIs take them, with their session_id or --session. What hosts and this
program have put into messages is left out. With --json the result has the messages that replace the history.`,
	}
	flags := cmd.Flags()
	var r transcriptRun
	flags.StringVar(&r.session, "session", "", "the conversation's name; default: the one in the transcript")
	flags.IntVar(&r.total, "context-window", 0, "the model's window in tokens; default: as before, at first 200000")
	flags.IntVar(&r.reserve, "reserve-tokens", -1, "kept free for the answer; default: as before, at first 4096")
	flags.Lookup("reserve-tokens").DefValue = "0" // the help shows no default of 0; -1 means that the flag was not given
	flags.StringVar(&r.model, "model", "", "whose tokenizer counts")
	flags.StringVar(&r.format, "format", "", "claude-code, codex, gemini, copilot, cursor or plain; default: recognised by the lines")
	flags.BoolVar(&r.skipBad, "skip-bad", false, "go on after a broken line and count it")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f := transcripts.Format(r.format); f != "" && !slices.Contains(transcripts.Formats(), f) {
			return usageError{fmt.Errorf("there is no format %q: one of %v", r.format, transcripts.Formats())}
		}
		name := "-"
		if len(args) > 0 {
			name = args[0]
		}
		return p.reportTranscript(cmd, name, r)
	}
	for _, t := range contextCommands {
		cmd.AddCommand(p.toolCommand(fleet, t))
	}
	return cmd
}

// contextName is the name of the command that reports transcripts.
const contextName = "context"

// transcriptRun has the flags of the command.
type transcriptRun struct {
	session, model, format string
	total, reserve         int
	skipBad                bool
}

func (r transcriptRun) request(scope memory.Scope) contextwindow.ReplayRequest {
	request := contextwindow.ReplayRequest{Scope: scope, Session: r.session, Total: r.total, Model: r.model}
	if r.reserve >= 0 {
		request.Reserve = &r.reserve
	}
	return request
}

// transcriptReport is the result of the command.
type transcriptReport struct {
	transcripts.Report
	Flushes     int             `json:"flushes"`
	Compactions int             `json:"compactions"`
	Sessions    []sessionReport `json:"sessions"`
}

// sessionReport is the state of a session's window after the report.
type sessionReport struct {
	tools.WindowOutput
	text string
}

func newTranscriptReport(read transcripts.Report, replayed contextwindow.Replayed) transcriptReport {
	r := transcriptReport{Report: read, Flushes: replayed.Flushes, Compactions: replayed.Compactions}
	for _, session := range replayed.Sessions {
		r.Sessions = append(r.Sessions, sessionReport{tools.WindowOutputOf(session), tools.WindowText(session)})
	}
	return r
}

func (p *Program) reportTranscript(cmd *cobra.Command, name string, r transcriptRun) error {
	var report transcriptReport
	return p.readFile(cmd, name, "reporting", func(a *app, in io.Reader, progress func(bytes int64)) error {
		scope, err := a.scopeOf(cmd.Context(), nil)
		if err != nil {
			return err
		}
		replay := a.window.Replay(r.request(scope))
		add := func(t transcripts.Turn) error { return replay.Add(cmd.Context(), t.Turn) }
		var done []memory.Action
		read, err := transcripts.Read(&tracked{in, progress, 0}, transcripts.Options{
			Format: transcripts.Format(r.format), SkipBad: r.skipBad, Check: replay.Check, Own: transcripts.OwnTool,
			Act: func(a memory.Action) {
				a.Session = cmp.Or(r.session, a.Session)
				done = append(done, a)
			},
		}, add)
		if err != nil {
			return err
		}
		replayed, err := replay.Finish(cmd.Context(), patience)
		if err == nil {
			_, err = a.actions.Note(cmd.Context(), scope, done)
		}
		report = newTranscriptReport(read, replayed)
		return err
	}, func() error { return p.printTranscript(cmd, report) })
}

func (p *Program) printTranscript(cmd *cobra.Command, r transcriptReport) error {
	lines := []string{fmt.Sprintf("Reported %d messages. Facts were saved %d times and the history compacted %d times.", r.Messages,
		r.Flushes+r.Compactions, r.Compactions)}
	if r.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("Lines that could not be read: %d.", r.Skipped))
	}
	for _, one := range r.Sessions {
		lines = append(lines, one.SessionID+": "+one.text)
	}
	return p.print(cmd, r, strings.Join(lines, "\n"))
}

// tracked reports how many bytes of a file were read.
type tracked struct {
	io.Reader
	progress func(bytes int64)
	read     int64
}

// Read implements [io.Reader].
func (t *tracked) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	t.read += int64(n)
	t.progress(t.read)
	return n, err
}

// patience is how long a command waits for a model before it ends. Work left then waits for the
// next process.
const patience = time.Minute
