package testbank

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"mcp-memory/db/sqlite"
)

// MakeOlder makes a database file at path with an earlier version of the schema, 4 (the first with
// text indexes) or later, and copies into its tables what newer has for them. newer is a database
// file that nobody has open. Errors are those of the driver and of the files.
func MakeOlder(ctx context.Context, path, newer string, version int) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	if len(steps) != sqlite.SchemaVersion() {
		return fmt.Errorf("%d files of migrations for version %d", len(steps), sqlite.SchemaVersion())
	}
	db, err := OpenFile(path)
	if err != nil {
		return err
	}
	return errors.Join(fillOlder(ctx, db, slices.Clone(steps[:version]), version, newer), db.Close())
}

// fillOlder makes the tables of a version and copies into them what a newer file has for them.
// Vectors are not copied: they are made when the program opens the file.
func fillOlder(ctx context.Context, db *sql.DB, steps []string, version int, newer string) error {
	for _, step := range append(steps, `ATTACH '`+strings.ReplaceAll(newer, "'", "''")+`' AS newer`) {
		if _, err := db.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	rows, err := db.QueryContext(ctx,
		`SELECT o.name, group_concat('"' || c.name || '"') FROM main.sqlite_schema o JOIN newer.sqlite_schema n ON n.type = 'table' AND n.name = o.name,
		pragma_table_info(o.name, 'main') c WHERE o.type = 'table' AND o.sql NOT LIKE 'CREATE VIRTUAL%' AND o.name NOT LIKE 'sqlite%' AND o.name NOT LIKE 'vector%'
		AND c.name IN (SELECT name FROM pragma_table_info(o.name, 'newer')) GROUP BY o.name`)
	if err != nil {
		return err
	}
	var copies []string
	for rows.Next() {
		var table, columns string
		if err := rows.Scan(&table, &columns); err != nil {
			return err
		}
		copies = append(copies, fmt.Sprintf(`DELETE FROM main.%[1]q; INSERT INTO main.%[1]q (%[2]s) SELECT %[2]s FROM newer.%[1]q`,
			table, columns))
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	copies = append(copies, `DETACH newer`,
		fmt.Sprintf(`PRAGMA main.application_id = %d; PRAGMA main.user_version = %d; PRAGMA main.journal_mode = wal`,
			applicationID, version))
	for _, step := range copies {
		if _, err := db.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("%w: %s", err, step)
		}
	}
	return nil
}

// applicationID is the application_id of the program's databases: "mcpm" in ASCII.
const applicationID = 0x6d63706d

// OpenFile opens a database file without package db, on one connection. Errors are those of
// database/sql.
func OpenFile(path string) (*sql.DB, error) {
	db, err := sqlite.OpenDriver("file:" + path + "?_pragma=busy_timeout(10000)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// migrations returns the SQL of each schema version, in order.
var migrations = sync.OnceValues(readMigrations)

func readMigrations() ([]string, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "mcp-memory/db/sqlite").Output()
	if err != nil {
		return nil, fmt.Errorf("find the migrations: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "migrations", "*.sql"))
	var texts []string
	for _, name := range names {
		text, failed := os.ReadFile(name)
		err = errors.Join(err, failed)
		texts = append(texts, string(text))
	}
	return texts, err
}
