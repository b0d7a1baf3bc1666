package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"mcp-memory/memory"
)

// TestAWriteSoonSeesThatTheFileIsFree: SQLite by itself would look for the lock 228 and 328 ms after it was taken.
func TestAWriteSoonSeesThatTheFileIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	one, other := openAt(t, path, 8), openAt(t, path, 8)
	nothing := func(memory.Tx) error { return nil }
	if err := other.Write(t.Context(), "bob", nothing); err != nil {
		t.Fatal(err)
	}
	late := time.Hour
	for range 3 { // the machine may be busy
		begun, done := make(chan struct{}), make(chan time.Time, 1)
		go func() {
			<-begun
			if err := other.Write(context.Background(), "bob", nothing); err != nil {
				t.Error(err)
			}
			done <- time.Now()
		}()
		var freed time.Time
		err := one.Write(t.Context(), "ann", func(memory.Tx) error {
			close(begun)
			time.Sleep(250 * time.Millisecond)
			freed = time.Now()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		late = min(late, (<-done).Sub(freed))
	}
	if late > 40*time.Millisecond {
		t.Errorf("a write got the lock %v after it was free", late)
	}
}
