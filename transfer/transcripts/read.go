package transcripts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// Format names the host whose form a transcript has.
type Format string

// The formats. The empty one is recognised by the lines.
const (
	ClaudeCode Format = "claude-code"
	Codex      Format = "codex"
	Gemini     Format = "gemini"
	Copilot    Format = "copilot"
	Cursor     Format = "cursor"
	Plain      Format = "plain"
)

// Formats lists the formats.
func Formats() []Format { return []Format{ClaudeCode, Codex, Gemini, Copilot, Cursor, Plain} }

// Turn is a message of a conversation. It has a session if the transcript or the
// options name one, an external id, and no id, agent, project or index.
type Turn struct {
	memory.Turn
	Dir string // where the session began to work, as the transcript has it; may be empty
}

// Options say how to read.
type Options struct {
	Format  Format // empty is recognised
	Session string // where the transcript names none
	Dir     string // likewise
	// SkipBad goes on after a line that cannot be read or that Check refuses, and
	// counts it.
	SkipBad bool
	Check   func(memory.Turn) error // may be nil
	// Own tells the tools of this program, whose calls are left out with their
	// results; may be nil.
	Own func(tool string) bool
	// Act is given what tools of the host did, each when its outcome is known; may be nil.
	// Nothing of a secret is in it. Its project is not known here.
	Act func(memory.Action)
	// MaxResult shortens what tools were given and brought, in bytes of a text,
	// and what was said to what a bank takes. 0 leaves all as it is.
	MaxResult int
}

// Report says what a transcript held.
type Report struct {
	Messages int    `json:"messages"`
	Other    int    `json:"other"`   // lines that are no messages: a host's own notes
	Skipped  int    `json:"skipped"` // lines that could not be read
	Format   Format `json:"format,omitempty"`
	// Torn tells that the last line is not there as a whole, as when a host is
	// writing it just now; it is not counted and will be read the next time.
	Torn bool `json:"torn,omitempty"`
	Mark Mark `json:"-"` // where a reading of the same file goes on
}

// Read reads a transcript, plain or compressed by gzip, and gives each turn to fn.
// A line that cannot be read, or whose turns Check refuses, ends the reading with
// its number, unless SkipBad is set: [memory.CodeInvalidArgument]. An error of fn
// comes back with the line's number.
func Read(r io.Reader, o Options, fn func(Turn) error) (Report, error) {
	return read(r, o, Mark{}, fn)
}

// reading is a transcript that is being read.
type reading struct {
	Options
	fn     func(Turn) error
	lines  *jsonl.Reader
	state  state
	report Report
	recent recent
}

// state is what a line needs to know of those before it.
type state struct {
	Format  Format `json:"format,omitempty"`
	Session string `json:"session,omitempty"`
	Dir     string `json:"dir,omitempty"`
	// Place counts turns and broken lines. A broken line has its place too: it may
	// be mended later.
	Place  uint32            `json:"place,omitempty"`
	Said   time.Time         `json:"said,omitzero"`    // the last time that was told
	Headed bool              `json:"headed,omitempty"` // the line that names the session was read
	Sub    bool              `json:"sub,omitempty"`    // the file is a sub-agent's
	Calls  map[string]called `json:"calls,omitempty"`  // without a result, by id
	Cwd    string            `json:"cwd,omitempty"`    // where it works now
	// Asked is what the user asked for last, Says what the model has said since, for actions.
	Asked string `json:"asked,omitempty"`
	Says  string `json:"says,omitempty"`
}

// called is a call of a tool that is still to be answered.
type called struct {
	Tool string          `json:"tool"`
	Own  bool            `json:"own,omitempty"`
	Acts []memory.Action `json:"acts,omitempty"` // that wait for their outcome
}

// maxCalls is how many calls may wait for their results.
const maxCalls = 256

func read(r io.Reader, o Options, from Mark, fn func(Turn) error) (Report, error) {
	lines, err := jsonl.NewReader(r)
	if err != nil {
		return Report{}, err
	}
	d := &reading{Options: o, fn: fn, lines: lines, state: from.State.clone(), recent: recent{}}
	if d.state.Format == "" {
		d.state.Format = o.Format
	}
	if d.state.Session == "" {
		d.state.Session = o.Session
	}
	if d.state.Dir == "" {
		d.state.Dir = o.Dir
	}
	d.report.Mark.Offset = from.Offset
	if from.Offset == 0 && isWhole(lines.Start(sniffed), d.state.Format) {
		err = d.readWhole(lines.Rest())
	} else {
		err = d.readLines(from.Offset)
	}
	d.report.Format, d.report.Mark.State = d.state.Format, d.state
	return d.report, err
}

