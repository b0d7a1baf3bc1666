// Package backend says which database the suites of the use cases run on: a file,
// or a PostgreSQL server where MCP_MEMORY_TEST_POSTGRES names one. There every
// directory that a test would have its file in gets a schema of its own.
package backend

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
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
