package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/tools"
	"mcp-memory/transfer"
)

// contextCommands are the tools below the command context.
var contextCommands = []toolCommand{
	{use: "status SESSION", short: "Show how full a session's window is", tool: "context_status", argument: "session_id"},
	{use: "assemble SESSION", short: "Make a prompt that fits the window", tool: "context_assemble", argument: "session_id"},
	{use: "compact SESSION", short: "Save the facts of a session and compact it", tool: "context_compact", argument: "session_id"},
}

// contextCommand reads a transcript as a host would have reported it.
func (p *Program) contextCommand(fleet tools.Fleet) *cobra.Command {
	cmd := &cobra.Command{
		Use: contextName + " [FILE]", Short: "Report a conversation from a transcript; without FILE, or with -, from stdin",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		Long: `Reads a transcript and reports its messages to the session's context window: they are stored and counted, facts are saved
when the window is 60 % full, and at 70 % the history is compacted. Reading the same transcript again reports only what was added.

A transcript is JSONL, plain or gzip: either Claude Code's own, or lines of {role, content, ...} as chat APIs take them, with
their session_id or --session. With --json the result has the messages that replace the history.`,
	}
	flags := cmd.Flags()
	var r transcriptRun
	flags.StringVar(&r.session, "session", "", "the conversation's name; default: the one in the transcript")
	flags.IntVar(&r.total, "context-window", 0, "the model's window in tokens; default: as before, at first 200000")
	flags.IntVar(&r.reserve, "reserve-tokens", -1, "kept free for the answer; default: as before, at first 4096")
	flags.Lookup("reserve-tokens").DefValue = "0" // which help leaves out: -1 only says that nothing was given
	flags.StringVar(&r.model, "model", "", "whose tokenizer counts")
	flags.BoolVar(&r.skipBad, "skip-bad", false, "go on after a broken line and count it")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
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

// contextName is the command that reports transcripts.
const contextName = "context"

// transcriptRun is what the command line says about a transcript.
type transcriptRun struct {
	session, model string
	total, reserve int
	skipBad        bool
}

// transcriptReport is the command's result.
type transcriptReport struct {
	transfer.TranscriptReport
	Flushes     int             `json:"flushes"`
	Compactions int             `json:"compactions"`
	Sessions    []sessionReport `json:"sessions"`
}

// sessionReport is how a session stands at the end.
type sessionReport struct {
	tools.WindowOutput
	text string
}

// A report has up to so many messages and bytes of text: few, so that facts are
// saved and the history compacted about when it would have been while the
// conversation went on.
const (
	maxReported      = 20
	maxReportedBytes = 8 << 10
)

func (p *Program) reportTranscript(cmd *cobra.Command, name string, r transcriptRun) (err error) {
	in, size, err := p.openInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := p.open(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	bar := p.progressBar(size, "reporting")
	sink := &transcriptSink{cmd: cmd, bank: b, run: r, last: map[string]contextwindow.Result{}}
	report, err := transfer.ReadTranscript(&tracked{in, func(n int64) { bar.Set64(n) }, 0}, r.skipBad, sink.check, sink.add)
	if err == nil {
		err = sink.flush()
	}
	if err == nil {
		err = sink.finish()
	}
	bar.Exit()
	if err != nil {
		return failedError{err}
	}
	return p.printTranscript(cmd, sink.report(report))
}

func (p *Program) printTranscript(cmd *cobra.Command, r transcriptReport) error {
	result, err := json.Marshal(r)
	if err != nil {
		return err
	}
	lines := []string{fmt.Sprintf("Reported %d messages. Facts were saved %d times and the history compacted %d times.", r.Messages, r.Flushes+r.Compactions, r.Compactions)}
	if r.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("Lines that could not be read: %d.", r.Skipped))
	}
	for _, one := range r.Sessions {
		lines = append(lines, one.SessionID+": "+one.text)
	}
	return p.print(cmd, result, strings.Join(lines, "\n"))
}

// tracked tells how far a file was read.
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

// transcriptSink reports turns in bunches of one session.
type transcriptSink struct {
	cmd      *cobra.Command
	bank     *bank
	run      transcriptRun
	session  string
	messages []contextwindow.Message
	bytes    int
	sessions []string // in order of appearance
	last     map[string]contextwindow.Result
	flushes  int
	compacts int
}

