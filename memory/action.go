package memory

import (
	"context"
	"strings"
	"time"
)

// ActionKind says what an agent did.
type ActionKind string

// The kinds of actions.
const (
	ActionCommand ActionKind = "command"
	ActionTest    ActionKind = "test" // a command that runs tests
	ActionRead    ActionKind = "read"
	ActionWrite   ActionKind = "write" // a whole file
	ActionEdit    ActionKind = "edit"
)

// Runs reports whether it is a command.
func (k ActionKind) Runs() bool { return k == ActionCommand || k == ActionTest }

// Changes reports whether it changed a file.
func (k ActionKind) Changes() bool { return k == ActionWrite || k == ActionEdit }

// Outcome is how an action ended.
type Outcome int

// The outcomes.
const (
	OutcomeUnknown Outcome = iota
	OutcomeOK
	OutcomeFailed
)

// Action is something that an agent did by a tool of its host: a command that it ran, or a
// file that it read or changed. It is no memory: nothing of it is found by a recall.
type Action struct {
	ID      string // derived from the session and the host's id of the call, so that a call read twice is stored once
	Project string
	Session string
	At      time.Time
	Kind    ActionKind
	Text    string // the command as it was given, or the file's path
	Dir     string // where the command ran, or the session works
	Host    string
	About   string // what the host or the agent said that it was for
	Asked   string // the beginning of what the user had asked for
	Outcome Outcome
	Exit    int           // of a command that failed, 0 where it is not known
	Took    time.Duration // in milliseconds; 0 where it is not known
	Tail    string        // the part of a command's output that tells how it went
	Hunks   string        // for a changed file: hashes of the lines that were added, 8 hexadecimal digits each
}

// Bounds on the texts of an action, in bytes.
const (
	MaxActionText  = 2000
	MaxActionTail  = 1000
	MaxActionAbout = 200
	MaxActionHunks = 8 * 64
)

// Validate reports the first thing that is wrong with an action about to be stored:
// [CodeInvalidArgument] or [CodeTooLarge], naming the field.
func (a Action) Validate() error {
	for _, f := range []struct {
		name, text string
		most       int
	}{
		{"id", a.ID, MaxNameBytes}, {"project", a.Project, MaxNameBytes},
		{"session", a.Session, MaxNameBytes}, {"kind", string(a.Kind), MaxNameBytes},
		{"text", a.Text, MaxActionText}, {"dir", a.Dir, MaxActionText}, {"host", a.Host, MaxNameBytes}, {"about", a.About, MaxActionAbout},
		{"asked", a.Asked, MaxActionAbout}, {"tail", a.Tail, MaxActionTail}, {"hunks", a.Hunks, MaxActionHunks},
	} {
		if err := CheckText(f.name, f.text, f.most); err != nil {
			return err
		}
	}
	switch {
	case a.ID == "" || a.Session == "" || strings.TrimSpace(a.Text) == "" || a.At.IsZero():
		return Errorf(CodeInvalidArgument, "an action needs an id, a session, a time and a text")
	case !a.Kind.Runs() && !a.Kind.Changes() && a.Kind != ActionRead:
		return Errorf(CodeInvalidArgument, "kind %q is no kind of action", a.Kind)
	case a.Outcome < OutcomeUnknown || a.Outcome > OutcomeFailed:
		return Errorf(CodeInvalidArgument, "outcome %d is none", a.Outcome)
	}
	return nil
}

// Bytes returns about how many bytes an action takes in a database, index entries included.
func (a Action) Bytes() int {
	const rest = 150 // numbers, and entries of indexes
	return rest + len(a.ID) + len(a.Project) + 2*len(a.Session) + len(a.Text) + len(a.Dir) + len(a.Host) + len(a.About) + len(a.Asked) +
		len(a.Tail) + len(a.Hunks)
}

// ActionFilter narrows what is read of actions. Conditions are joined by AND; an
// empty one allows everything.
type ActionFilter struct {
	Projects []string // nil is all of them
	Session  string
	Text     string // exactly that
	Limit    int    // 0 is all
}

// ActionLog keeps what agents did. Writing to it does not count as a change of a bank (see
// [Changes]), so that no index of the bank has to be updated.
type ActionLog interface {
	// NoteActions stores those actions of an agent whose ids are new, and returns how many
	// these were; for an agent without a bank it does nothing.
	NoteActions(ctx context.Context, agent string, actions []Action) (fresh int, err error)
	// Actions returns the actions of an agent that a filter allows, newest first.
	Actions(ctx context.Context, agent string, f ActionFilter) ([]Action, error)
	// PruneActions removes the oldest actions of a project until the others take at most bytes
	// (see [Action.Bytes]), and returns how many it removed.
	PruneActions(ctx context.Context, agent, project string, bytes int64) (int, error)
}
