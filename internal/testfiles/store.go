package testfiles

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-memory/memory"
)

// Store is a [memory.FileStore] in memory. It passes the tests for all of them (dbtest.RunFiles).
type Store struct {
	mu     sync.Mutex
	agents map[string]*files
	last   int64
}

var _ memory.FileStore = (*Store)(nil)

// NewStore returns a store without files.
func NewStore() *Store { return &Store{agents: map[string]*files{}} }

// files are the files and locks of an agent. Contents are never changed in place.
type files struct {
	version int64
	rows    map[string]row
	locks   map[string]held
}

type row struct {
	memory.FileInfo
	content string
}

type held struct {
	by    string
	until time.Time
}

func (s *Store) of(agent string) *files {
	if s.agents[agent] == nil {
		s.agents[agent] = &files{rows: map[string]row{}, locks: map[string]held{}}
	}
	return s.agents[agent]
}

// FilesVersion implements [memory.FileStore].
func (s *Store) FilesVersion(_ context.Context, agent string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(agent).version, nil
}

// Files implements [memory.FileStore].
func (s *Store) Files(_ context.Context, agent string, names ...string) ([]memory.FileInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(agent).list(names), nil
}

func (f *files) list(names []string) (list []memory.FileInfo) {
	for _, name := range slices.Sorted(maps.Keys(f.rows)) {
		if len(names) == 0 || slices.Contains(names, name) {
			list = append(list, f.rows[name].FileInfo)
		}
	}
	return list
}

// FileBytes implements [memory.FileStore].
func (s *Store) FileBytes(_ context.Context, agent, name string, from, length int64) (*memory.FileInfo, []byte, error) {
	if err := memory.CheckFileName(name); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found, there := s.of(agent).rows[name]
	if !there {
		return nil, nil, nil
	}
	return &found.FileInfo, found.bytes(from, length), nil
}

func (r row) bytes(from, length int64) []byte {
	size := int64(len(r.content))
	from = min(max(from, 0), size)
	if length < 0 || from+length > size {
		length = size - from
	}
	return []byte(r.content[from : from+length])
}

// EditFiles implements [memory.FileStore].
func (s *Store) EditFiles(ctx context.Context, agent string, fn func(memory.FileTx) error) error {
	if agent == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "agent is empty")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.of(agent)
	now := &edit{files: files{was.version, maps.Clone(was.rows), maps.Clone(was.locks)}, at: time.Now()}
	now.next = max(s.last+1, now.at.UnixMicro())
	if err := fn(now); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.agents[agent], s.last = &now.files, now.next
	return nil
}

// AppendLog implements [memory.FileStore].
func (s *Store) AppendLog(ctx context.Context, agent, name, heading, line string) error {
	return s.EditFiles(ctx, agent, func(tx memory.FileTx) error {
		if info, err := tx.File(name); err != nil || info != nil {
			heading = ""
		}
		return tx.AppendFile(name, []byte(heading+line))
	})
}

// HoldFiles implements [memory.FileStore].
func (s *Store) HoldFiles(_ context.Context, agent, lock, holder string, length time.Duration) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	locks, now := s.of(agent).locks, time.Now()
	if l, there := locks[lock]; there && l.by != holder && l.until.After(now) {
		return false, nil
	}
	locks[lock] = held{holder, now.Add(length)}
	return true, nil
}

// ReleaseFiles implements [memory.FileStore].
func (s *Store) ReleaseFiles(_ context.Context, agent, lock, holder string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if locks := s.of(agent).locks; locks[lock].by == holder {
		delete(locks, lock)
	}
	return nil
}

// edit is a [memory.FileTx].
type edit struct {
	files
	next int64
	at   time.Time
}

var _ memory.FileTx = (*edit)(nil)

// Files implements [memory.FileTx].
func (e *edit) Files() ([]memory.FileInfo, error) { return e.list(nil), nil }

// File implements [memory.FileTx].
func (e *edit) File(name string) (*memory.FileInfo, error) {
	found, there := e.rows[name]
	if err := memory.CheckFileName(name); err != nil || !there {
		return nil, err
	}
	return &found.FileInfo, nil
}

// Bytes implements [memory.FileTx].
func (e *edit) Bytes(name string, from, length int64) ([]byte, error) {
	return e.rows[name].bytes(from, length), memory.CheckFileName(name)
}

// PutFile implements [memory.FileTx].
func (e *edit) PutFile(name string, expected int64, content []byte) error {
	old, err := e.File(name)
	switch {
	case err != nil:
		return err
	case old == nil && expected != 0, old != nil && (old.Folder || old.Version != expected):
		return memory.ErrFileVersion(name)
	}
	return e.set(name, string(content))
}

func (e *edit) set(name, content string) error {
	if at := strings.LastIndexByte(name, '/'); at >= 0 {
		if err := e.MakeFolder(name[:at]); err != nil {
			return err
		}
	}
	e.version = e.next
	e.rows[name] = row{memory.FileInfo{Name: name, Size: int64(len(content)), Version: e.next, ChangedAt: e.at}, content}
	return nil
}

// AppendFile implements [memory.FileTx].
func (e *edit) AppendFile(name string, content []byte) error {
	old, err := e.File(name)
	switch {
	case err != nil:
		return err
	case old != nil && old.Folder:
		return memory.ErrFileVersion(name)
	}
	return e.set(name, e.rows[name].content+string(content))
}

// CutFile implements [memory.FileTx].
func (e *edit) CutFile(name string, size int64) error {
	old, err := e.File(name)
	if err != nil || old == nil || old.Folder || old.Size <= size {
		return err
	}
	return e.set(name, e.rows[name].content[:size])
}

// RemoveFile implements [memory.FileTx].
func (e *edit) RemoveFile(name string) error {
	if err := memory.CheckFileName(name); err != nil {
		return err
	}
	e.version = e.next
	maps.DeleteFunc(e.rows, func(one string, _ row) bool { return one == name || strings.HasPrefix(one, name+"/") })
	return nil
}

// RemoveFiles implements [memory.FileTx].
func (e *edit) RemoveFiles() error {
	e.version = 0
	clear(e.rows)
	clear(e.locks)
	return nil
}

// MakeFolder implements [memory.FileTx].
func (e *edit) MakeFolder(name string) error {
	if err := memory.CheckFileName(name); err != nil {
		return err
	}
	if at := strings.LastIndexByte(name, '/'); at >= 0 {
		if err := e.MakeFolder(name[:at]); err != nil {
			return err
		}
	}
	old, there := e.rows[name]
	if there && !old.Folder {
		return memory.Errorf(memory.CodeConflict, "%s is a file, and no folder", name)
	}
	if !there {
		e.version = e.next
		e.rows[name] = row{FileInfo: memory.FileInfo{Name: name, Folder: true, Version: e.next, ChangedAt: e.at}}
	}
	return nil
}

// Held implements [memory.FileTx].
func (e *edit) Held(lock, holder string) (bool, error) { return e.locks[lock].by == holder, nil }
