// Package db opens the database in which all banks are. The URL decides which backend that is.
// Package db/dbtest has the tests that every backend has to pass.
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

// Open opens the database at url: "sqlite:PATH", just a path, or a server's URL (see [IsServer]).
// The directory of a file must exist; the file is created if it is missing. Errors are
// [memory.CodeInvalidArgument] for a URL of an unknown scheme, else those of the backend.
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

// ExamineServer checks the database at a server's URL and changes nothing; see [postgres.Examine].
func ExamineServer(ctx context.Context, url string) []memory.Finding {
	return postgres.Examine(ctx, url)
}

// MendServer corrects the counters that are wrong in the database at a server's URL, and returns
// how many those were.
func MendServer(ctx context.Context, url string) (int, error) { return postgres.Recount(ctx, url, nil) }

// OpenToRead opens a database file, which others may be using, and changes nothing. Writes fail
// with [memory.CodeUnavailable].
func OpenToRead(ctx context.Context, path string, o Options) (memory.Store, error) {
	return sqlite.OpenToRead(ctx, path, o)
}

// Moving is a database that banks are copied from or to.
type Moving interface {
	memory.Mover
	// Close ends all work.
	Close() error
}

// OpenToMove opens the database at a URL, as [Open] does, to copy banks to it.
func OpenToMove(ctx context.Context, url string, o Options) (Moving, error) {
	store, err := Open(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return moving(store)
}

// OpenToMoveFrom opens the database at a URL, as [Open] does, to copy banks from it. Its schema has
// to be of this program's version, and nothing in it is changed.
func OpenToMoveFrom(ctx context.Context, url string, o Options) (Moving, error) {
	if IsServer(url) {
		return postgres.Open(ctx, url, postgres.Options{Clock: o.Clock, Patience: o.BusyTimeout, Log: o.Log, ToRead: true})
	}
	return sqlite.OpenToRead(ctx, strings.TrimPrefix(url, "sqlite:"), o)
}

// ClusterOf returns how a database's tables are distributed over a Citus cluster, nil if it is
// none.
func ClusterOf(ctx context.Context, m Moving) (*postgres.Cluster, error) {
	if s, ok := m.(*postgres.Store); ok {
		return s.Cluster(ctx)
	}
	return nil, nil
}

// moving returns a store as a Moving, which every backend implements.
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

// Verify checks a database file that nobody uses, such as a backup, and counts its rows by table.
// The error is [memory.CodeUnavailable] with what is wrong. Single texts that are not what was
// saved are no error.
func Verify(ctx context.Context, path string) (map[string]int, error) {
	return sqlite.Verify(ctx, path)
}

// Examine checks a database file, which others may be using. It reads all of it and changes
// nothing.
func Examine(ctx context.Context, path string) []memory.Finding { return sqlite.Examine(ctx, path) }

// Owners returns the agents that have a bank in a database file.
func Owners(ctx context.Context, path string) ([]string, error) { return sqlite.Owners(ctx, path) }

// DriverName returns which SQLite is linked into the program.
func DriverName() string { return sqlite.DriverName }

// Salvaged is the result of [Salvage].
type Salvaged = sqlite.Salvaged

// Salvage creates a database file at to with every row that can be read from a damaged one at from.
// Nobody else may use the damaged file, and it is changed, so it should be a copy.
func Salvage(ctx context.Context, from, to string, o Options) (Salvaged, error) {
	return sqlite.Salvage(ctx, from, to, o)
}
