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

// Format is the format of a transcript, named after its host.
type Format string

// The formats. "" means that it is to be recognised.
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

// Turn is a message of a conversation. It has an external id, and a session if the transcript or
// the options name one. It has no id, agent, project and index.
type Turn struct {
	memory.Turn
	Dir string // folder in which the session began, "" if not known
}

// Options say how to read.
type Options struct {
	Format  Format // "" to recognise it
	Session string // used if the transcript names none
	Dir     string // folder of the session; "" for the first one that the transcript names
	// SkipBad counts lines that cannot be read or that Check refuses, and goes on.
	SkipBad bool
	Check   func(memory.Turn) error // may be nil
	// Own reports whether a tool belongs to this program. Calls of such tools are left out with
	// their results. It may be nil.
	Own func(tool string) bool
	// Act is called with what tools of the host did, each once its outcome is known, or at once if
	// the call has no id by which a result could be matched. Actions have no project, and secrets
	// are removed from them. It may be nil.
	Act func(memory.Action)
	// MaxResult is the most bytes that are kept of each text that a tool got or returned. If it is
	// set, messages are also shortened to memory.MaxTurnBytes. 0 leaves all texts as they are.
	MaxResult int
}

// Report says what a transcript contained.
type Report struct {
	Messages int    `json:"messages"`
	Other    int    `json:"other"`   // lines that are not messages
	Skipped  int    `json:"skipped"` // lines that could not be read
	Format   Format `json:"format,omitempty"`
	// Torn says that the last line is incomplete, as when a host is just writing it. It is not
	// counted, and the next Resume reads it.
	Torn bool `json:"torn,omitempty"`
	Mark Mark `json:"-"` // where Resume continues
}

// Read reads a transcript, plain or compressed by gzip, and calls fn for each turn. Unless SkipBad
// is set, a line that cannot be read, or whose turns Check refuses, ends the reading with
// [memory.CodeInvalidArgument] and the line's number. An error of fn is returned with the line's
// number.
func Read(r io.Reader, o Options, fn func(Turn) error) (Report, error) {
	return read(r, o, Mark{}, fn)
}

// reading is the state of reading one transcript.
type reading struct {
	Options
	fn     func(Turn) error
	lines  *jsonl.Reader
	state  state
	report Report
	recent recent
}

// state is what has to be known of earlier lines. A [Mark] stores it.
type state struct {
	Format  Format `json:"format,omitempty"`
	Session string `json:"session,omitempty"`
	Dir     string `json:"dir,omitempty"`
	// Place counts turns and broken lines. It is part of external ids, so broken lines count too,
	// as they may be corrected later.
	Place  uint32            `json:"place,omitempty"`
	Said   time.Time         `json:"said,omitzero"`    // time of the last message that had one
	Headed bool              `json:"headed,omitempty"` // the session's head was read
	Sub    bool              `json:"sub,omitempty"`    // the file is that of a sub-agent
	Calls  map[string]called `json:"calls,omitempty"`  // calls without a result, by id
	Cwd    string            `json:"cwd,omitempty"`    // current working directory
	// Asked is the last request of the user, and Says what the model has said since. Actions
	// contain both.
	Asked string `json:"asked,omitempty"`
	Says  string `json:"says,omitempty"`
}

// called is a tool call without a result.
type called struct {
	Tool string          `json:"tool"`
	Own  bool            `json:"own,omitempty"`
	Acts []memory.Action `json:"acts,omitempty"` // actions whose outcome is not known yet
}

// maxCalls is how many calls may wait for their results. If there are more, all are forgotten.
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

// readLines reads the remaining lines of a file.
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

// failed is an error of fn, which SkipBad does not skip.
type failed struct{ error }

// line reads one line. Its turns are reported only if all of them are valid.
func (d *reading) line(line []byte) error {
	if d.state.Format == "" {
		d.state.Format = sniff(line)
	}
	read := readers[d.state.Format]
	if read == nil { // no line so far was decisive, so this is not a message
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

// readers have the function that reads a line of each format. It returns no turns for a line that
// is not a message.
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
		calls := slices.Clone(t.Details.ToolCalls) // before cleaned shortens them
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

// broken counts a broken line, or returns the error that ends the reading.
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

// badLine adds the number of the line to an error.
func (d *reading) badLine(err error) error {
	known := memory.Errorf(memory.CodeInvalidArgument, "%v", err)
	errors.As(err, &known)
	named := *known
	if number := d.lines.Number(); number > 0 {
		named.Message = fmt.Sprintf("line %d: %s", number, known.Message)
	}
	return &named
}

// ExternalID returns the external id of a message that has none, made of session, place, speaker,
// time and content. place is its position in the transcript.
func ExternalID(t memory.Turn, place uint32) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q %d %q", t.Session, place, t.Speaker, t.SaidAt.UnixMicro(), t.Content)
	return "import-" + hex.EncodeToString(h.Sum(nil)[:16])
}

// recent are the external ids of the last turns. Some hosts write a message again when it has
// grown.
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
