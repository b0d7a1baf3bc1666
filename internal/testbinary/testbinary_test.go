package testbinary

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestSourcePaths wants everything that changes the binary among the sources:
// a package far from main, the files that one embeds, and the versions of
// other modules, of which one is a patched copy.
func TestSourcePaths(t *testing.T) {
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, tags := range []string{"", "ncruces"} {
		paths, err := sourcePaths(tags)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"go.mod", "go.sum", "cmd/mcp-memory", "recall", "memory", "db/sqlite", "db/sqlite/migrations"} {
			if !slices.Contains(paths, filepath.Join(top, filepath.FromSlash(want))) {
				t.Errorf("tags %q: %s is not among the sources: %q", tags, want, paths)
			}
		}
		if slices.Contains(paths, top) {
			t.Errorf("tags %q: the module's directory is among the sources", tags)
		}
	}
}
