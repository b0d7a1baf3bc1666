package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mcp-memory/memory"
)

// Options says how a database is opened.
type Options struct {
	// Embedder is the fingerprint of the embedder in use: it decides which
	// vectors are searched and what new documents are queued for.
	Embedder memory.Fingerprint
	// Clock gives the times that the store itself sets.
	Clock memory.Clock
	// BusyTimeout is how long a write waits for those of other processes;
	// 0 means 20 s.
	BusyTimeout time.Duration
	// Log gets, once each, the problems that are found in the background; nil for no log.
	Log *slog.Logger
	// Bulk is for a process that writes a lot and ends, such as an import: its page cache is 32
	// MB instead of 4, and checkpoints are rarer.
	Bulk bool
	// Citus is not used for a file, but by the other backend, which takes the same options.
	Citus string
}

// Store is a [memory.Store] in one SQLite file. Safe for concurrent use.
type Store struct {
	path   string
	clock  memory.Clock
	dsn    string // data source name of the writer
	writer *writer
	read   *pool // its connections cannot write
	vector vectorSet
	banks  sync.Map // agent → number of its bank
	care   care

	readOnly bool // see openReadOnly
}

var _ memory.Store = (*Store)(nil)

// readers is the size of the reading pool.
const readers = 4

// Open opens the file, makes it if there is none (mode 0600; its directory
// must exist) and brings its schema up to date. Errors are
// [memory.CodeUnavailable] with the reason: the file is not a database, is
// damaged, of another program, newer than this one, or locked. One that cannot
// be written is opened for reading: what writes fails with
// [memory.CodeUnavailable].
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if o.BusyTimeout == 0 {
		o.BusyTimeout = 20 * time.Second
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, cannotOpen(err)
	}
	s, err := openWritable(ctx, path, o)
	if !unwritable(path, err) {
		return s, explain(err)
	}
	if s, readErr := openReadOnly(ctx, path, o); readErr == nil || !unwritable(path, readErr) && !errors.Is(readErr, fs.ErrNotExist) {
		return s, readErr
	}
	if hasLog(path) {
		return nil, memory.Errorf(memory.CodeUnavailable,
			"the database cannot be written, and was not closed: its log cannot be read here").
			WithHint("open it once where it can be written").WithCause(err)
	}
	return nil, explain(err)
}

func openWritable(ctx context.Context, path string, o Options) (*Store, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	s := newClosed(path, o)
	if err := s.open(ctx, o); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func newClosed(path string, o Options) *Store {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Store{path: path, clock: o.Clock,
		care: care{log: o.Log, logged: map[string]bool{}, tempo: usualTempo, scrub: make(chan struct{}, 1), wake: make(chan struct{}, 1)}}
}

func (s *Store) open(ctx context.Context, o Options) (err error) {
	// A batch of an import touches thousands of pages, in a large bank all over the file: with
	// SQLite's default of a cache of 2 MB and a checkpoint at every 4 MB it takes a tenth longer. A
	// single save touches some dozens. For it the log is kept small, as pages in the log take room
	// on the disk a second time.
	cache, log := 4000, 1000 // KiB, and pages
	if o.Bulk {
		cache, log = 32000, 4000
	}
	s.dsn = dsn(s.path, o.BusyTimeout, existing, "_pragma=synchronous(full)", fmt.Sprintf("_pragma=cache_size(-%d)", cache),
		fmt.Sprintf("_pragma=wal_autocheckpoint(%d)", log))
	if s.writer, err = openWriter(ctx, s.dsn); err != nil {
		return err
	}
	if s.read, err = openPool(dsn(s.path, o.BusyTimeout, existing, "_pragma=query_only(1)"), s.care.called); err != nil {
		return err
	}
	if err := migrate(ctx, s.writer, s.path, o.BusyTimeout); err != nil {
		return err
	}
	if s.vector, err = openVectorSet(ctx, s.writer, s.writer, o.Embedder, s.clock()); err != nil {
		return err
	}
	if err := protectWAL(s.path); err != nil {
		return err
	}
	s.writer.files, s.writer.called = newFilesInUse(s.path), s.care.called
	s.read.files = s.writer.files
	return nil
}

// protectWAL gives the files of the write-ahead log the database's own mode, which one of the
// drivers leaves to the umask.
func protectWAL(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return cannotOpen(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Chmod(path+suffix, info.Mode().Perm()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cannotOpen(err)
		}
	}
	return nil
}

// Close closes the file, and scrubs it first where that is still to be done.
func (s *Store) Close() error {
	var errs []error
	if s.writer != nil && s.vector.id != 0 && !s.readOnly { // opening had succeeded
		if err := s.Scrub(context.Background()); !errors.Is(err, sql.ErrConnDone) { // closed before
			errs = append(errs, err)
		}
	}
	if s.read != nil {
		errs = append(errs, s.read.close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	return errors.Join(errs...)
}

// existing is the parameter that keeps a connection from creating a missing file: the database may
// have been deleted since it was first opened.
const existing = "mode=rw"

// dsn builds the data source name in the form that both drivers read, which knows
// absolute paths only.
func dsn(path string, busy time.Duration, params ...string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/...
		slashed = "/" + slashed
	}
	u := url.URL{Scheme: "file", Path: slashed}
	// The busy timeout comes first: the pragmas after it may have to wait.
	s := u.String() + fmt.Sprintf("?_pragma=busy_timeout(%d)", busy.Milliseconds())
	for _, p := range params {
		s += "&" + p
	}
	return s
}

// checkFile makes a missing file with the right mode, and says in plain words
// what is wrong with one that cannot be a database. SQLite would find a
// truncated file only when it reads a page that is gone.
func checkFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return cannotOpen(err)
	}
	defer f.Close()
	return checkOpened(f)
}

// checkHeader is checkFile for a file that exists, which it only reads.
func checkHeader(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return cannotOpen(err)
	}
	defer f.Close()
	return checkOpened(f)
}

func checkOpened(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return cannotOpen(err)
	}
	if info.Size() == 0 {
		return nil
	}
	header := make([]byte, 100)
	if _, err := io.ReadFull(f, header); err != nil || !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) {
		return memory.Errorf(memory.CodeUnavailable, "the file is not a database").
			WithHint("choose another data directory, or move the file away; it was not changed")
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 {
		pageSize = 1 << 16
	}
	want := int64(binary.BigEndian.Uint32(header[28:])) * pageSize
	// A journal is left if the machine failed at the very first start, before WAL mode.
	for _, suffix := range []string{"-wal", "-journal"} {
		if log, err := os.Stat(f.Name() + suffix); err == nil && log.Size() > 0 {
			return nil // the missing pages may be in the log, or SQLite rolls back what the journal has
		}
	}
	if info.Size() < want {
		return memory.Errorf(memory.CodeUnavailable, "the database is damaged: the file has %d bytes, its header says %d",
			info.Size(), want).
			WithHint("restore a backup, or let `mcp-memory doctor --repair` salvage what can be read; the file was not changed")
	}
	return nil
}

func cannotOpen(err error) error {
	e := memory.Errorf(memory.CodeUnavailable, "the database cannot be opened").WithCause(err)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return e.WithHint("no permission to read and write it")
	case errors.Is(err, fs.ErrNotExist):
		return e.WithHint("its directory does not exist")
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return e.WithHint("%v", p.Err)
	}
	return e
}
