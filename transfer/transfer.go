package transfer

import (
	"context"
	"log/slog"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.Reader
	memory.Catalog
	memory.PlanReader
	memory.WorkingReader
	memory.ActionLog
	// Changes is that of [memory.Mirror].
	Changes(ctx context.Context, agent string) (memory.Changes, error)
}

// Deps are what imports and exports work with. All fields but Met and Acted are needed.
type Deps struct {
	Store    Store
	Embedder memory.Embedder
	Service  *remember.Service
	Clock    memory.Clock
	IDs      *memory.IDs
	Queued   func() // told that something waits for its vector; must not block
	Log      *slog.Logger
	// Met is told of the turns that a transaction stores, inside of it; see
	// [mcp-memory/cognition.Service.Met].
	Met func(ctx context.Context, tx memory.Tx, scope memory.Scope, turns []memory.Turn) error
	// Acted keeps what agents did in imported conversations; may be nil.
	Acted func(ctx context.Context, scope memory.Scope, actions []memory.Action) (int, error)
}

// Format says what the lines of a file are.
type Format string

// The formats. The empty one is recognised by the first line.
const (
	Turns  Format = "turns"
	Facts  Format = "facts"
	Bundle Format = "bundle"
)

// Markdown is a folder of notes instead of a file: see [ExportNotes] and [ImportNotes].
const Markdown Format = "markdown"

// Foreign is what another program keeps: see [ImportForeign].
const Foreign Format = "foreign"

// Formats lists the formats of files.
func Formats() []Format { return []Format{Turns, Facts, Bundle} }

// Options say how to import.
type Options struct {
	Format Format
	// Scope names the bank, and the project of turns and facts. What is in a
	// bundle keeps its project.
	Scope memory.Scope
	// SkipBad goes on after a broken line, and takes what there is of a
	// truncated bundle.
	SkipBad bool
	// Revive takes memories that were forgotten or erased since they were said,
	// which else stay so.
	Revive bool
	// Own says that the file is a backup of one's own: what it calls said by the user keeps
	// that source. Into a bank that has nothing yet it is so by itself; into one that has,
	// anybody may have written the file, and [memory.SourceUser] becomes
	// [memory.SourceImport], with what the file says in the provenance.
	Own bool
	// Progress is told after every batch how many lines are done and how many
	// bytes of the file (as it is, maybe compressed) they took. May be nil.
	Progress func(lines, bytes int64)
}

// Report counts what an import or export did. Of an import, Created + Updated +
// Revived = Records + Turns + Todos + Events + Actions, and Read is these and Duplicates +
// Forgotten + Skipped.
type Report struct {
	Format     Format    `json:"format"`
	Read       int       `json:"read"`                // records, messages, to-dos, events and broken lines
	Created    int       `json:"created"`             // what of these is new
	Updated    int       `json:"updated"`             // records that superseded an earlier one
	Revived    int       `json:"revived,omitempty"`   // records that were forgotten and hold again
	Forgotten  int       `json:"forgotten,omitempty"` // records that were forgotten or erased, and stay so
	Duplicates int       `json:"duplicates"`          // there already, left as they were
	Records    int       `json:"records"`             // records stored, or written to the bundle
	Turns      int       `json:"turns"`               // turns stored, or written to the bundle
	Todos      int       `json:"todos"`               // of a bundle: stored or written, as are the next
	Events     int       `json:"events"`              // of the calendar
	Actions    int       `json:"actions,omitempty"`   // what agents did
	Skipped    int       `json:"skipped"`             // broken lines
	Bad        []BadLine `json:"bad,omitempty"`
	// Damaged is what an export could not read, or not as it was saved, and what an import stored with
	// that mark.
	Damaged []string `json:"damaged,omitempty"`
	// Superseded are the ids of the records whose place imported facts have
	// taken, in that order. UndoID takes the import back; that of a folder of notes
	// not what it brings as it was exported, and a bundle has none.
	Superseded []string `json:"superseded,omitempty"`
	UndoID     string   `json:"undo_id,omitempty"`

	// Of a folder of notes: files that an export wrote because they were missing or
	// said something else, that it removed because what they were made of is gone,
	// and that it left alone, with the reason.
	Written int      `json:"written,omitempty"`
	Removed int      `json:"removed,omitempty"`
	Kept    []string `json:"kept,omitempty"`

	events []NoteEvent // of a folder that is watched
}

// BadLine is a line that could not be imported: one that was skipped, or the
// one that stopped the import. A report names the first 20.
type BadLine struct {
	File   string `json:"file,omitempty"` // in a folder of notes
	Line   int    `json:"line"`           // from 1; in a folder 0 for a file as such
	Reason string `json:"reason"`
}

const reportedBadLines = 20

// add counts what one batch did.
func (r *Report) add(batch Report) {
	r.Created += batch.Created
	r.Updated += batch.Updated
	r.Revived += batch.Revived
	r.Forgotten += batch.Forgotten
	r.Duplicates += batch.Duplicates
	r.Records += batch.Records
	r.Turns += batch.Turns
	r.Todos += batch.Todos
	r.Events += batch.Events
	r.Actions += batch.Actions
	r.Damaged = append(r.Damaged, batch.Damaged...)
	r.Superseded = append(r.Superseded, batch.Superseded...)
}
