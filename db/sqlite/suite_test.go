package sqlite

import (
	"path/filepath"
	"testing"

	"mcp-memory/db/dbtest"
	"mcp-memory/memory"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, dir string, f memory.Fingerprint, clock memory.Clock) memory.Store {
		o := Options{Embedder: f, Clock: clock}
		s, err := Open(t.Context(), empty(filepath.Join(dir, "memory.db"), o), o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
