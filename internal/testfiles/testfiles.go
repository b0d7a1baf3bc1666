// Package testfiles gives tests workspaces on disk or in a database, as a flag of the process says.
// Its versions of functions of package os let a test act as the person who edits files: they take
// the path of a workspace's file, and use its row if the files are in a database. So a suite runs
// on both:
//
//	func TestMain(m *testing.M) { os.Exit(testfiles.Both(m)) }
package testfiles

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
	"mcp-memory/workspace"
)

// inRows is true while workspaces are in a database.
var inRows bool

// Both runs a suite with its workspaces on disk and then in a database, which is a [Store] in
// memory. If a PostgreSQL server is under test, it runs the suite only with that. It returns the
// code of [testing.M.Run].
func Both(m *testing.M) int {
	if backend.Server() == "" {
		if code := m.Run(); code != 0 {
			return code
		}
	}
	inRows = true
	return m.Run()
}

// InRows reports whether workspaces are in a database now.
func InRows() bool { return inRows || backend.Server() != "" }

// OnDisk skips a test about folders, links or permissions if workspaces are not on disk.
func OnDisk(t testing.TB) {
	t.Helper()
	if InRows() {
		t.Skip("about files on disk")
	}
}

var (
	mu     sync.Mutex
	stores = map[string]*workspace.Database{} // by the test's directory
)

// Use makes a store hold the workspaces of a directory. It does nothing if they are on disk.
func Use(dir string, store any) {
	if files, can := store.(memory.FileStore); can && InRows() {
		mu.Lock()
		defer mu.Unlock()
		stores[dir] = workspace.In(files)
	}
}

// Open returns the workspace of an agent in a test's directory.
func Open(dir, agent string) workspace.Dir {
	if !InRows() {
		return workspace.Open(dir, agent)
	}
	mu.Lock()
	defer mu.Unlock()
	if stores[dir] == nil {
		stores[dir] = workspace.In(storeOf(dir))
	}
	return stores[dir].Open(agent)
}

// storeOf returns a store for a directory for which [Use] was not called. On a PostgreSQL server
// all such directories share one schema, with a prefix to their agents' names.
func storeOf(dir string) memory.FileStore {
	if backend.Server() == "" {
		return NewStore()
	}
	if onServer == nil {
		url := backend.Database(os.TempDir(), fmt.Sprint("files ", os.Getpid(), time.Now().UnixNano()))
		s, err := backend.Open(context.Background(), url,
			sqlite.Options{Embedder: memory.Fingerprint{Model: "test/none", Dimensions: 4}, Clock: time.Now})
		if err != nil {
			panic(err)
		}
		onServer = s.(memory.FileStore)
	}
	return apart{onServer, backend.Schema(dir) + " "}
}

var onServer memory.FileStore // guarded by mu

// apart is a store in which agents' names have a prefix.
type apart struct {
	memory.FileStore
	prefix string
}

// FilesVersion implements [memory.FileStore].
func (a apart) FilesVersion(ctx context.Context, agent string) (int64, error) {
	return a.FileStore.FilesVersion(ctx, a.prefix+agent)
}

// Files implements [memory.FileStore].
func (a apart) Files(ctx context.Context, agent string, names ...string) ([]memory.FileInfo, error) {
	return a.FileStore.Files(ctx, a.prefix+agent, names...)
}

// FileBytes implements [memory.FileStore].
func (a apart) FileBytes(ctx context.Context, agent, name string, from, length int64) (*memory.FileInfo, []byte, error) {
	return a.FileStore.FileBytes(ctx, a.prefix+agent, name, from, length)
}

// EditFiles implements [memory.FileStore].
func (a apart) EditFiles(ctx context.Context, agent string, fn func(memory.FileTx) error) error {
	return a.FileStore.EditFiles(ctx, a.prefix+agent, fn)
}

// AppendLog implements [memory.FileStore].
func (a apart) AppendLog(ctx context.Context, agent, name, heading, line string) error {
	return a.FileStore.AppendLog(ctx, a.prefix+agent, name, heading, line)
}

// HoldFiles implements [memory.FileStore].
func (a apart) HoldFiles(ctx context.Context, agent, lock, holder string, length time.Duration) (bool, error) {
	return a.FileStore.HoldFiles(ctx, a.prefix+agent, lock, holder, length)
}

// ReleaseFiles implements [memory.FileStore].
func (a apart) ReleaseFiles(ctx context.Context, agent, lock, holder string) error {
	return a.FileStore.ReleaseFiles(ctx, a.prefix+agent, lock, holder)
}

