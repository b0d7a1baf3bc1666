package testfiles

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"mcp-memory/db/dbtest"
	"mcp-memory/memory"
)

func TestStore(t *testing.T) {
	stores := map[string]memory.FileStore{}
	dbtest.RunFiles(t, func(_ *testing.T, dir string) memory.FileStore {
		if stores[dir] == nil {
			stores[dir] = NewStore()
		}
		return stores[dir]
	})
}

// broken is a store that cannot be read.
type broken struct{ memory.FileStore }

var errBroken = errors.New("broken")

func (broken) FilesVersion(context.Context, string) (int64, error) { return 0, errBroken }

func (broken) Files(context.Context, string, ...string) ([]memory.FileInfo, error) {
	return nil, errBroken
}

func (broken) EditFiles(_ context.Context, _ string, fn func(memory.FileTx) error) error {
	return fn(brokenTx{})
}

type brokenTx struct{ memory.FileTx }

func (brokenTx) File(string) (*memory.FileInfo, error) { return nil, errBroken }

// What cannot be read is not said to be missing.
func TestErrorsAreNotMissingFiles(t *testing.T) {
	was := inRows
	inRows = true
	t.Cleanup(func() { inRows = was })
	for name, store := range map[string]memory.FileStore{"broken": broken{}, "empty": NewStore()} {
		dir := t.TempDir()
		Use(dir, store)
		folder := filepath.Join(dir, "workspaces", "ann")
		_, ofFolder := Stat(folder)
		_, ofFile := Stat(filepath.Join(folder, "a.md"))
		for _, err := range []error{ofFolder, ofFile, Remove(filepath.Join(folder, "a.md"))} {
			if errors.Is(err, errBroken) != (name == "broken") || errors.Is(err, fs.ErrNotExist) != (name == "empty") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
