package testfiles

import (
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
