package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// Foreign is another program's database, opened for reading: neither it nor what
// lies beside it is ever changed. Its rows are read a page at a time, so that its
// program can go on writing. Not safe for concurrent use.
type Foreign struct {
	path  string // as it was named
	file  string // the file that is read: path or its copy
	copy  string // folder of the copy, "" for none
	still bool   // nobody had it open, so it was opened as immutable
	db    *sql.DB
}

// foreignBusy is how long reading waits for a lock that the other program holds.
const foreignBusy = 3 * time.Second

// OpenForeign opens another program's database file. If it cannot be read in place, because it was
// not closed properly and its folder cannot be written, it reads a copy in the folder for temporary
// files. Errors are [memory.CodeUnavailable]: the file does not exist, is no database, damaged,
// locked, or made by a newer SQLite.
func OpenForeign(ctx context.Context, path string) (*Foreign, error) {
	f := &Foreign{path: path, file: path}
	mode, err := foreignMode(path)
	if err != nil {
		return nil, f.explain(err)
	}
	params := []string{"mode=ro", "_pragma=query_only(1)"}
	// In WAL mode without a log beside it nobody has the file open. Unless it is opened as
	// immutable, SQLite would create a log and leave it there.
	if f.still = mode == modeWAL && !exists(path+"-wal") && !exists(path+"-shm"); f.still {
		params = append(params, "immutable=1")
	}
	f.db, err = openAndRead(ctx, dsn(path, foreignBusy, params...))
	if err != nil && needsCopy(err) {
		err = f.openCopy(ctx)
	}
	if err != nil {
		return nil, errors.Join(f.explain(err), f.Close())
	}
	return f, nil
}

// The journal modes of SQLite as byte 18 of a file's header has them.
const (
	modeJournal = 1
	modeWAL     = 2
)

// errNoDatabase and errCutOff are what is wrong with a file as such.
var (
	errNoDatabase = errors.New("not a database")
	errCutOff     = errors.New("cut off")
)

// foreignMode returns the journal mode from the header of a database file, after checking that it is
// one and is not cut off.
func foreignMode(path string) (mode byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errNoDatabase
	}
	file, err := plainfile.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	header := make([]byte, 100)
	if _, err := file.ReadAt(header, 0); err != nil || !strings.HasPrefix(string(header), "SQLite format 3\x00") {
		return 0, errNoDatabase
	}
	if err := checkOpened(file); err != nil {
		return 0, errCutOff
	}
	return header[18], nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// needsCopy reports whether an error shows that a database cannot be read in place, because SQLite
// cannot create the files beside it that it needs, or would have to roll back an unfinished
// transaction first.
func needsCopy(err error) bool {
	code := resultCode(err) & 0xff
	return code == codeReadOnly || code == codeCantOpen
}

// openCopy copies the file with its log or journal to a temporary folder, and opens the copy.
func (f *Foreign) openCopy(ctx context.Context) (err error) {
	if f.copy, err = os.MkdirTemp("", "mcp-memory-import-"); err != nil {
		return err
	}
	f.file = filepath.Join(f.copy, "copy.db")
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if suffix == "" || exists(f.path+suffix) {
			if err := copyFile(ctx, f.path+suffix, f.file+suffix); err != nil {
				return err
			}
		}
	}
	f.db, err = openAndRead(ctx, dsn(f.file, foreignBusy, existing))
	return err
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := plainfile.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for err == nil {
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(out, in, 16<<20)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, out.Close())
}

// Close ends the use of the file.
func (f *Foreign) Close() (err error) {
	if f.db != nil {
		err = f.db.Close()
	}
	if f.copy != "" {
		err = errors.Join(err, os.RemoveAll(f.copy))
	}
	return err
}

// Columns returns the names of a table's columns, none if there is no such table.
func (f *Foreign) Columns(ctx context.Context, table string) ([]string, error) {
	names, err := queryAll(ctx, f.db, rows.ScanText, `SELECT name FROM pragma_table_info(?)`, table)
	return names, f.explain(err)
}

// foreignPage is how many rows are read at a time.
const foreignPage = 200

// Each calls fn for every row of a table in order of rowid, with the rowid and the values of the
// columns: nil, int64, float64, string or []byte.
func (f *Foreign) Each(ctx context.Context, table string, columns []string, fn func(row int64, values []any) error) error {
	// The unary plus makes each column an expression: drivers convert a column by its declared
	// type, and an expression has none.
	query := `SELECT rowid`
	for _, c := range columns {
		query += `, +` + quoted(c)
	}
	query += ` FROM ` + quoted(table) + ` WHERE rowid > ? ORDER BY rowid LIMIT ?`
	for after := int64(math.MinInt64); ; {
		rows, err := queryAll(ctx, f.db, func(row rows.Row) ([]any, error) {
			values, pointers := make([]any, len(columns)+1), make([]any, len(columns)+1)
			for i := range values {
				pointers[i] = &values[i]
			}
			return values, row.Scan(pointers...)
		}, query, after, foreignPage)
		if err != nil {
			return f.explain(err)
		}
		for _, values := range rows {
			number, ok := values[0].(int64)
			if !ok {
				return f.explain(fmt.Errorf("the rows of %s have no numbers", table))
			}
			after = number
			if err := fn(number, values[1:]); err != nil {
				return err
			}
		}
		if len(rows) < foreignPage {
			return nil
		}
		if err := f.follow(ctx); err != nil {
			return err
		}
	}
}

// follow opens a file that was opened as immutable anew if somebody has begun to write to it.
func (f *Foreign) follow(ctx context.Context) error {
	if !f.still || !exists(f.path+"-wal") {
		return nil
	}
	f.still = false
	err := f.db.Close()
	if err == nil {
		f.db, err = openAndRead(ctx, dsn(f.path, foreignBusy, "mode=ro", "_pragma=query_only(1)"))
	}
	return f.explain(err)
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// explain turns an error of the driver into one for people.
func (f *Foreign) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := func(what, hint string) error {
		return memory.Errorf(memory.CodeUnavailable, "%s %s", f.path, what).WithHint("%s", hint).WithCause(err)
	}
	switch code := resultCode(err) & 0xff; {
	case errors.Is(err, errNoDatabase):
		return e("is no database", "name the file of the program, or its export")
	case errors.Is(err, errCutOff):
		return e("is damaged: it is shorter than it says", "nothing of it was changed; take a backup of it, or an export of its program")
	case code == codeBusy || code == codeLocked:
		return e("is locked by the program that it belongs to", "close that program and import again")
	case code == codeCorrupt || code == codeNotADB:
		return e("is damaged", "nothing of it was changed; take a backup of it, or an export of its program")
	case code == codeError && strings.Contains(err.Error(), "unsupported file format"):
		return e("was made by a newer SQLite than this program has", "take an export of its program instead")
	case errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) || code == codeCantOpen || code == codeReadOnly ||
		code == codeIOErr:
		return e("cannot be read", "check that it is there and may be read")
	}
	return e("cannot be read as its program's", "it may be of a newer version; take an export of its program instead")
}
