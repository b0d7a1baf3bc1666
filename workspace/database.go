package workspace

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
)

// Database keeps the workspaces of all agents in a database, for several servers at once. Safe
// for concurrent use.
type Database struct {
	store memory.FileStore
	name  string // unique in the process: paths in its caches begin with it
}

var databases atomic.Int64

// In returns the workspaces that are in a database.
func In(store memory.FileStore) *Database {
	return &Database{store, fmt.Sprintf("database %d", databases.Add(1))}
}

// Open returns the workspace of an agent, or of [memory.SharedFiles]. Nothing is made before
// something is written.
func (b *Database) Open(agent string) Dir {
	return Dir{path: b.name + "/" + agent, in: b, agent: agent}
}

// inRows is a workspace in a database as a [place]: inside of a transaction if there is
// one, else only to be read.
type inRows struct {
	ctx   context.Context
	dir   Dir
	tx    memory.FileTx
	known map[string]*memory.FileInfo // what the transaction has looked at since it wrote last
}

var _ place = (*inRows)(nil)

// Rows returns the store that has the files of a workspace in a database, and the agent whose
// they are there; nil for a workspace on disk.
func (d Dir) Rows() (store memory.FileStore, agent string) {
	if d.in == nil {
		return nil, ""
	}
	return d.in.store, d.agent
}

// InfoOf is what is known of a file in a database, as of one on disk. Its Sys is the version.
func InfoOf(f memory.FileInfo) fs.FileInfo { return rowInfo{f} }

// aloneInRows is [Dir.alone] by a transaction: what work does is done whole, or not at all. If d
// was given by whileMirroring and its lock is lost to another server, nothing is written.
func (d Dir) aloneInRows(ctx context.Context, work func(tree) error) error {
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	return d.in.store.EditFiles(wait, d.agent, func(tx memory.FileTx) error {
		if d.holder != "" {
			held, err := tx.Held(mirrorLock, d.holder)
			if err != nil {
				return err
			}
			if !held {
				return errInUse()
			}
		}
		return work(tree{&inRows{wait, d, tx, map[string]*memory.FileInfo{}}})
	})
}

func errInUse() error {
	return memory.Errorf(memory.CodeUnavailable, "the workspace is in use").WithHint("try again; another process is writing to it")
}

// lease is how long the lock of whileMirroring lasts unless it is prolonged, as it is while work
// goes on: a server that dies keeps others waiting for that long.
const lease = 5 * time.Second

// mirroringInRows is [Dir.whileMirroring] by a lock in the database that ends by itself.
func (d Dir) mirroringInRows(ctx context.Context, work func(Dir) error) error {
	d.holder = rand.Text()
	store := d.in.store
	end := time.Now().Add(lockWait)
	for pause := lockPoll; ; pause = min(2*pause, 50*time.Millisecond) {
		held, err := store.HoldFiles(ctx, d.agent, mirrorLock, d.holder, lease)
		if err != nil {
			return err
		}
		if held {
			break
		}
		if time.Now().After(end) {
			return errInUse()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	prolonging, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-prolonging.Done():
				return
			case <-time.After(lease / 3):
				_, _ = store.HoldFiles(prolonging, d.agent, mirrorLock, d.holder, lease) // else alone finds it lost
			}
		}
	}()
	defer func() {
		stop()
		<-ended
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), lease)
		defer cancel()
		_ = store.ReleaseFiles(release, d.agent, mirrorLock, d.holder) // else it ends by itself
	}()
	return work(d)
}

// logInRows adds a line to a log, behind a heading if it is new. Like a line on disk it is
// not durable at once: the database is the truth.
func (d Dir) logInRows(name, heading, line string) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return d.in.store.AppendLog(ctx, d.agent, name, heading, line)
}

// looksInRows is how some files are now, by their names; none if that cannot be told.
func (d Dir) looksInRows(ctx context.Context, names ...string) map[string]look {
	list, err := d.in.store.Files(ctx, d.agent, names...)
	if err != nil {
		return nil
	}
	looks := make(map[string]look, len(names))
	for _, name := range names {
		looks[name] = look{at: time.Now()}
	}
	for _, f := range list {
		looks[f.Name] = look{info: rowInfo{f}, at: time.Now()}
	}
	return looks
}

