package actions

import (
	"testing"

	"mcp-memory/memory"
)

// TestLinesOfASession: a line that two edits of a session wrote is one.
func TestLinesOfASession(t *testing.T) {
	const roof, door, wall = "0000000a", "0000000b", "0000000c"
	edit := func(session, hunks string) memory.Action {
		return memory.Action{Session: session, Kind: memory.ActionEdit, Text: "/barn/roof.go", Hunks: hunks}
	}
	found := touches([]memory.Action{edit("s1", roof+door), edit("s2", wall+roof), edit("s1", roof)},
		BlameRequest{Path: "/barn/roof.go", Sums: []string{roof, door, "", wall}})
	if len(found) != 2 || found[0].Lines != 2 || found[0].Edits != 2 || found[1].Lines != 2 {
		t.Errorf("%+v", found)
	}
}
