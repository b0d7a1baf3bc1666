package recall

import (
	"testing"

	"mcp-memory/embed"
	"mcp-memory/memory"
)

// ownTable is a local model that does not use the program's table.
type ownTable struct{ memory.Embedder }

func (ownTable) OwnTable() bool { return true }

func TestFromTable(t *testing.T) {
	builtin := embed.NewBuiltin()
	if !fromTable(builtin) || fromTable(ownTable{builtin}) {
		t.Error("a model with a table of its own is taken for the built-in one")
	}
}
