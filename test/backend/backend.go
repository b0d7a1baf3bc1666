// Package backend says which database the suites of the use cases run on: a file,
// or a PostgreSQL server where MCP_MEMORY_TEST_POSTGRES names one. There every
// directory that a test would have its file in gets a schema of its own.
//
// Only with the tag postgres is the driver of that server in a test: it is nearly
// half of the packages of most of them, and some thirty tests would be linked with it.
package backend

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcp-memory/db/sqlite"
	"mcp-memory/internal/template"
	"mcp-memory/memory"
	"mcp-memory/test/ramdisk"
)

// Server is the URL of the server under test, "" for none.
func Server() string { return os.Getenv("MCP_MEMORY_TEST_POSTGRES") }

// Database is where the database of a test is: below dir, by that name, or in the
// schema of that path. [Schema] tells which one that is.
func Database(dir, name string) string {
	if Server() == "" {
		return filepath.Join(dir, name)
	}
	separator := "?"
	if strings.Contains(Server(), "?") {
		separator = "&"
	}
	return Server() + separator + "search_path=" + Schema(filepath.Join(dir, name))
}

// Schema is the name of the schema of a path; opening a store makes it.
func Schema(path string) string {
	sum := sha256.Sum256([]byte(path))
	return "t" + hex.EncodeToString(sum[:8])
}

// Open opens a database that [Database] names. A file that is not there begins as a copy of an empty one.
func Open(ctx context.Context, dsn string, o sqlite.Options) (memory.Store, error) {
	if Server() != "" {
		return openServer(ctx, dsn, o)
	}
	ramdisk.Use()
	template.At(dsn, fmt.Sprint(o.Embedder), func(path string) error {
		store, err := sqlite.Open(ctx, path, o)
		if err != nil {
			return err
		}
		return store.Close()
	})
	return sqlite.Open(ctx, dsn, o)
}
