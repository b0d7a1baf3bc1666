package memory

import (
	"context"
	"encoding/json"
)

// Mover is a store whose banks can be carried to another one, row by row, with all that
// nothing else could be made of. What is derived of it (indexes, statistics, vectors)
// the receiving store makes anew. Errors are those of [Store].
type Mover interface {
	// Place names the database: it is the same for all ways to it.
	Place(ctx context.Context) (string, error)
	// Carried lists what is carried, in the order in which it is received.
	Carried() []CarriedTable
	// Depart calls fn with all banks as they are at one moment. What others write
	// meanwhile does not show. fn may write to another store, not to this one.
	Depart(ctx context.Context, fn func(Departure) error) error
	// Receive adds rows of a table to the bank of an agent and keeps the mark, all or
	// nothing. Of a document that it receives it makes what is derived, and queues it
	// for its vector.
	Receive(ctx context.Context, agent, table string, rows []CarriedRow, mark json.RawMessage) error
	// Clear removes everything of an agent, its tokens included, and keeps the mark.
	Clear(ctx context.Context, agent string, mark json.RawMessage) error
	// Mark returns what Receive or Clear kept last, nil for nothing.
	Mark(ctx context.Context, agent string) (json.RawMessage, error)
	// Changes returns the bank's change counter, see [Mirror].
	Changes(ctx context.Context, agent string) (Changes, error)
}

// StateMoved is the key of what [Mover] keeps of a copy; it is not copied itself.
const StateMoved = "moved"

// StateScrub is the key of what a store keeps of files that are to be scrubbed; it is of
// these files, and not copied.
const StateScrub = "scrub"

// CarriedTable is a kind of rows. All stores have the same ones.
type CarriedTable struct {
	Name    string
	Columns []string // without the agent
	Of      string   // the table of the documents that its rows belong to, by id; "" for none
}

// Departure reads the banks of a store.
type Departure interface {
	// Agents lists who has a bank, or had one, or has a token, in order.
	Agents() ([]string, error)
	// EachRow calls fn for every row that an agent has in a table, always in the same order.
	EachRow(agent, table string, fn func(CarriedRow) error) error
}

// CarriedRow is one row. Its values are nil, int64, float64, string or []byte, the
// same ones whatever the store; numbers of documents count from the bank's first.
type CarriedRow struct {
	Values  []any
	ID      string // of the document that it is or belongs to, if it has a column for that
	Damaged string // why it is not what was saved, "" if it is
}
