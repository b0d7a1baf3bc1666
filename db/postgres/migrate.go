package postgres

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

func migrations() []string { return rows.Migrations(migrationFiles) }

// SchemaVersion is the version of the schema that this program uses.
func SchemaVersion() int { return len(migrations()) }

// migrationLock is the key of the advisory lock that a server holds while it migrates, so that only
// one does: "mcpm" in ASCII.
const migrationLock = 0x6d63706d

// migrate brings the schema up to date, all in one transaction, and refuses a database
// that is not ours or newer than the program. A role that may only read and write rows
// passes where there is nothing to do.
func (s *Store) migrate(ctx context.Context) error {
	return s.whileAway(ctx, func(time.Time) error {
		version, err := schemaVersion(ctx, s.write)
		if err != nil || version == SchemaVersion() && s.citus != CitusOn {
			return err
		}
		return pgx.BeginFunc(ctx, s.write, func(t pgx.Tx) error {
			if _, err := t.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock)); err != nil {
				return err
			}
			if err := makeSchema(ctx, t); err != nil {
				return err
			}
			version, err := schemaVersion(ctx, t) // another server may have migrated before we got the lock
			if err != nil {
				return err
			}
			if err := passOnRights(ctx, t, func() error { return migrateFrom(ctx, t, version) }); err != nil {
				return err
			}
			if version == SchemaVersion() {
				return distribute(ctx, t, s.citus)
			}
			_, err = t.Exec(ctx,
				fmt.Sprintf(`DELETE FROM mcp_memory_schema; INSERT INTO mcp_memory_schema (version) VALUES (%d)`, SchemaVersion()),
				pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			return distribute(ctx, t, s.citus)
		})
	})
}

// migrateFrom runs the migrations that come after a version.
func migrateFrom(ctx context.Context, t pgx.Tx, version int) error {
	for n, text := range migrations()[version:] {
		if _, err := t.Exec(ctx, text, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("migrate to schema version %d: %w", version+n+1, err)
		}
	}
	return nil
}

// makeSchema makes the schema that the URL's search_path names, if there is none.
func makeSchema(ctx context.Context, t pgx.Tx) error {
	var path string
	var there bool
	err := t.QueryRow(ctx, `SELECT current_setting('search_path'), current_schema() IS NOT NULL`, pgx.QueryExecModeExec).Scan(&path, &there)
	if err != nil || there {
		return err
	}
	first, _, _ := strings.Cut(path, ",")
	_, err = t.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS `+pgx.Identifier{strings.Trim(strings.TrimSpace(first), `"`)}.Sanitize(),
		pgx.QueryExecModeSimpleProtocol)
	return err
}

// rowQuerier is a pool or a transaction.
type rowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// schemaVersion returns the database's schema version, 0 for one without tables. It refuses a
// database with tables of another program, or of a newer version than this program's.
func schemaVersion(ctx context.Context, q rowQuerier) (int, error) {
	var ours, others bool
	err := q.QueryRow(ctx, `SELECT to_regclass('mcp_memory_schema') IS NOT NULL,
		EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema AND tablename IN ('banks', 'records', 'turns'))`,
		pgx.QueryExecModeExec).Scan(&ours, &others)
	switch {
	case err != nil:
		return 0, err
	case others && !ours:
		return 0, memory.Errorf(memory.CodeUnavailable, "the database has tables of another program").
			WithHint("name another database, or a schema of its own with ?search_path=NAME in the URL")
	case !ours:
		return 0, nil
	}
	var version int
	if err := q.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM mcp_memory_schema`, pgx.QueryExecModeExec).Scan(&version); err != nil {
		return 0, err
	}
	if version > SchemaVersion() {
		return 0, memory.Errorf(memory.CodeUnavailable, "the database has schema version %d, newer than this program's %d", version,
			SchemaVersion()).
			WithHint("update mcp-memory; nothing was changed")
	}
	return version, nil
}
