package transfer

import (
	"context"
	"log/slog"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Store is the part of a database that this package needs.
type Store interface {
	memory.Writer
	memory.Reader
	memory.Catalog
	memory.PlanReader
	memory.WorkingReader
	memory.ActionLog
	// Changes is documented at [memory.Mirror.Changes].
	Changes(ctx context.Context, agent string) (memory.Changes, error)
}

// Deps are the dependencies of imports and exports. All fields but Met and Acted are required.
type Deps struct {
	Store    Store
	Embedder memory.Embedder
	Service  *remember.Service
	Clock    memory.Clock
	IDs      *memory.IDs
	Queued   func() // called when texts are to be embedded later; must not block
	Log      *slog.Logger
	// Met is called with the turns that a transaction stores, within it; see
	// [mcp-memory/cognition.Service.Met]. It may be nil.
	Met func(ctx context.Context, tx memory.Tx, scope memory.Scope, turns []memory.Turn) error
	// Acted stores what agents did in imported conversations. It may be nil.
	Acted func(ctx context.Context, scope memory.Scope, actions []memory.Action) (int, error)
}

// Format is the format of a file.
type Format string

// The formats of files. "" means that it is recognised by the first line.
const (
	Turns  Format = "turns"
	Facts  Format = "facts"
	Bundle Format = "bundle"
)

// Markdown is a folder of notes; see [ExportNotes] and [ImportNotes].
const Markdown Format = "markdown"

// Foreign is data of another program; see [ImportForeign].
const Foreign Format = "foreign"

// Formats lists the formats of files.
func Formats() []Format { return []Format{Turns, Facts, Bundle} }

// Options are the options of an import.
type Options struct {
	Format Format
	// Scope is the bank, and the project of turns and facts. Things in a bundle keep their project.
	Scope memory.Scope
	// SkipBad skips broken lines, and imports what there is of a truncated bundle.
	SkipBad bool
	// Revive imports memories that were forgotten or erased after they were said. Otherwise they
	// stay so.
	Revive bool
	// Own says that the file is a backup of this user, so that memories with the source "user" keep
	// it. An empty bank behaves as if it were set. Otherwise anybody may have written the file:
	// [memory.SourceUser] becomes [memory.SourceImport], and the provenance keeps the former source
	// of a bundle's record.
	Own bool
	// Progress is called after every batch with the number of lines done and of bytes of the file
	// read, compressed or not. It may be nil.
	Progress func(lines, bytes int64)
}

// Report counts what an import or export did. For an import, Created + Updated + Revived = Records
// + Turns + Todos + Events + Actions, and Read is that plus Duplicates + Forgotten + Skipped.
type Report struct {
	Format     Format    `json:"format"`
	Read       int       `json:"read"`                // all things read, including broken lines
	Created    int       `json:"created"`             // new things
	Updated    int       `json:"updated"`             // records that superseded an earlier one
	Revived    int       `json:"revived,omitempty"`   // forgotten records that hold again
	Forgotten  int       `json:"forgotten,omitempty"` // records and messages that were forgotten or erased, and stay so
	Duplicates int       `json:"duplicates"`          // were in the bank, and left as they were
	Records    int       `json:"records"`             // records stored, or written to the bundle
	Turns      int       `json:"turns"`               // turns stored, or written to the bundle
	Todos      int       `json:"todos"`               // to-dos stored or written
	Events     int       `json:"events"`              // calendar events stored or written
	Actions    int       `json:"actions,omitempty"`   // actions stored or written
	Skipped    int       `json:"skipped"`             // broken lines
	Bad        []BadLine `json:"bad,omitempty"`
	// Damaged lists what an export could not read, or found to differ from what was saved, and what
	// an import stored with that mark.
	Damaged []string `json:"damaged,omitempty"`
	// Superseded are the ids of the records that imported facts have superseded, in order. UndoID
	// undoes the import. For a folder of notes it undoes only what a person changed or added. A
	// bundle has none.
	Superseded []string `json:"superseded,omitempty"`
	UndoID     string   `json:"undo_id,omitempty"`

	// Only for a folder of notes: Written counts the files that an export wrote because they were
	// missing or out of date, Removed those it removed because their content is gone from the bank.
	// Kept are files that it left alone, with the reason.
	Written int      `json:"written,omitempty"`
	Removed int      `json:"removed,omitempty"`
	Kept    []string `json:"kept,omitempty"`

	events []NoteEvent // of a watched folder
}

// BadLine is a line that was skipped or that stopped the import. A report has the first 20.
type BadLine struct {
	File   string `json:"file,omitempty"` // only in a folder of notes or another program's data
	Line   int    `json:"line"`           // from 1; 0 if it is about the whole file
	Reason string `json:"reason"`
}

const reportedBadLines = 20

// add adds the counts of a batch.
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