// messageOf is a turn of a transcript as it is reported.
func messageOf(t memory.Turn) contextwindow.Message {
	return contextwindow.Message{
		Role: t.Role, Content: t.Content, Name: t.Speaker, TS: t.SaidAt, Thinking: t.Details.Thinking,
		ToolCalls: t.Details.ToolCalls, ToolCallID: t.Details.ToolCallID, ExternalID: t.ExternalID,
	}
}

// check refuses a message that cannot be reported, before others of its bunch
// are: one that is too large, for example.
func (*transcriptSink) check(t memory.Turn) error { return messageOf(t).Check() }

func (s *transcriptSink) add(t memory.Turn) error {
	session := cmp.Or(s.run.session, t.Session)
	if session == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "the transcript does not name its session").WithHint("name it with --session")
	}
	size := len(t.Content) + len(t.Details.Thinking)
	if session != s.session || len(s.messages) == maxReported || s.bytes+size > maxReportedBytes {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.session, s.bytes = session, s.bytes+size
	s.messages = append(s.messages, messageOf(t))
	return nil
}

// flush reports the bunch.
func (s *transcriptSink) flush() error {
	if len(s.messages) == 0 {
		return nil
	}
	r := contextwindow.AppendRequest{
		Scope: s.bank.scope, Session: s.session, Messages: s.messages, Total: s.run.total, Model: s.run.model, Source: "transcript",
	}
	if s.run.reserve >= 0 {
		r.Reserve = &s.run.reserve
	}
	result, err := s.bank.window.Append(s.cmd.Context(), r)
	if err != nil {
		return err
	}
	s.count(result.Action)
	before, known := s.last[s.session]
	if !known {
		s.sessions = append(s.sessions, s.session)
	}
	result.Appended += before.Appended
	result.Classifications = append(before.Classifications, result.Classifications...)
	result.FactsSaved = append(before.FactsSaved, result.FactsSaved...)
	result.Differing = append(before.Differing, result.Differing...)
	result.Fallback = cmp.Or(result.Fallback, before.Fallback)
	s.last[s.session] = result
	s.messages, s.bytes = nil, 0
	return nil
}

// count counts what is done; what was only started is told again when it is.
func (s *transcriptSink) count(done contextwindow.Action) {
	switch done {
	case contextwindow.ActionFlushed:
		s.flushes++
	case contextwindow.ActionCompacted:
		s.compacts++
	}
}

// patience is how long a command waits for a model at its end: when it has
// gone, nobody goes on with the work until the next process starts.
const patience = time.Minute

// finishWindows waits for what goes on behind, as long as there is patience.
func (b *bank) finishWindows(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := b.window.Wait(waiting); err != nil {
		return ctx.Err() // nil if it is only late
	}
	return nil
}

// finish looks how the sessions stand when all is done.
func (s *transcriptSink) finish() error {
	if err := s.bank.finishWindows(s.cmd.Context()); err != nil {
		return err
	}
	for _, session := range s.sessions {
		status, err := s.bank.window.Status(s.cmd.Context(), s.bank.scope, session)
		if err != nil {
			return err
		}
		last := s.last[session]
		if s.count(status.Action); status.Action != contextwindow.ActionNone {
			last.Action = status.Action
		}
		last.Utilization, last.Problem, last.Fallback = status.Utilization, status.Problem, cmp.Or(status.Fallback, last.Fallback)
		last.FactsSaved = append(last.FactsSaved, status.FactsSaved...)
		if !status.LastCompaction.IsZero() {
			last.Summary = status.Summary
			if last.Messages, err = s.bank.window.History(s.cmd.Context(), s.bank.scope, session); err != nil {
				return err
			}
		}
		s.last[session] = last
	}
	return nil
}

// report sums up.
func (s *transcriptSink) report(read transfer.TranscriptReport) transcriptReport {
	r := transcriptReport{TranscriptReport: read, Flushes: s.flushes, Compactions: s.compacts}
	for _, session := range s.sessions {
		last := s.last[session]
		r.Sessions = append(r.Sessions, sessionReport{tools.WindowOutputOf(last), tools.WindowText(last)})
	}
	return r
}