// rowInfo is what is known of a file in a database.
type rowInfo struct{ memory.FileInfo }

var (
	_ fs.FileInfo = rowInfo{}
	_ fs.DirEntry = rowInfo{}
)

// version reports whether a file has the version that it had before.
func (i rowInfo) version(before fs.FileInfo) bool {
	b, ok := before.(rowInfo)
	return ok && b.Version == i.Version
}

// Name implements [fs.FileInfo].
func (i rowInfo) Name() string { return path.Base(i.FileInfo.Name) }

// Size implements [fs.FileInfo].
func (i rowInfo) Size() int64 { return i.FileInfo.Size }

// Mode implements [fs.FileInfo].
func (i rowInfo) Mode() fs.FileMode {
	if i.Folder {
		return fs.ModeDir | dirPerm
	}
	return filePerm
}

// ModTime implements [fs.FileInfo].
func (i rowInfo) ModTime() time.Time { return i.ChangedAt }

// IsDir implements [fs.FileInfo].
func (i rowInfo) IsDir() bool { return i.Folder }

// Sys implements [fs.FileInfo]: the version.
func (i rowInfo) Sys() any { return i.Version }

// Type implements [fs.DirEntry].
func (i rowInfo) Type() fs.FileMode { return i.Mode().Type() }

// Info implements [fs.DirEntry].
func (i rowInfo) Info() (fs.FileInfo, error) { return i, nil }

// top is the workspace itself.
var top = rowInfo{memory.FileInfo{Name: ".", Folder: true}}

// find returns what is known of a file or folder, nil if it is not there.
func (r *inRows) find(name string) (*memory.FileInfo, error) {
	if r.tx == nil {
		list, err := r.dir.in.store.Files(r.ctx, r.dir.agent, name)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return &list[0], nil
	}
	if info, ok := r.known[name]; ok {
		return info, nil
	}
	info, err := r.tx.File(name)
	if err == nil {
		r.known[name] = info
	}
	return info, err
}

// writes returns the transaction for a change, and forgets what it has looked at.
func (r *inRows) writes() (memory.FileTx, error) {
	if r.tx == nil {
		return nil, fs.ErrPermission
	}
	clear(r.known)
	return r.tx, nil
}

// Lstat implements [place].
func (r *inRows) Lstat(name string) (fs.FileInfo, error) {
	if name == "." {
		return top, nil
	}
	info, err := r.find(name)
	if err != nil {
		return nil, err
	}
	if info == nil {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrNotExist}
	}
	return rowInfo{*info}, nil
}

// ReadFile implements [place].
func (r *inRows) ReadFile(name string) (content []byte, err error) {
	var info *memory.FileInfo
	if r.tx == nil {
		info, content, err = r.dir.in.store.FileBytes(r.ctx, r.dir.agent, name, 0, -1)
	} else if info, err = r.find(name); err == nil && info != nil {
		content, err = r.tx.Bytes(name, 0, -1)
	}
	if err == nil && (info == nil || info.Folder) {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return content, err
}

// Remove implements [place].
func (r *inRows) Remove(name string) error {
	info, err := r.Lstat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if entries, err := fs.ReadDir(r.FS(), name); err != nil || len(entries) > 0 {
			return errors.Join(err, &fs.PathError{Op: "remove", Path: name, Err: fs.ErrExist})
		}
	}
	tx, err := r.writes()
	if err != nil {
		return err
	}
	return tx.RemoveFile(name)
}

// Mkdir implements [place].
func (r *inRows) Mkdir(name string, perm fs.FileMode) error {
	if _, err := r.Lstat(name); err == nil {
		return &fs.PathError{Op: "make", Path: name, Err: fs.ErrExist}
	}
	return r.MkdirAll(name, perm)
}

// MkdirAll implements [place].
func (r *inRows) MkdirAll(name string, _ fs.FileMode) error {
	tx, err := r.writes()
	if err != nil || name == "." {
		return err
	}
	return tx.MakeFolder(name)
}

// Close implements [place].
func (r *inRows) Close() error { return nil }

// shut implements [place]: a file makes its folder.
func (r *inRows) shut(string) error { return nil }

// syncFolder implements [place].
func (r *inRows) syncFolder(string) error { return nil }

