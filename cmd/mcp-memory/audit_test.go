package main

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/db"
	"mcp-memory/memory"
)

// The audit log keeps what is young enough, of all banks.
func TestAuditIsPruned(t *testing.T) {
	store, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"),
		db.Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 8}, Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	guard := access.NewGuard(store, time.Now)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, agent := range []string{"ann", "bob"} {
		err := guard.Write(t.Context(), agent, func(tx memory.Tx) error {
			for i := range auditStep + 20 {
				at := now.Add(-time.Hour)
				if i >= auditStep+10 {
					at = now
				}
				details, err := json.Marshal(i)
				if err == nil {
					err = tx.Audit(memory.AuditEntry{Agent: agent, Actor: agent, Action: "save", Details: details, At: at})
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := pruneAudits(t.Context(), guard, now); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"ann", "bob"} {
		if left, err := guard.AuditLog(t.Context(), agent, 1000); err != nil || len(left) != 10 || string(left[9].Details) != "510" {
			t.Errorf("%s: %d, %v", agent, len(left), err)
		}
	}
}

func TestAuditKeep(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "x", "--audit-keep", "0")
	m.fails(exitUsage, "audit.keep", "stats", "--audit-keep", "ninety days")
}
