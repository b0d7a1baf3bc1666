package tools

import (
	"path/filepath"
	"testing"

	"mcp-memory/text/tokens"
)

// maxListTokens is the budget of the default list of tools: hosts put it into
// every conversation.
const maxListTokens = 2500

func TestMemorySnapshots(t *testing.T) {
	f := memoryFleet(t)
	snapshots(t, f, "snapshots")
	golden(t, "snapshots/README.md", []byte(f.Markdown()))
	for _, r := range f.rows {
		portable(t, schemaOf(r.in, false).raw())
		portable(t, schemaOf(r.out, true).raw())
	}
}

func TestDefaultListStaysSmall(t *testing.T) {
	f, err := memoryFleet(t).Select("")
	if err != nil {
		t.Fatal(err)
	}
	counter := tokens.NewCounter("cl100k_base")
	if err := counter.Warm(); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, r := range f.rows {
		n := counter.Count(r.Name) + counter.Count(r.Description) + counter.Count(string(schemaOf(r.in, false).raw()))
		t.Logf("%-24s %d tokens", r.Name, n)
		total += n
	}
	t.Logf("%-24s %d tokens", "together", total)
	if total > maxListTokens {
		t.Errorf("the default list has %d tokens, at most %d are allowed", total, maxListTokens)
	}
}

// A snapshot without its tool would look as if the tool were still there.
func TestNoSnapshotIsLeftBehind(t *testing.T) {
	files, err := filepath.Glob("testdata/snapshots/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if f := memoryFleet(t); len(files) != f.Len() {
		t.Errorf("%d snapshots of %d tools: %v", len(files), f.Len(), files)
	}
}
