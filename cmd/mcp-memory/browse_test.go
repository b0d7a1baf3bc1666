package main

import "testing"

func TestBrowseNeedsATerminal(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "Anna drinks tea.")
	m.fails(exitFailed, "browse needs a terminal", "browse")
	m.fails(exitUsage, "not understood", "browse", "a", "b")
}
