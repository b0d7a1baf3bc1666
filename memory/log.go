package memory

import (
	"context"
	"time"
)

// Logged is one change of a bank as its log has it, without what is needed to take
// it back; [Undo] has that.
type Logged struct {
	ID       string // of the [Undo]; ids ascend with time
	Action   string
	Records  []string // ids; for a change in several steps only those of the first step
	Count    int      // how many records the change is about, over all of its steps
	At       time.Time
	UndoneAt time.Time
}

// StepSign stands in the id of an [Undo] between the id of a change that was made in several
// transactions and the number of a later step. Such a step is not a change of its own.
const StepSign = "/"

// IDsOf says what kind of thing ids name.
type IDsOf string

// What can be looked up by the beginning of its id.
const (
	IDsOfRecords IDsOf = "records"
	IDsOfChanges IDsOf = "changes"
	IDsOfTodos   IDsOf = "todos"
	IDsOfEvents  IDsOf = "events" // of the calendar
)

// LogReader reads what has changed a bank, and finds things by parts of their ids.
type LogReader interface {
	// Log returns up to limit changes, the newest first: those with ids below
	// before, or with an empty one the last ones.
	Log(ctx context.Context, agent, before string, limit int) ([]Logged, error)
	// IDs returns up to limit ids that begin with prefix, in ascending order.
	IDs(ctx context.Context, agent string, of IDsOf, prefix string, limit int) ([]string, error)
	// IDsBeside returns for each of some ids its neighbours in sorted order, the next smaller
	// and the next larger one; in no order and perhaps with repeats. They tell how long a prefix
	// of an id has to be to be unique.
	IDsBeside(ctx context.Context, agent string, of IDsOf, ids []string) ([]string, error)
}
