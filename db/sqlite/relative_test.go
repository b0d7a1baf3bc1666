package sqlite

import (
	"path/filepath"
	"testing"

	"mcp-memory/memory"
)

// A relative path names the same file as an absolute one.
func TestExamineByRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	path := "memory.db"
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := openAt(t, absolute, 8).Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range Examine(t.Context(), path) {
		if f.Condition == memory.ConditionBroken {
			t.Errorf("%+v", f)
		}
	}
	if _, err := Verify(t.Context(), path); err != nil {
		t.Error(err)
	}
}
