package memory

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// TurnClass says what an agent did in a turn.
type TurnClass string

// The classes of turns.
const (
	ClassStrategic     TurnClass = "strategic"     // changes itself or its direction
	ClassProductive    TurnClass = "productive"    // builds, writes, ships
	ClassCommunication TurnClass = "communication" // talks to others
	ClassMaintenance   TurnClass = "maintenance"   // checks, monitors, routine
	ClassError         TurnClass = "error"         // a tool call failed
	ClassIdle          TurnClass = "idle"          // did nothing
)

// TurnClasses lists every class.
func TurnClasses() []TurnClass {
	return []TurnClass{ClassStrategic, ClassProductive, ClassCommunication, ClassMaintenance, ClassError, ClassIdle}
}

// TurnDetails is what only turns of a managed context window have.
type TurnDetails struct {
	InputSource    string     // where the input came from, for example "chat" or "hook"
	Thinking       string     // what the model thought, up to MaxTurnBytes
	ToolCalls      []ToolCall // in order
	ToolCallID     string     // of a tool's message: the call that it answers
	Classification TurnClass
	Tokens         int // of everything that goes back to the model
}

// ToolCall is one call of a tool with its outcome.
type ToolCall struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Result    string          `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// validate reports the first thing that is wrong with the details of a turn:
// [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (d *TurnDetails) validate() error {
	if d == nil {
		return nil
	}
	for _, f := range [][2]string{{"input_source", d.InputSource}, {"tool_call_id", d.ToolCallID}} {
		if err := CheckLine(f[0], f[1], MaxNameBytes); err != nil {
			return err
		}
	}
	if d.Classification != "" && !slices.Contains(TurnClasses(), d.Classification) {
		return Errorf(CodeInvalidArgument, "classification %q does not exist", d.Classification).WithHint("one of %s", join(TurnClasses()))
	}
	if err := CheckText("thinking", d.Thinking, MaxTurnBytes); err != nil {
		return err
	}
	for _, c := range d.ToolCalls {
		if err := c.validate(); err != nil {
			return err
		}
	}
	return CheckText("tool_calls", d.Text(), MaxTurnBytes)
}

func (c ToolCall) validate() error {
	if strings.TrimSpace(c.Name) == "" {
		return Errorf(CodeInvalidArgument, "name of a tool call is missing").WithHint("name the tool that was called")
	}
	for _, f := range [][2]string{{"name of a tool call", c.Name}, {"id of a tool call", c.ID}} {
		if err := CheckText(f[0], f[1], MaxNameBytes); err != nil {
			return err
		}
	}
	if len(c.Arguments) > 0 && !json.Valid(c.Arguments) {
		return Errorf(CodeInvalidArgument, "arguments of the call of %s are not valid JSON", c.Name).
			WithHint("give the object that the tool was called with")
	}
	return nil
}

// Text returns the text of the tool calls that is searched: names, arguments, results and errors, a
// line each. It is empty for nil.
func (d *TurnDetails) Text() string {
	if d == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range d.ToolCalls {
		for _, part := range []string{c.Name, string(c.Arguments), c.Result, c.Error} {
			if part != "" {
				b.WriteString(part)
				b.WriteByte('\n')
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// Window is the state of one session's context window.
type Window struct {
	Agent   string
	Session string
	Project string
	Model   string // whose tokenizer counts
	// Total and Reserve are in tokens; see package contextwindow.
	Total, Reserve int
	// Flushed and Compacted are watermarks: turns with an Index below Flushed were searched for
	// facts, turns with one below Compacted are replaced by Summary. Compacted ≤ Flushed, except
	// where turns were trimmed without being searched.
	Flushed, Compacted int
	Summary            string
	SummaryTokens      int
	ReplacedTokens     int   // of the turns that Summary stands for
	Turns              int   // Index of the next turn, counted by the store
	Version            int64 // number of the window's state, counted up by the caller
	LastCompaction     time.Time
	UpdatedAt          time.Time
}

// SessionOf names a session of a bank.
type SessionOf struct{ Agent, Session string }

// ContextEvent is one entry of a session's event stream.
type ContextEvent struct {
	ID         string
	Agent      string
	Session    string
	Type       string
	Content    string
	GoalID     string
	TaskID     string
	ExternalID string // the caller's own name for it, unique in its session
	Tokens     int    // of Content
	At         time.Time
}

// Validate reports the first thing that is wrong with an event about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (e ContextEvent) Validate() error {
	for _, f := range [][2]string{{"session_id", e.Session}, {"type", e.Type}} {
		if strings.TrimSpace(f[1]) == "" {
			return Errorf(CodeInvalidArgument, "%s of an event is missing", f[0])
		}
	}
	for _, f := range [][2]string{
		{"session_id", e.Session}, {"type", e.Type}, {"goal_id", e.GoalID}, {"task_id", e.TaskID}, {"external_id", e.ExternalID},
	} {
		if err := CheckLine(f[0], f[1], MaxNameBytes); err != nil {
			return err
		}
	}
	return CheckText("content", e.Content, MaxContentBytes)
}

// Job is work that has to be finished even if the process dies in between: each step is recorded
// when it is done, and another process goes on from there. There is at most one job of a kind and
// subject in a bank.
type Job struct {
	ID        string
	Agent     string
	Kind      string // whose work it is, for example "compaction"
	Subject   string // what it is about, for example a session
	Step      string // the last one that was finished, empty at first
	Data      json.RawMessage
	Attempts  int
	NotBefore time.Time // when to try again
	CreatedAt time.Time
	UpdatedAt time.Time
	// Holder is the process that works on it until HeldUntil; another may take
	// over after that.
	Holder    string
	HeldUntil time.Time
}

// Working is what a [Tx] keeps of context windows and of jobs.
type Working interface {
	// Window returns a session's window as PutWindow stored it, or nil.
	Window(session string) (*Window, error)
	// PutWindow stores a window, new or not. Turns is not stored: a window has
	// those that the session has.
	PutWindow(w Window) error
	// InsertEvents stores events except those whose external id is in the
	// session already, and returns how many it stored.
	InsertEvents(events []ContextEvent) (int, error)
	// Job returns the job of a kind and subject, or nil.
	Job(kind, subject string) (*Job, error)
	// PutJob stores a job, new or not; it is identified by kind and subject. A
	// process claims it by reading it and putting it with Holder and HeldUntil
	// in one transaction.
	PutJob(j Job) error
	// DeleteJob forgets a job; one that is not there is no error.
	DeleteJob(kind, subject string) error
	// State returns a small value that belongs to the bank, or nil.
	State(key string) (json.RawMessage, error)
	// SetState keeps a small value; nil removes it.
	SetState(key string, value json.RawMessage) error
	// TurnPosition returns the index of a session's turn with that external
	// id, or -1.
	TurnPosition(session, externalID string) (int, error)
	// ArchiveTurns sets turns aside by id, or with a zero time brings them back,
	// and returns how many there are; unknown ids are ignored. Archived turns are
	// still found.
	ArchiveTurns(ids []string, at time.Time) (int, error)
}

// WorkingReader looks at context windows and jobs.
type WorkingReader interface {
	// Window returns a session's window, or nil.
	Window(ctx context.Context, agent, session string) (*Window, error)
	// LatestWindow returns the window of the session with the newest turn of the
	// projects, nil for all, among the newest thousand turns of the bank; nil if
	// none of these sessions has a window.
	LatestWindow(ctx context.Context, agent string, projects []string) (*Window, error)
	// IdleSessions returns up to limit sessions of all agents that have a window and turns that
	// were not searched for facts yet, and whose newest turn was stored between from and to; the
	// session with the latest such turn first.
	IdleSessions(ctx context.Context, from, to time.Time, limit int) ([]SessionOf, error)
	// Turns returns the turns of a session with from ≤ Index < to, in order;
	// to of 0 is all. Archived ones are there too.
	Turns(ctx context.Context, agent, session string, from, to int) ([]Turn, error)
	// Events returns up to limit events of a session, the newest by At, oldest
	// of them first.
	Events(ctx context.Context, agent, session string, limit int) ([]ContextEvent, error)
	// Jobs returns the jobs of a kind, of one agent or of all (empty), oldest first.
	Jobs(ctx context.Context, agent, kind string) ([]Job, error)
	// State is as [Working.State].
	State(ctx context.Context, agent, key string) (json.RawMessage, error)
	// UnarchivedTurns returns up to limit turns of the bank that are not set
	// aside, the oldest by SaidAt first, and how many there are in all.
	UnarchivedTurns(ctx context.Context, agent string, limit int) ([]Turn, int, error)
}