// readLines reads what is left of a file of lines.
func (d *reading) readLines(start int64) error {
	for {
		line, err := d.lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil && err != jsonl.ErrLongLine && err != jsonl.ErrEncoding {
			return err
		}
		if err == nil {
			err = d.line(line)
		}
		if err != nil && d.lines.Torn() && !errors.As(err, new(failed)) {
			d.report.Torn = true
			return nil
		}
		if err != nil {
			if err = d.broken(err); err != nil {
				return err
			}
		}
		d.report.Mark.Offset = start + d.lines.Offset()
	}
}

// failed is an error of the caller's function.
type failed struct{ error }

// line reads one line: its turns are reported if all of them are good.
func (d *reading) line(line []byte) error {
	if d.state.Format == "" {
		d.state.Format = sniff(line)
	}
	read := readers[d.state.Format]
	if read == nil { // nothing that is decisive came yet, so it is no message
		var note map[string]json.RawMessage
		if err := jsonl.Decode(line, &note); err != nil {
			return err
		}
		d.report.Other++
		return nil
	}
	turns, err := read(d, line)
	if err != nil {
		return err
	}
	return d.take(turns)
}

// readers read a line of a format; no turns is a line that is no message.
var readers = map[Format]func(*reading, []byte) ([]memory.Turn, error){
	ClaudeCode: (*reading).claudeLine, Codex: (*reading).codexLine, Gemini: (*reading).geminiLine,
	Copilot: (*reading).copilotLine, Cursor: (*reading).cursorLine, Plain: (*reading).plainLine,
}

// take reports the turns of one line or message.
func (d *reading) take(turns []memory.Turn) error {
	if d.state.Sub {
		turns = nil
	}
	kept := turns[:0]
	for _, t := range turns {
		calls := slices.Clone(t.Details.ToolCalls) // as they are, before they are shortened
		t = d.cleaned(t)
		if d.Act != nil && !d.recent.has(t.ExternalID) {
			d.noteActions(t, calls)
		}
		if t.Content == "" && len(t.Details.ToolCalls) == 0 || d.recent.has(t.ExternalID) {
			continue
		}
		if d.Check != nil {
			if err := d.Check(t); err != nil {
				return err
			}
		}
		kept = append(kept, t)
	}
	if len(kept) == 0 {
		d.report.Other++
	}
	for _, t := range kept {
		if t.ExternalID == "" {
			t.ExternalID = ExternalID(t, d.state.Place)
		}
		if err := d.fn(Turn{t, d.state.Dir}); err != nil {
			return failed{d.badLine(err)}
		}
		d.recent.add(t.ExternalID)
		d.state.Place++
		d.report.Messages++
	}
	return nil
}

// broken counts a line that cannot be read, or is the error that ends the reading.
func (d *reading) broken(err error) error {
	var f failed
	if errors.As(err, &f) {
		return f.error
	}
	if !d.SkipBad {
		return d.badLine(err)
	}
	d.report.Skipped++
	d.state.Place++
	return nil
}

// badLine says in which line an error is.
func (d *reading) badLine(err error) error {
	known := memory.Errorf(memory.CodeInvalidArgument, "%v", err)
	errors.As(err, &known)
	named := *known
	if number := d.lines.Number(); number > 0 {
		named.Message = fmt.Sprintf("line %d: %s", number, known.Message)
	}
	return &named
}

// ExternalID is by which a message without a name of its own is known again: it
// is made of its place in the conversation and what was said.
func ExternalID(t memory.Turn, place uint32) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q %d %q", t.Session, place, t.Speaker, t.SaidAt.UnixMicro(), t.Content)
	return "import-" + hex.EncodeToString(h.Sum(nil)[:16])
}

// recent are the external ids of the last turns, since some hosts write a message
// again when it grew.
type recent map[string]struct{}

const maxRecent = 4096

func (r recent) has(id string) bool {
	_, ok := r[id]
	return ok && id != ""
}

func (r recent) add(id string) {
	if len(r) >= maxRecent {
		clear(r)
	}
	r[id] = struct{}{}
}
