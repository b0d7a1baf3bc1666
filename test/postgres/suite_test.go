//go:build postgres

package postgres

import (
	"testing"

	"mcp-memory/db"
	"mcp-memory/db/dbtest"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

func TestMain(m *testing.M) {
	if backend.Server() == "" {
		panic("MCP_MEMORY_TEST_POSTGRES is not set: bash test/postgres/run.sh starts a server and sets it")
	}
	m.Run()
}

// TestSuite is what every backend shows.
func TestSuite(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, dir string, f memory.Fingerprint, clock memory.Clock) memory.Store {
		s, err := db.Open(t.Context(), backend.Database(dir, "banks"), db.Options{Embedder: f, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
