//go:build postgres

package backend

import (
	"context"

	"mcp-memory/db"
	"mcp-memory/memory"
)

func openServer(ctx context.Context, dsn string, o db.Options) (memory.Store, error) {
	return db.Open(ctx, dsn, o)
}
