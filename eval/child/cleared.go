package child

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"mcp-memory/internal/testbank"
)

// Cleared waits until nothing of what was erased is left in the files. It reads that from the database: a command
// that ends would do what is left itself.
func (p Program) Cleared(ctx context.Context) (err error) {
	db, err := testbank.OpenFile(filepath.Join(p.Data, testbank.FileName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for pending := true; pending; {
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM bank_state WHERE key IN ('erasing', 'scrub'))`).
			Scan(&pending); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}
