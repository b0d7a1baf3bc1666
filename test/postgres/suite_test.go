//go:build postgres

package postgres

import (
	"testing"
	"time"

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
	sent := collect()
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
	sent := collect()
	dbtest.RunFiles(t, func(t *testing.T, dir string) memory.FileStore {
		s, err := postgres.Open(t.Context(), backend.Database(dir, "banks"),
			postgres.Options{Embedder: fingerprint, Clock: now, Tracer: sent})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	})
	t.Run("every statement names its agent", func(t *testing.T) { everyStatementNamesItsAgent(t, sent, 20) })
}

// TestSentForServers is what servers share, and what the operator has mended, and what these send.
func TestSentForServers(t *testing.T) {
	sent, url := collect(), backend.Database(t.TempDir(), "banks")
	s, err := postgres.Open(t.Context(), url, postgres.Options{Embedder: fingerprint, Clock: now, Tracer: sent})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	save(t, s, "ann", "The harbour is open.")
	for range 2 { // a bucket that is made, and one that is there
		if _, err := s.Spend(t.Context(), "ann", "rate", time.Hour, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Share(t.Context(), "ann", map[string]string{"a": "b"}, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := s.Unshare(t.Context(), "ann", "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Recount(t.Context(), url, sent); err != nil {
		t.Fatal(err)
	}
	t.Run("every statement names its agent", func(t *testing.T) { everyStatementNamesItsAgent(t, sent, 20) })
}
