// Package db opens the database behind all banks. Which backend it is, is
// decided by the URL and nowhere else; db/dbtest has the suite that every
// backend passes.
package db

import (
	"context"
	"fmt"
	"strings"

	"mcp-memory/db/postgres"
	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
)

// Options says how a database is opened; see the backend for defaults.
type Options = sqlite.Options

// Open opens the database at url: "sqlite:PATH", or just a path, or a URL as [IsServer] has
// it. The directory must exist; the file is made if it is missing. Errors are
// [memory.CodeInvalidArgument] for a URL of an unknown scheme, else as the
// backend's.
func Open(ctx context.Context, url string, o Options) (memory.Store, error) {
	if IsServer(url) {
		return postgres.Open(ctx, url,
			postgres.Options{Embedder: o.Embedder, Clock: o.Clock, Patience: o.BusyTimeout, Log: o.Log, Citus: postgres.Citus(o.Citus)})
	}
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return sqlite.Open(ctx, path, o)
	}
	if scheme, _, ok := strings.Cut(url, "://"); ok {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "there is no backend for %s databases", scheme).
			WithHint("postgres://USER@HOST/DATABASE, sqlite:PATH, or just a path")
	}
	return sqlite.Open(ctx, url, o)
}

// IsServer reports whether a URL is that of a database server, postgres://… or
// postgresql://…, and not a file's.
func IsServer(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// ExamineServer looks at the database at a server's URL, and changes nothing.
func ExamineServer(ctx context.Context, url string) []memory.Finding {
	return postgres.Examine(ctx, url)
}

// MendServer counts anew what is counted wrong in the database at a server's URL, and returns
// how many numbers that were.
func MendServer(ctx context.Context, url string) (int, error) { return postgres.Recount(ctx, url, nil) }

// OpenToRead opens the database file at a path, which others may be using, and changes
// nothing; whoever writes gets [memory.CodeUnavailable].
func OpenToRead(ctx context.Context, path string, o Options) (memory.Store, error) {
	return sqlite.OpenToRead(ctx, path, o)
}

// Moving is a database that banks are carried from or to.
type Moving interface {
	memory.Mover
	// Close ends all work.
	Close() error
}

// OpenToMove opens the database at a URL, as [Open] has it, for banks to be carried there.
func OpenToMove(ctx context.Context, url string, o Options) (Moving, error) {
	store, err := Open(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return moving(store)
}

// OpenToMoveFrom opens the database at a URL, as [Open] has it, for banks to be carried
// from there. It has to be of this program's schema, and nothing in it is changed.
func OpenToMoveFrom(ctx context.Context, url string, o Options) (Moving, error) {
	if IsServer(url) {
		return postgres.Open(ctx, url, postgres.Options{Clock: o.Clock, Patience: o.BusyTimeout, Log: o.Log, ToRead: true})
	}
	return sqlite.OpenToRead(ctx, strings.TrimPrefix(url, "sqlite:"), o)
}

// ClusterOf says how the tables of a database are spread over a cluster, nil where it is none.
func ClusterOf(ctx context.Context, m Moving) (*postgres.Cluster, error) {
	if s, ok := m.(*postgres.Store); ok {
		return s.Cluster(ctx)
	}
	return nil, nil
}

// moving is what every backend is.
func moving(store memory.Store) (Moving, error) {
	m, ok := store.(Moving)
	if !ok {
		return nil, fmt.Errorf("banks cannot be carried to %T", store)
	}
	return m, nil
}

// OpenForeign opens another program's database file for reading; see [sqlite.OpenForeign].
func OpenForeign(ctx context.Context, path string) (*sqlite.Foreign, error) {
	return sqlite.OpenForeign(ctx, path)
}

// Verify looks through the database file at a path that nobody uses, such as that of
// a backup, and counts its rows by table. [memory.CodeUnavailable] with what is
// wrong, if anything is but single texts that are not what was saved.
func Verify(ctx context.Context, path string) (map[string]int, error) {
	return sqlite.Verify(ctx, path)
}

// Examine looks through the database file at a path, which others may be using,
// reads all of it and changes nothing.
func Examine(ctx context.Context, path string) []memory.Finding { return sqlite.Examine(ctx, path) }

// Owners returns the agents that have a bank in the database file at a path.
func Owners(ctx context.Context, path string) ([]string, error) { return sqlite.Owners(ctx, path) }

// DriverName says which SQLite is linked into the program.
func DriverName() string { return sqlite.DriverName }

// Salvaged says what came of [Salvage].
type Salvaged = sqlite.Salvaged

// Salvage writes a new database file of every row that can be read of a damaged one at from,
// which nobody else uses and which is changed: name a copy.
func Salvage(ctx context.Context, from, to string, o Options) (Salvaged, error) {
	return sqlite.Salvage(ctx, from, to, o)
}