// replace implements [place].
func (r *inRows) replace(name string, old text, content string) (done bool, err error) {
	found, err := tree{r}.read(name)
	if err != nil || found.exists != old.exists || found.content != old.content {
		return false, err
	}
	return true, r.keep(name, []byte(content), true)
}

// put implements [place].
func (r *inRows) put(name, old, content string, _ fs.FileMode) (done bool, err error) {
	if found, err := r.ReadFile(name); err != nil || string(found) != old {
		return false, err
	}
	return true, r.keep(name, []byte(content), true)
}

// keep implements [place].
func (r *inRows) keep(name string, content []byte, _ bool) error {
	info, err := r.find(name)
	if err != nil {
		return err
	}
	expected := int64(0)
	if info != nil {
		expected = info.Version
	}
	tx, err := r.writes()
	if err != nil {
		return err
	}
	return tx.PutFile(name, expected, content)
}

// open implements [place].
func (r *inRows) open(name string, _ fs.FileInfo) (log, error) { return rowLog{r, name}, nil }

// rowLog is a [log] in a database.
type rowLog struct {
	rows *inRows
	name string
}

// ReadAt implements [io.ReaderAt].
func (l rowLog) ReadAt(b []byte, at int64) (int, error) {
	content, err := l.rows.tx.Bytes(l.name, at, int64(len(b)))
	n := copy(b, content)
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

// add implements [log].
func (l rowLog) add(s string, _ int64) error {
	tx, err := l.rows.writes()
	if err != nil {
		return err
	}
	return tx.AppendFile(l.name, []byte(s))
}

// cut implements [log].
func (l rowLog) cut(size int64) error {
	tx, err := l.rows.writes()
	if err != nil {
		return err
	}
	return tx.CutFile(l.name, size)
}

// Close implements [log].
func (l rowLog) Close() error { return nil }

// FS implements [place]: what is there when it is first asked.
func (r *inRows) FS() fs.FS { return &rowsFS{rows: r} }

// rowsFS lists the files of a workspace.
type rowsFS struct {
	rows *inRows
	list []memory.FileInfo
	read bool
}

var (
	_ fs.ReadDirFS = (*rowsFS)(nil)
	_ fs.StatFS    = (*rowsFS)(nil)
)

func (f *rowsFS) all() ([]memory.FileInfo, error) {
	if f.read {
		return f.list, nil
	}
	var err error
	if f.rows.tx != nil {
		f.list, err = f.rows.tx.Files()
	} else {
		f.list, err = f.rows.dir.in.store.Files(f.rows.ctx, f.rows.dir.agent)
	}
	f.read = err == nil
	return f.list, err
}

// Open implements [fs.FS].
func (f *rowsFS) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	content, err := f.rows.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return openedRow{info, bytes.NewReader(content)}, nil
}

// openedRow is a file that was read.
type openedRow struct {
	info fs.FileInfo
	*bytes.Reader
}

// Stat implements [fs.File].
func (o openedRow) Stat() (fs.FileInfo, error) { return o.info, nil }

// Close implements [fs.File].
func (o openedRow) Close() error { return nil }

// Stat implements [fs.StatFS].
func (f *rowsFS) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return top, nil
	}
	list, err := f.all()
	if err != nil {
		return nil, err
	}
	at, found := slices.BinarySearchFunc(list, name, func(one memory.FileInfo, name string) int { return strings.Compare(one.Name, name) })
	if !found {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrNotExist}
	}
	return rowInfo{list[at]}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (f *rowsFS) ReadDir(name string) (entries []fs.DirEntry, err error) {
	if folder, err := f.Stat(name); err != nil || !folder.IsDir() {
		return nil, errors.Join(err, notFolder(name, err))
	}
	list, err := f.all()
	if err != nil {
		return nil, err
	}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	from, _ := slices.BinarySearchFunc(list, prefix,
		func(one memory.FileInfo, prefix string) int { return strings.Compare(one.Name, prefix) })
	for _, one := range list[from:] {
		rest, below := strings.CutPrefix(one.Name, prefix)
		if !below {
			break
		}
		if !strings.Contains(rest, "/") {
			entries = append(entries, rowInfo{one})
		}
	}
	return entries, nil
}

func notFolder(name string, err error) error {
	if err != nil {
		return nil
	}
	return &fs.PathError{Op: "list", Path: name, Err: fs.ErrInvalid}
}