// Path returns the path of a workspace that [Open] returned, for the functions of this package.
func Path(d workspace.Dir) string {
	store, agent := d.Rows()
	if store == nil {
		return d.Path()
	}
	mu.Lock()
	defer mu.Unlock()
	for dir, in := range stores {
		if in.Open(agent) == d {
			return filepath.Join(dir, "workspaces", agent)
		}
	}
	panic("a workspace that was not opened here")
}

// place returns the store, the agent and the name of the file at a path; ok is false if it is on
// disk.
func place(path string) (store memory.FileStore, agent, name string, ok bool) {
	dir, rest, found := strings.Cut(filepath.ToSlash(path), "/workspaces/")
	if !found || !InRows() {
		return nil, "", "", false
	}
	agent, name, _ = strings.Cut(rest, "/")
	store, _ = Open(filepath.FromSlash(dir), agent).Rows()
	return store, agent, name, true
}

// ReadFile is [os.ReadFile].
func ReadFile(path string) ([]byte, error) {
	store, agent, name, ok := place(path)
	if !ok {
		return os.ReadFile(path)
	}
	info, content, err := store.FileBytes(context.Background(), agent, name, 0, -1)
	if err == nil && info == nil {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return content, err
}

// WriteFile is [os.WriteFile]. In a database it is one step.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	store, agent, name, ok := place(path)
	if !ok {
		return os.WriteFile(path, content, perm)
	}
	return store.EditFiles(context.Background(), agent, func(tx memory.FileTx) error {
		old, err := tx.File(name)
		if err != nil {
			return err
		}
		version := int64(0)
		if old != nil {
			version = old.Version
		}
		return tx.PutFile(name, version, content)
	})
}

// Remove is [os.Remove].
func Remove(path string) error {
	store, agent, name, ok := place(path)
	if !ok {
		return os.Remove(path)
	}
	return store.EditFiles(context.Background(), agent, func(tx memory.FileTx) error {
		info, err := tx.File(name)
		if err != nil {
			return err
		}
		if info == nil {
			return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
		}
		return tx.RemoveFile(name)
	})
}

// Rename is [os.Rename], for files.
func Rename(from, to string) error {
	if _, _, _, ok := place(from); !ok {
		return os.Rename(from, to)
	}
	content, err := ReadFile(from)
	if err != nil {
		return err
	}
	if err := WriteFile(to, content, 0o600); err != nil {
		return err
	}
	return Remove(from)
}

// MkdirAll is [os.MkdirAll].
func MkdirAll(path string, perm fs.FileMode) error {
	store, agent, name, ok := place(path)
	if !ok {
		return os.MkdirAll(path, perm)
	}
	if name == "" {
		return nil
	}
	return store.EditFiles(context.Background(), agent, func(tx memory.FileTx) error { return tx.MakeFolder(name) })
}

// Stat is [os.Stat].
func Stat(path string) (fs.FileInfo, error) {
	store, agent, name, ok := place(path)
	if !ok {
		return os.Stat(path)
	}
	missing := &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	if name == "" {
		version, err := store.FilesVersion(context.Background(), agent)
		if err != nil {
			return nil, err
		}
		if version == 0 {
			return nil, missing
		}
		return workspace.InfoOf(memory.FileInfo{Name: agent, Folder: true}), nil
	}
	list, err := store.Files(context.Background(), agent, name)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, missing
	}
	return workspace.InfoOf(list[0]), nil
}

// ReadDir is [os.ReadDir].
func ReadDir(path string) (entries []fs.DirEntry, err error) {
	store, agent, folder, ok := place(path)
	if !ok {
		return os.ReadDir(path)
	}
	list, err := store.Files(context.Background(), agent)
	for _, f := range list {
		rest, below := strings.CutPrefix(f.Name, folder+"/")
		if folder == "" {
			rest, below = f.Name, true
		}
		if below && !strings.Contains(rest, "/") {
			entries = append(entries, fs.FileInfoToDirEntry(workspace.InfoOf(f)))
		}
	}
	return entries, err
}

// Glob is [filepath.Glob] for patterns in the last element of the path.
func Glob(pattern string) (paths []string, err error) {
	if _, _, _, ok := place(pattern); !ok {
		return filepath.Glob(pattern)
	}
	entries, err := ReadDir(filepath.Dir(pattern))
	for _, e := range entries {
		if fits, _ := filepath.Match(filepath.Base(pattern), e.Name()); fits {
			paths = append(paths, filepath.Join(filepath.Dir(pattern), e.Name()))
		}
	}
	return paths, err
}
