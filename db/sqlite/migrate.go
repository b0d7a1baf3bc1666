package sqlite

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks a file as ours (PRAGMA application_id): "mcpm".
const applicationID = 0x6d63706d

func migrations() []string { return rows.Migrations(migrationFiles) }

// SchemaVersion is the version that this program writes.
func SchemaVersion() int { return len(migrations()) }

// migrate brings the schema up to date, and refuses files that are not ours or newer than the program.
func migrate(ctx context.Context, w *writer, path string, busy time.Duration) error {
	version, err := checkVersion(ctx, w)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if version == 0 { // only a file without tables can begin to keep what incremental vacuum needs
		if err := w.script(ctx, shrinks); err != nil {
			return fmt.Errorf("prepare the file for being cut: %w", err)
		}
	}
	// Not before the check: it changes the file.
	if err := useWAL(ctx, w, busy); err != nil {
		return fmt.Errorf("switch to write-ahead logging: %w", err)
	}
	if version > 0 && version < SchemaVersion() {
		if err := copyBefore(ctx, path, version); err != nil {
			return err
		}
	}
	if version == SchemaVersion() { // reading must not wait for who writes
		return nil
	}
	return migrateTo(ctx, w, SchemaVersion())
}

// shrinks makes SQLite keep pointer maps in a new file, which tell for each page what refers to it.
// With them free pages can be given back to the file system a few at a time; see [Store.cutStep].
const shrinks = "PRAGMA auto_vacuum = incremental"

// beforeSchema stands in the name of the copy that is made before a migration, between the
// database's own name and the schema version after the one that the copy has.
const beforeSchema = ".before-schema-"

// copyBefore copies the database before it is migrated, unless there is such a copy. If that fails,
// for lack of room for example, there is no migration.
func copyBefore(ctx context.Context, path string, version int) error {
	name := fmt.Sprintf("%s%s%d", path, beforeSchema, version+1)
	if _, err := os.Stat(name); err == nil {
		return nil // a copy gets this name only when it is complete
	}
	// Several processes may get here at once; each writes a file of its own.
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return cannotOpen(err)
	}
	making := f.Name()
	if err := errors.Join(f.Close(), os.Remove(making)); err != nil {
		return cannotOpen(err)
	}
	if err := copyInto(ctx, path, making, nil); err != nil {
		return fmt.Errorf("copy the database before its migration: %w", err)
	}
	copied, err := userVersion(making)
	if err != nil || copied != version { // somebody else has migrated it meanwhile
		return errors.Join(err, os.Remove(making))
	}
	return os.Rename(making, name)
}

// userVersion reads the schema version from the header of a closed file.
func userVersion(path string) (int, error) {
	const at = 60
	f, err := os.Open(path)
	if err != nil {
		return 0, cannotOpen(err)
	}
	defer f.Close()
	var field [4]byte
	if _, err := f.ReadAt(field[:], at); err != nil {
		return 0, cannotOpen(err)
	}
	return int(binary.BigEndian.Uint32(field[:])), nil
}

// dropCopies removes the copies that were made before migrations, as they contain what was erased.
func dropCopies(path string) error {
	copies, err := filepath.Glob(globQuoted(path) + beforeSchema + "*")
	for _, name := range copies {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// globQuoted returns a glob pattern that matches just a name.
func globQuoted(name string) string {
	if runtime.GOOS == "windows" {
		return name // has no way to quote; a bracket matches itself at worst
	}
	return regexp.MustCompile(`[*?\[\\]`).ReplaceAllString(name, `\$0`)
}

// migrateTo brings the schema to a version in one transaction, so that all steps are done or none.
// It does nothing if another process has migrated the file meanwhile.
func migrateTo(ctx context.Context, w *writer, to int) error {
	return w.do(ctx, func(w *writer) error {
		from, err := checkVersion(ctx, w)
		if err != nil {
			return err
		}
		if from >= to {
			return nil
		}
		for n, text := range migrations()[from:to] {
			if err := w.script(ctx, text); err != nil {
				return fmt.Errorf("migrate to schema version %d: %w", from+n+1, err)
			}
		}
		return w.script(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, to))
	})
}

// useWAL switches a new file to write-ahead logging. While two processes do so
// at once, one is told that the file is busy without having waited.
func useWAL(ctx context.Context, w *writer, busy time.Duration) error {
	const pause = 5 * time.Millisecond
	for {
		err := w.script(ctx, "PRAGMA journal_mode = wal")
		if resultCode(err)&0xff != codeBusy || busy <= 0 {
			return err
		}
		select {
		case <-time.After(pause):
			busy -= pause
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hintNewer is the hint for a database of a newer program. It does not name a repair, which would
// lose what this program does not know.
const hintNewer = "update mcp-memory, or restore a backup that this version has made; the file was not changed"

// checkVersion returns the file's schema version, 0 for an empty file.
func checkVersion(ctx context.Context, db queryer) (int, error) {
	var version, id, tables int
	err := db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).
		Scan(&version, &id, &tables)
	if err != nil {
		return 0, err
	}
	switch {
	case tables == 0 && version == 0:
		return 0, nil
	case id != applicationID:
		return 0, memory.Errorf(memory.CodeUnavailable, "the file is a database of another program").
			WithHint("choose another data directory")
	case version > SchemaVersion():
		return 0, memory.Errorf(memory.CodeUnavailable,
			"the database has schema version %d, newer than this program's %d", version, SchemaVersion()).
			WithHint(hintNewer)
	}
	return version, nil
}
