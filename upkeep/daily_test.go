package upkeep_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// TestDaily: of several processes one makes a backup a day, and old ones go.
func TestDaily(t *testing.T) {
	var mu sync.Mutex
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	dir, into := t.TempDir(), filepath.Join(t.TempDir(), "backups")
	crew := make([]upkeep.Daily, 3)
	for i := range crew {
		store, err := sqlite.Open(t.Context(), filepath.Join(dir, upkeep.Database),
			sqlite.Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 8}, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		crew[i] = upkeep.Daily{
			Backup: upkeep.BackupOptions{Dir: dir, Store: store, Verify: sqlite.Verify, Clock: clock},
			Into:   into, Keep: 2, Store: store, IDs: memory.NewIDs(clock), Log: slog.New(slog.DiscardHandler),
		}
	}
	everybody := func() (made int) {
		var work sync.WaitGroup
		names := make([]string, len(crew))
		for i, d := range crew {
			work.Go(func() {
				var err error
				if names[i], err = d.Once(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		for _, name := range names {
			if name != "" {
				made++
			}
		}
		return made
	}
	if n := everybody(); n != 0 {
		t.Errorf("%d backups of nothing", n)
	}
	r := memory.Record{
		ID: memory.NewIDs(clock).
			New(), Agent: "ann", Kind: memory.KindFact, Category: memory.CategoryOther, Content: "The harbour closes at nine.",
		Importance: 0.5, Source: memory.SourceUser, Confirmations: 1, CreatedAt: now,
	}
	if err := crew[0].Store.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.InsertRecord(r, nil) }); err != nil {
		t.Fatal(err)
	}
	for day := range 4 {
		if n := everybody(); n != 1 {
			t.Errorf("day %d: %d backups", day, n)
		}
		mu.Lock()
		now = now.Add(23 * time.Hour)
		mu.Unlock()
		if n := everybody(); n != 0 {
			t.Errorf("day %d: %d more backups", day, n)
		}
		mu.Lock()
		now = now.Add(time.Hour)
		mu.Unlock()
	}
	if entries, err := os.ReadDir(into); err != nil || len(entries) != 2 ||
		entries[1].Name() != upkeep.BackupName(time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("%v, %v", entries, err)
	}
}
