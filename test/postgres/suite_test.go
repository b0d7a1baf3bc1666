//go:build postgres

package postgres

import (
	"testing"

	"mcp-memory/db/dbtest"
	"mcp-memory/db/postgres"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

func TestMain(m *testing.M) {
	if backend.Server() == "" {
		panic("MCP_MEMORY_TEST_POSTGRES is not set: bash test/postgres/run.sh starts a server and sets it")
	}
	defer built.Remove()
	m.Run()
}

// TestSuite is what every backend shows, and what it makes this one send.
func TestSuite(t *testing.T) {
	sent := &statements{sent: map[string]bool{}}
	dbtest.Run(t, func(t *testing.T, dir string, f memory.Fingerprint, clock memory.Clock) memory.Store {
		s, err := postgres.Open(t.Context(), backend.Database(dir, "banks"), postgres.Options{Embedder: f, Clock: clock, Tracer: sent})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
	t.Run("every statement names its agent", func(t *testing.T) { everyStatementNamesItsAgent(t, sent, 200) })
}

// TestFiles is what every store of files shows, and what it makes this one send.
func TestFiles(t *testing.T) {
	sent := &statements{sent: map[string]bool{}}
	dbtest.RunFiles(t, func(t *testing.T, dir string) memory.FileStore {
		s, err := postgres.Open(t.Context(), backend.Database(dir, "banks"), postgres.Options{Embedder: fingerprint, Clock: now, Tracer: sent})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	})
	t.Run("every statement names its agent", func(t *testing.T) { everyStatementNamesItsAgent(t, sent, 20) })
}
