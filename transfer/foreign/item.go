package foreign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Item is one thing that a program keeps. Key and one of Content, Turn, Talk, Skip and
// Bad are needed. Zero fields say nothing.
type Item struct {
	Key     string // the same each time that it is read; see [Key]
	Program string // set by [Read]
	Project string // as the program calls it
	Dir     string // absolute, of the work that it is about; says the project where there is no name
	Content string
	Kind    memory.Kind // empty is fact
	memory.KindDetails

	Category   string
	Tags       []string
	Importance float64 // 0 to 1; 0 is not said
	Pinned     bool
	At         time.Time // when it happened or was written down
	ValidFrom  time.Time
	ValidUntil time.Time
	// Follows is the key of an item of the same project, read before, that this one
	// takes the place of. Earlier versions of an item have its own key instead, and
	// come before it.
	Follows string
	// Origin is what else is known of where it comes from, such as its session; by
	// the names of the program.
	Origin map[string]any
	// Review says that nobody has looked at it, and that much of its kind is wrong.
	Review bool

	Turn *Message // a message of a conversation instead of a memory
	Talk *Talk    // or a piece of a conversation
	Skip string   // why it is left out by default: a filter's reason, in plural
	Bad  *Problem // why it cannot be read
}

// Message is a message of a conversation. Its text is the item's Content, its time
// the item's At.
type Message struct {
	Session string
	Role    memory.Role
	Speaker string
}

// Talk is a piece of a conversation, in order. Its turns have roles, texts, times
// and external ids.
type Talk struct {
	Session string
	Turns   []memory.Turn
	Actions []memory.Action // what was done in it, without a project
	// Learn says that facts are to be found in it, and what went wrong and was done. Without it
	// the piece is only kept, to be searched.
	Learn bool
}

// Problem is what is wrong with a part of the data.
type Problem struct {
	Place  string // "line 7", "row 12 of observations", a file
	Reason string
}

// Options say what to read.
type Options struct {
	Since        time.Time // nothing older is needed; those that read may leave it to others to look
	All          bool      // also what filters call junk
	Prompts      bool      // also what the user has typed
	Instructions bool      // also what tells agents what to do: instructions, procedures
	Now          time.Time // what is recent is told from
}

// Input is what a source reads.
type Input struct {
	Path string // a file or folder
	Options
	Open func(ctx context.Context, path string) (Database, error) // a file of SQLite
}

// Database is another program's database, opened for reading.
type Database interface {
	// Columns returns the names of a table's columns, none if there is no such table.
	Columns(ctx context.Context, table string) ([]string, error)
	// Each calls fn for every row of a table in order of their numbers, with its number
	// and what it has in the columns: nil, int64, float64, string or []byte.
	Each(ctx context.Context, table string, columns []string, fn func(row int64, values []any) error) error
	// Close ends the use of the file.
	Close() error
}

// Emit takes an item. An error ends the reading and is returned by it.
type Emit func(Item) error

// bad reports what cannot be read.
func (emit Emit) bad(place, reason string) error {
	return emit(Item{Bad: &Problem{place, reason}})
}

// Key is the key of an item by the program's own id for it.
func Key(program, id string) string {
	key := program + ":" + id
	if len(key) > memory.MaxNameBytes || strings.ContainsRune(key, 0) || strings.ToValidUTF8(key, "") != key {
		return program + ":sha256-" + digest(id)
	}
	return key
}

// hashKey is the key of an item that has no id, by what tells it from others.
func hashKey(program string, parts ...string) string {
	return program + ":" + digest(strings.Join(parts, "\x00"))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
