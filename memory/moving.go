package memory

import (
	"context"
	"encoding/json"
)

// Mover is a store whose banks can be copied to another store, row by row. Only rows that cannot be
// derived from others are carried; indexes, statistics and vectors the receiving store makes anew.
// Errors are those of [Store].
type Mover interface {
	// Place returns a name of the database that is the same by whatever path or address it was
	// opened.
	Place(ctx context.Context) (string, error)
	// Carried lists the tables whose rows are carried, in the order in which they are received.
	Carried() []CarriedTable
	// Depart calls fn with a snapshot of all banks: what others write meanwhile does not show.
	// fn may write to another store, not to this one.
	Depart(ctx context.Context, fn func(Departure) error) error
	// Receive adds rows of a table to the bank of an agent and stores mark, by which a copy that
	// was interrupted goes on, in one transaction. It indexes the documents among the rows and
	// queues them for their vectors.
	Receive(ctx context.Context, agent, table string, rows []CarriedRow, mark json.RawMessage) error
	// Clear removes everything of an agent, its tokens included, and stores mark.
	Clear(ctx context.Context, agent string, mark json.RawMessage) error
	// Mark returns the mark that Receive or Clear stored last, nil for none.
	Mark(ctx context.Context, agent string) (json.RawMessage, error)
	// Changes returns the bank's change counter, see [Mirror].
	Changes(ctx context.Context, agent string) (Changes, error)
}

// StateMoved is the key (see [Working]) of the mark of a copy; it is not copied itself.
const StateMoved = "moved"

// StateScrub is the key (see [Working]) under which a store notes that its files are still to be
// scrubbed. It is about these files, and so not copied.
const StateScrub = "scrub"

// CarriedTable is a table whose rows are carried. All stores have the same ones.
type CarriedTable struct {
	Name    string
	Columns []string // without the agent
	Of      string   // table of the documents that its rows belong to, by their column id; "" for none
}

// Departure reads the banks of a store.
type Departure interface {
	// Agents lists the agents that have a bank, had one, or have a token, in order.
	Agents() ([]string, error)
	// EachRow calls fn for every row that an agent has in a table, always in the same order.
	EachRow(agent, table string, fn func(CarriedRow) error) error
}

// CarriedRow is one row. Its values are nil, int64, float64, string or []byte, the same ones
// whatever the store; numbers of documents count from the bank's first.
type CarriedRow struct {
	Values  []any  // one for each of CarriedTable.Columns
	ID      string // of the document that the row is or belongs to, if it has a column id
	Damaged string // why the row is not what was saved, "" if it is sound
}
