//go:build postgres

package postgres

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// fingerprint is of an embedder that never embeds anything.
var fingerprint = memory.Fingerprint{Model: "test/none", Dimensions: 4}

// open opens the database of the test.
func open(t *testing.T) (memory.Store, string) {
	t.Helper()
	url := backend.Database(t.TempDir(), "banks")
	return openAt(t, url, 0), url
}

// TestRowsAreFenced forgets the agent in a statement, on purpose: the database still
// shows no row of another agent, and lets nobody change one.
func TestRowsAreFenced(t *testing.T) {
	s, url := open(t)
	for _, agent := range []string{"ann", "bob"} {
		save(t, s, agent, "The harbour of "+agent+".")
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	tables, err := conn.Query(t.Context(), `SELECT c.table_name FROM information_schema.columns c
		WHERE c.table_schema = current_schema AND c.column_name = 'agent' AND c.table_name <> 'tokens'`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(tables, pgx.RowTo[string])
	if err != nil || len(names) < 25 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_words") {
			continue // hashes, which an index has to find
		}
		for agent, want := range map[string]string{"": "", "ann": "ann"} {
			err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
				if _, err := tx.Exec(t.Context(), `SELECT set_config('mcp_memory.agent', $1, true)`, agent); err != nil {
					return err
				}
				var strangers int
				err := tx.QueryRow(t.Context(), `SELECT count(*) FROM `+pgx.Identifier{name}.Sanitize()+` WHERE agent <> $1`, want).
					Scan(&strangers)
				if strangers > 0 {
					t.Errorf("%s shows %d rows of others to %q", name, strangers, agent)
				}
				return err
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	err = pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `SELECT set_config('mcp_memory.agent', 'ann', true)`); err != nil {
			return err
		}
		for _, statement := range []string{`UPDATE records SET content = 'hers now'`, `UPDATE memories_words SET terms = '{1}'`} {
			changed, err := tx.Exec(t.Context(), statement)
			if err != nil {
				return err
			}
			if changed.RowsAffected() != 1 {
				t.Errorf("%s: %d rows changed", statement, changed.RowsAffected())
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if kept := contents(t, s, "bob"); len(kept) != 1 || kept[0] != "The harbour of bob." {
		t.Errorf("bob has %q", kept)
	}
}
