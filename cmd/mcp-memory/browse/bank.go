// Package browse is a full-screen browser of a bank: a list of memories with search as you type,
// and the chosen memory with its history beside or below it. [Model] is a state machine: it
// receives keys, sizes and answers, and draws the screen. It uses a bank only through the functions
// of [Bank], and no terminal.
package browse

import (
	"context"
	"os/exec"

	"mcp-memory/cmd/mcp-memory/screen"
)

// Bank is the bank that the browser shows and changes. Its functions may be slow: they run
// concurrently with the screen, but never two of Find or two of Show at once. No text that is shown
// has control characters other than line breaks and tabs.
type Bank struct {
	// Project is the current project, "" for none.
	Project string
	// Views are the names of the lists that can be shown, at least one. The first one is what a
	// session reads.
	Views []string
	// Find returns the results of a query in a view, best first. For an empty query it returns the
	// newest memories from offset on.
	Find func(ctx context.Context, view int, query string, offset int) (Found, error)
	// Show returns a memory with everything known about it.
	Show func(ctx context.Context, id string) (Detail, error)
	// Forget sets memories aside, and returns a message for a person.
	Forget func(ctx context.Context, ids []string) (said string, err error)
	// Pin pins or unpins a memory.
	Pin func(ctx context.Context, id string, pinned bool) (said string, err error)
	// Move makes memories global, or moves them into Project.
	Move func(ctx context.Context, ids []string, global bool) (said string, err error)
	// Edit replaces the text of a memory by text, if its text is still seen. now is the id of the
	// memory that then holds.
	Edit func(ctx context.Context, id, seen, text string) (now, said string, err error)
	// Last returns the newest change that can be undone.
	Last func(ctx context.Context) (Change, error)
	// Undo undoes a change.
	Undo func(ctx context.Context, id string) (said string, err error)
	// Editor returns the command that edits a file in this terminal.
	Editor func(path string) (*exec.Cmd, error)
}

// Found is a page of a list.
type Found struct {
	Items   []Item
	More    bool   // there are more items after these
	Verdict string // how far the results may be trusted, "" without a query
	Unsure  bool   // the results are doubtful
}

// Item is a memory as a line of the list.
type Item struct {
	ID    string
	Text  string
	Notes string // shown at the end of the line if there is room
}

// Detail is a memory with everything known about it.
type Detail struct {
	ID       string
	Text     string // as an editor gets it
	Project  string // its project, "" for none
	Pinned   bool
	Live     bool   // it holds, and can be changed
	Fixed    string // why its text cannot be edited, "" if it can
	Sections []Section
}

// Section is a part of a detail.
type Section struct {
	Title  string // "" for none
	Blocks []screen.Block
}

// Change is a change of the bank that can be taken back.
type Change struct{ ID, Text string }
