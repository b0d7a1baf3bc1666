package foreign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Item is something that a program has stored. Key and one of Content, Turn, Talk, Skip and Bad are
// required, except that an item with Bad needs no key. Zero values of other fields mean "not
// known".
type Item struct {
	Key     string // the same at each reading; see [Key]
	Program string // set by [Read]
	Project string // name as the program has it
	Dir     string // absolute working directory; tells the project if Project is ""
	Content string
	Kind    memory.Kind // "" means fact
	memory.KindDetails

	Category   string
	Tags       []string
	Importance float64 // 0 to 1; 0 means not known
	Pinned     bool
	At         time.Time // when it happened or was written
	ValidFrom  time.Time
	ValidUntil time.Time
	// Follows is the key of an earlier item of the same project that this one replaces. Versions of
	// one item do not need it: they have the same key and are emitted oldest first.
	Follows string
	// Origin is what else is known of where it comes from, such as its session, under the program's
	// own field names.
	Origin map[string]any
	// Review marks items that nobody has checked and that come from a source with many errors.
	Review bool

	Turn *Message // set for a message; then the item is not a memory
	Talk *Talk    // set for a piece of a conversation
	Skip string   // why it is left out by default: a noun phrase in the plural, such as "earlier versions"
	Bad  *Problem // set if it cannot be read
}

// Message is a message of a conversation. Its text is Item.Content, its time Item.At.
type Message struct {
	Session string
	Role    memory.Role
	Speaker string
}

// Talk is a piece of a conversation, in order. Its turns have only roles, texts, times and external
// ids.
type Talk struct {
	Session string
	Turns   []memory.Turn
	Actions []memory.Action // what was done in it; Project is not set
	// Learn says that facts, failures and actions are to be extracted. Otherwise the piece is only
	// stored to be searched.
	Learn bool
}

// Problem says which part of the data cannot be read, and why.
type Problem struct {
	Place  string // "line 7", "row 12 of observations", a file
	Reason string
}

// Options say what to read.
type Options struct {
	Since        time.Time // leave out older items; a source may ignore it, as the importer checks it too
	All          bool      // also items that are skipped as useless by default
	Prompts      bool      // also what the user has typed
	Instructions bool      // also instructions and procedures, which tell agents what to do
	Now          time.Time // the current time, for what is recent
}

// Input is what a source reads.
type Input struct {
	Path string // a file or folder
	Options
	Open func(ctx context.Context, path string) (Database, error) // opens an SQLite file
}

// Database is another program's database, opened for reading.
type Database interface {
	// Columns returns the names of a table's columns, none if there is no such table.
	Columns(ctx context.Context, table string) ([]string, error)
	// Each calls fn for every row of a table, ordered by row number, with the values of the
	// columns: nil, int64, float64, string or []byte.
	Each(ctx context.Context, table string, columns []string, fn func(row int64, values []any) error) error
	// Close closes the file.
	Close() error
}

// Emit takes an item. If it returns an error, the reading ends with that error.
type Emit func(Item) error

// bad emits an item that cannot be read.
func (emit Emit) bad(place, reason string) error {
	return emit(Item{Bad: &Problem{place, reason}})
}

// Key returns the key of an item that has an id of the program's own. An id that is too long or not
// valid text is replaced by its hash.
func Key(program, id string) string {
	key := program + ":" + id
	if len(key) > memory.MaxNameBytes || strings.ContainsRune(key, 0) || strings.ToValidUTF8(key, "") != key {
		return program + ":sha256-" + digest(id)
	}
	return key
}

// hashKey returns the key of an item without an id, from the parts that distinguish it from others.
func hashKey(program string, parts ...string) string {
	return program + ":" + digest(strings.Join(parts, "\x00"))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
