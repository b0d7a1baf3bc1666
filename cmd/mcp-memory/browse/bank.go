// Package browse is a full-screen browser of a bank: a list of memories with search as
// one types, beside or above the one that is chosen with its history. [Model] is a state
// machine that is told of keys, sizes and answers and draws a screen; it knows no bank but
// by the functions of [Bank], and no terminal.
package browse

import (
	"context"
	"os/exec"

	"mcp-memory/cmd/mcp-memory/screen"
)

// Bank is what the browser shows and changes. Its functions may take their time: they are
// called beside the screen, never two searches or two looks at once. All texts are free of
// control characters.
type Bank struct {
	// Project is the project at hand, "" for none.
	Project string
	// Views name which memories the list can have, at least one; the first is what a
	// session reads.
	Views []string
	// Find returns what a query finds in a view, best first, or for an empty one the newest
	// memories, behind so many that are known already.
	Find func(ctx context.Context, view int, query string, offset int) (Found, error)
	// Show returns all that is known of a memory.
	Show func(ctx context.Context, id string) (Detail, error)
	// Forget sets memories aside; what it returns says so to a person.
	Forget func(ctx context.Context, ids []string) (said string, err error)
	// Pin pins a memory, or lets it go.
	Pin func(ctx context.Context, id string, pinned bool) (said string, err error)
	// Move makes memories global, or gives them to the project at hand.
	Move func(ctx context.Context, ids []string, global bool) (said string, err error)
	// Edit gives a memory another text, if it still has the one that was seen; now is the
	// id of what holds then.
	Edit func(ctx context.Context, id, seen, text string) (now, said string, err error)
	// Last returns the newest change that can be taken back.
	Last func(ctx context.Context) (Change, error)
	// Undo takes a change back.
	Undo func(ctx context.Context, id string) (said string, err error)
	// Editor returns the command that edits a file on this terminal.
	Editor func(path string) (*exec.Cmd, error)
}

// Found is a part of a list.
type Found struct {
	Items   []Item
	More    bool   // there is more behind them
	Verdict string // how far what a query finds may be trusted, "" where nothing was asked
	Unsure  bool   // that is not very far
}

// Item is a memory as a line of the list.
type Item struct {
	ID    string
	Text  string
	Notes string // what is shown at the end of the line, where there is room
}

// Detail is a memory whole.
type Detail struct {
	ID       string
	Text     string // as an editor gets it
	Project  string // that it belongs to, "" for none
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
