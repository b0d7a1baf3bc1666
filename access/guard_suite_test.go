package access

import (
	"context"
	"path/filepath"
	"testing"

	"mcp-memory/db/dbtest"
	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// unrestricted is a guard whose transactions are those of an identity that may
// do everything.
type unrestricted struct{ *Guard }

// Write implements [memory.Writer].
func (u unrestricted) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	return u.store.Write(ctx, agent, func(tx memory.Tx) error {
		return fn(&guardedTx{tx: tx, identity: Identity{Agent: agent}})
	})
}

// To who may do everything a guard is the store that it is in front of.
func TestGuardIsAStore(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, dir string, f memory.Fingerprint, clock memory.Clock) memory.Store {
		s, err := backend.Open(t.Context(), filepath.Join(dir, "memory.db"), sqlite.Options{Embedder: f, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		return unrestricted{NewGuard(s, clock)}
	})
}
