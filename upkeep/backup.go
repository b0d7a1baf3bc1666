package upkeep

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/memory"
)

// manifestName is the last file in a backup.
const manifestName = "manifest.json"

// Manifest lists what a backup contains.
type Manifest struct {
	Program string            `json:"program"` // version of the program that wrote it
	MadeAt  time.Time         `json:"made_at"`
	Counts  map[string]int    `json:"counts"` // rows of the database by table
	Files   map[string]string `json:"files"`  // hexadecimal SHA-256 by file name with slashes
}

// Verifier checks a database file and returns its numbers of rows by table, or the error that it
// found.
type Verifier func(ctx context.Context, path string) (map[string]int, error)

// BackupOptions are the options of [Backup].
type BackupOptions struct {
	Dir     string // the data directory
	Store   memory.Caretaker
	Verify  Verifier
	Program string // version of this program
	Clock   memory.Clock
	Replace bool // replace an existing file
	// Progress is called with how many bytes of the database are copied, of about how many. It may
	// be nil.
	Progress func(done, total int64)
}

// Backup writes a backup while others use the store. It reads the backup again to check it before
// giving it its name. [memory.CodeConflict] if the file exists, unless Replace is set; other errors
// are [memory.CodeUnavailable] if files cannot be read or written, and those of [memory.Caretaker]
// and [Verifier].
func Backup(ctx context.Context, name string, o BackupOptions) (m Manifest, err error) {
	if _, err := os.Lstat(name); err == nil && !o.Replace {
		return m, memory.Errorf(memory.CodeConflict, "%s exists", name).WithHint("choose another name, or --force to replace it")
	}
	sweepBackups(filepath.Dir(name))
	stage, err := os.MkdirTemp(filepath.Dir(name), backupStage+"*") // 0700
	if err != nil {
		return m, cannotWrite(name, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	held := flock.New(filepath.Join(stage, stageLock), flock.SetPermissions(filePerm))
	if _, err := held.TryLock(); err != nil {
		return m, cannotWrite(name, err)
	}
	defer func() { err = errors.Join(held.Close(), err) }() // closed before RemoveAll
	database := filepath.Join(stage, Database)
	if err := o.Store.CopyTo(ctx, database, o.Progress); err != nil {
		return m, err
	}
	m = Manifest{Program: o.Program, MadeAt: o.Clock().UTC(), Files: map[string]string{}}
	if m.Counts, err = o.Verify(ctx, database); err != nil {
		return m, err
	}
	archive := filepath.Join(stage, "archive")
	if err := writeArchive(ctx, archive, database, o.Dir, &m); err != nil {
		var path *fs.PathError
		if errors.As(err, &path) && strings.HasPrefix(path.Path, o.Dir) {
			return m, memory.Errorf(memory.CodeUnavailable, "%s cannot be read: %v", path.Path, path.Err).WithCause(err).
				WithHint("check its permissions")
		}
		return m, cannotWrite(name, err)
	}
	if _, err := readArchive(ctx, archive, func(string) (io.WriteCloser, error) { return nopCloser{io.Discard}, nil }); err != nil {
		return m, err
	}
	if err := os.Rename(archive, name); err != nil {
		return m, cannotWrite(name, err)
	}
	return m, syncDir(filepath.Dir(name))
}

// backupStage is the prefix of the directories in which backups are made.
const backupStage = ".mcp-memory-backup-"

// stageLock is the file in such a directory that is locked while its backup is being made.
const stageLock = ".lock"

// sweepBackups removes the directories of backups that were killed, whose lock nobody holds. A
// directory younger than stageNew may not have its lock yet. Errors are ignored: what remains only
// takes room.
func sweepBackups(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, backupStage+"*"))
	for _, stage := range left {
		info, err := os.Stat(stage)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < stageNew && !locksIn(stage) {
			continue
		}
		held := flock.New(filepath.Join(stage, stageLock), flock.SetFlag(os.O_RDWR))
		alone, err := held.TryLock()
		gone := errors.Is(err, fs.ErrNotExist) // killed before it made the lock
		_ = held.Close()
		if alone && err == nil || gone {
			_ = os.RemoveAll(stage)
		}
	}
}

// stageNew is the age up to which a directory without a lock is left alone.
const stageNew = time.Minute

func locksIn(stage string) bool {
	_, err := os.Lstat(filepath.Join(stage, stageLock))
	return err == nil
}

func cannotWrite(name string, err error) error {
	var known *memory.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return memory.Errorf(memory.CodeUnavailable, "%s cannot be written: %v", name, path.Err).WithCause(err).
			WithHint("check the directory and free space")
	}
	return memory.Errorf(memory.CodeUnavailable, "%s cannot be written", name).WithCause(err).WithHint("check the directory and free space")
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// archiveWriter adds files to a backup and their checksums to its manifest.
type archiveWriter struct {
	tar *tar.Writer
	m   *Manifest
}

func writeArchive(ctx context.Context, name, database, dir string, m *Manifest) (err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, filePerm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zip, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	w := archiveWriter{tar.NewWriter(zip), m}
	if err := w.file(Database, database); err != nil {
		return err
	}
	for _, name := range []string{Config, Tokens} {
		if err := w.file(name, filepath.Join(dir, name)); absent(err) != nil {
			return err
		}
	}
	if err := w.tree(ctx, dir, Workspaces); err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := w.text(manifestName, text); err != nil {
		return err
	}
	return errors.Join(w.tar.Close(), zip.Close(), f.Sync())
}

// tree adds the regular files below a directory, if it exists. Lock files are left out.
func (w archiveWriter) tree(ctx context.Context, dir, top string) error {
	return filepath.WalkDir(filepath.Join(dir, top), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return absent(err)
		case ctx.Err() != nil:
			return ctx.Err()
		case !e.Type().IsRegular() || e.Name() == ".lock":
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		// The file is read at once, because others may append to it meanwhile. These files are
		// small.
		text, err := os.ReadFile(path)
		if err != nil {
			return absent(err)
		}
		return w.text(filepath.ToSlash(name), text)
	})
}

// file adds a file that is not changed meanwhile.
func (w archiveWriter) file(name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return w.add(name, info.Size(), f)
}

func (w archiveWriter) text(name string, text []byte) error {
	return w.add(name, int64(len(text)), bytes.NewReader(text))
}

func (w archiveWriter) add(name string, size int64, from io.Reader) error {
	err := w.tar.WriteHeader(&tar.Header{Name: name, Size: size, Mode: int64(filePerm), ModTime: w.m.MadeAt, Format: tar.FormatPAX})
	if err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w.tar, sum), from); err != nil {
		return err
	}
	if name != manifestName {
		w.m.Files[name] = sumText(sum)
	}
	return nil
}

func sumText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
