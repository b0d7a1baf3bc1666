package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/server/stdio"
	"mcp-memory/workspace"
)

// The edit of a line in MEMORY.md in the demo, and the question after it.
const (
	demoWords, demoReworded = "short answers", "answers of one sentence"
	demoFileQuestion        = "How long should answers be?"
)

// editFile edits a line of MEMORY.md, which is a memory, and then shows that recall finds the new
// line.
func (p *Program) editFile(ctx context.Context, child *stdio.Child, dir string) error {
	path := filepath.Join(workspace.Open(dir, "demo").Path(), workspace.MemoryFile)
	before, err := plainfile.Read(path, maxOwn)
	if err != nil {
		return err
	}
	out := visibly{p.Stdout}
	fmt.Fprintf(out, "\n$ grep answers %s\n%s", workspace.MemoryFile, demoLine(string(before)))
	after := strings.Replace(string(before), demoWords, demoReworded, 1)
	if err := os.WriteFile(path, []byte(after), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(out, "$ sed -i 's/%s/%s/' %s        (or any editor)\n", demoWords, demoReworded, workspace.MemoryFile)
	return p.ask(ctx, child, demoFileQuestion)
}

// demoLine returns the line with demoWords, without its marker.
func demoLine(content string) string {
	for line := range strings.Lines(content) {
		if strings.Contains(line, demoWords) {
			words, _, _ := strings.Cut(strings.TrimRight(line, "\n"), " <!--")
			return "  " + words + "\n"
		}
	}
	return ""
}
