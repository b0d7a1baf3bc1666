//go:build !postgres

package backend

import (
	"context"
	"errors"

	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
)

// openServer fails: a suite that is to run on a server shall not run on files instead.
func openServer(context.Context, string, sqlite.Options) (memory.Store, error) {
	return nil, errors.New("MCP_MEMORY_TEST_POSTGRES names a server: build the tests with -tags postgres")
}
