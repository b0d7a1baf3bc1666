package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"mcp-memory/memory"
)

// unwritable reports whether a database could not be opened because it, or its
// directory, cannot be written, as on read-only media.
func unwritable(path string, err error) bool {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return true
	}
	switch resultCode(err) & 0xff {
	case codeReadOnly:
		return true
	case codeCantOpen: // the write-ahead log; or there are too many open files
		f, err := os.CreateTemp(filepath.Dir(path), ".writable-*")
		if err != nil {
			return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
		}
		f.Close()
		os.Remove(f.Name())
	}
	return false
}

// openReadOnly opens a database that cannot be written; writes fail with [memory.CodeUnavailable].
// Without a write-ahead log beside it the file is opened as immutable, as SQLite could not create
// the log's index (-shm). A log that is there is read, if its index is there too and the driver
// can. The database must have this program's schema and, if an embedder is given, a vector set of
// it, since neither could be added here.
func openReadOnly(ctx context.Context, path string, o Options) (*Store, error) {
	if hasLog(path) {
		return openUnchanged(ctx, path, o)
	}
	return openUnchanged(ctx, path, o, "immutable=1")
}

// OpenToRead opens a database that others may be using, and changes nothing: not even
// its schema, which has to be of this program. Without an embedder among the options no
// vectors can be asked for. Errors are those of [Open].
func OpenToRead(ctx context.Context, path string, o Options) (*Store, error) {
	if o.BusyTimeout == 0 {
		o.BusyTimeout = time.Second
	}
	s, err := openUnchanged(ctx, path, o)
	if unwritable(path, err) {
		return openReadOnly(ctx, path, o)
	}
	return s, err
}

// openUnchanged opens a store for reading only, with further parameters of the data source name.
func openUnchanged(ctx context.Context, path string, o Options, params ...string) (*Store, error) {
	if err := checkHeader(path); err != nil {
		return nil, err
	}
	access := append(params, "mode=ro", "_pragma=query_only(1)")
	s := newClosed(path, o)
	s.readOnly = true
	s.dsn = dsn(path, o.BusyTimeout, access...)
	if err := s.openUnchanged(ctx, o); err != nil {
		s.Close()
		return nil, explain(err)
	}
	return s, nil
}

// openToRead opens one connection to a database that others may be using and that is only read.
// access is the mode parameter where the medium can be written; where it cannot and there is no
// log, the file is opened as immutable instead.
func openToRead(ctx context.Context, path string, busy time.Duration, access string, params ...string) (*sql.DB, error) {
	db, err := openAndRead(ctx, dsn(path, busy, append(params, access)...))
	if unwritable(path, err) && !hasLog(path) {
		return openAndRead(ctx, dsn(path, busy, append(params, "mode=ro", "immutable=1")...))
	}
	return db, err
}

// openAndRead opens one connection and reads the schema, as the driver opens the file only at the
// first statement.
func openAndRead(ctx context.Context, dsn string) (*sql.DB, error) {
	db, err := OpenDriver(dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var objects int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&objects); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// hasLog reports whether there is a write-ahead log with something in it: some
// process has the database open, or ended without closing it.
func hasLog(path string) bool {
	wal, err := os.Stat(path + "-wal")
	return err == nil && wal.Size() > 0
}

func (s *Store) openUnchanged(ctx context.Context, o Options) (err error) {
	if s.writer, err = openWriter(ctx, s.dsn); err != nil {
		return err
	}
	if s.read, err = openPool(s.dsn, s.care.called); err != nil {
		return err
	}
	old := func(what string) error {
		return memory.Errorf(memory.CodeUnavailable, "the database cannot be written, and %s", what).
			WithHint("open it once with this version and these settings where it can be written")
	}
	version, err := checkVersion(ctx, s.writer)
	switch {
	case err != nil:
		return err
	case version < SchemaVersion():
		return old("is of an earlier version of the program")
	}
	if s.vector, err = findVectorSet(ctx, s.writer, o.Embedder); err != nil {
		return err
	}
	if s.vector.id == 0 && o.Embedder != (memory.Fingerprint{}) {
		return old("has no vectors of this embedder")
	}
	s.writer.files = newFilesInUse(s.path)
	s.read.files = s.writer.files
	return nil
}

// ReadOnly reports whether the database can only be read.
func (s *Store) ReadOnly() bool { return s.readOnly }
