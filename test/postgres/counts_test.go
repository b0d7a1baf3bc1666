//go:build postgres

package postgres

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// TestCountsAreChecked counts wrongly, and has that found and mended.
func TestCountsAreChecked(t *testing.T) {
	url := backend.Database(t.TempDir(), "banks")
	s, err := db.Open(t.Context(), url, db.Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 4}, Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ids := memory.NewIDs(time.Now)
	for _, agent := range []string{"ann", "bob"} {
		err := s.Write(t.Context(), agent, func(tx memory.Tx) error {
			return tx.InsertRecord(memory.Record{ID: ids.New(), Agent: agent, Kind: memory.KindFact, Category: "goal", Content: "ferry",
				CreatedAt: time.Now()}, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if f := counters(t, url); f.Condition != memory.ConditionOK {
		t.Errorf("%+v", f)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, sql := range []string{
		`SELECT set_config('mcp_memory.agent', '*', false)`,
		`UPDATE record_counts SET records = 7 WHERE agent = 'ann'`,
		`INSERT INTO record_counts VALUES ('bob', 'x', 'fact', 'goal', 1, 3)`,
	} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if f := counters(t, url); f.Condition != memory.ConditionBroken || !strings.HasPrefix(f.Detail, "2 groups") {
		t.Errorf("%+v", f)
	}
	if wrong, err := db.MendServer(t.Context(), url); wrong != 2 || err != nil {
		t.Errorf("%d, %v", wrong, err)
	}
	if f := counters(t, url); f.Condition != memory.ConditionOK {
		t.Errorf("%+v", f)
	}
	for _, agent := range []string{"ann", "bob"} {
		if st, err := s.Stats(t.Context(), agent); err != nil || st.Records != 1 || st.Archived != 0 {
			t.Errorf("%+v, %v", st, err)
		}
	}
}

func counters(t *testing.T, url string) memory.Finding {
	for _, f := range db.ExamineServer(t.Context(), url) {
		if f.Check == "counters" {
			return f
		}
	}
	t.Fatal("counters were not looked at")
	return memory.Finding{}
}
