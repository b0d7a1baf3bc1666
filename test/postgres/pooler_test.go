//go:build postgres

package postgres

import (
	"context"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db"
	"mcp-memory/db/dbtest"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// pooled makes a database for each directory of a test, as a pooler in transaction mode
// hands on no search_path, and returns its URL by way of the pooler that run.sh has started.
func pooled(t *testing.T, made *sync.Map, dir string) string {
	t.Helper()
	port := os.Getenv("MCP_MEMORY_TEST_POOLER")
	if port == "" {
		t.Fatal("MCP_MEMORY_TEST_POOLER is not set: bash test/postgres/run.sh starts PgBouncer and sets it")
	}
	name := backend.Schema(dir)
	if _, known := made.LoadOrStore(name, true); !known {
		admin := func(server, statement string) {
			ctx := context.WithoutCancel(t.Context())
			conn, err := pgx.Connect(ctx, server)
			if err == nil {
				_, err = conn.Exec(ctx, statement)
				_ = conn.Close(ctx)
			}
			if err != nil {
				t.Error(err)
			}
		}
		admin(backend.Server(), `CREATE DATABASE `+name)
		// Autovacuum may be in it, which only a superuser sends away.
		t.Cleanup(func() { admin(as(backend.Server(), "postgres", ""), `DROP DATABASE `+name+` WITH (FORCE)`) })
	}
	u, err := url.Parse(backend.Server())
	if err != nil {
		t.Fatal(err)
	}
	u.Host, u.Path, u.RawQuery = "127.0.0.1:"+port, "/"+name, "default_query_exec_mode=exec"
	return u.String()
}

// TestSuiteThroughPooler is the suite of every backend by way of PgBouncer in transaction
// mode: nothing depends on a session.
func TestSuiteThroughPooler(t *testing.T) {
	var made sync.Map
	dbtest.Run(t, func(t *testing.T, dir string, f memory.Fingerprint, clock memory.Clock) memory.Store {
		s, err := db.Open(t.Context(), pooled(t, &made, dir), db.Options{Embedder: f, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// TestServersThroughPooler holds a conversation with two servers whose connections are
// PgBouncer's.
func TestServersThroughPooler(t *testing.T) {
	s := newSiteOn(t, pooled(t, &sync.Map{}, t.TempDir()))
	for _, newer := range []bool{true, false} {
		s.converse(newer)
	}
}
