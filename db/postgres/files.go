package postgres

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

var _ memory.FileStore = (*Store)(nil)

// filers is the size of the connection pool that writes files. It is not that of [Store.Write],
// whose functions may wait for a file: they could hold all connections of a shared pool, and none
// would be left to write it.
const filers = 4

// partBytes is the size up to which a short text is appended to the last part of a file (a row of
// workspace_parts). From there on it gets a part of its own.
const partBytes = 8 << 10

// nowMicros is the database's time in microseconds since 1970. Unlike the clocks of servers it is
// the same for all of them.
const nowMicros = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

const fileColumns = `name, folder, size, version, changed_at`

func scanFile(row rows.Row) (f memory.FileInfo, err error) {
	return f, row.Scan(&f.Name, &f.Folder, &f.Size, &f.Version, rows.FromMicros(&f.ChangedAt))
}

func scanNumber(row rows.Row) (n int64, err error) { return n, row.Scan(&n) }

const (
	selectFiles = `SELECT ` + fileColumns + ` FROM workspace_files WHERE agent = ? ORDER BY name`
	selectFile  = `SELECT ` + fileColumns + ` FROM workspace_files WHERE agent = ? AND name = ?`
	selectNamed = `SELECT ` + fileColumns + ` FROM workspace_files WHERE agent = ? AND name = ANY(?) ORDER BY name`
	selectParts = `SELECT at, content FROM workspace_parts WHERE agent = ?1 AND name = ?2 AND at < ?4 AND at + length(content) > ?3 ORDER BY at`
)

// FilesVersion implements [memory.FileStore].
func (s *Store) FilesVersion(ctx context.Context, agent string) (int64, error) {
	version, err := rows.One(s.as(ctx, agent), scanNumber, `SELECT version FROM workspaces WHERE agent = ?`, agent)
	if err != nil || version == nil {
		return 0, err
	}
	return *version, nil
}

// Files implements [memory.FileStore].
func (s *Store) Files(ctx context.Context, agent string, names ...string) ([]memory.FileInfo, error) {
	if len(names) > 0 {
		return rows.All(s.as(ctx, agent), scanFile, selectNamed, agent, names)
	}
	return rows.All(s.as(ctx, agent), scanFile, selectFiles, agent)
}

// FileBytes implements [memory.FileStore]. One statement reads the file's metadata and its bytes,
// so that they are of the same version.
func (s *Store) FileBytes(ctx context.Context, agent, name string, from, length int64) (found *memory.FileInfo, content []byte, err error) {
	if err := memory.CheckFileName(name); err != nil {
		return nil, nil, err
	}
	from, to := span(from, length)
	err = s.as(ctx, agent).Query(func(row rows.Row) error {
		var f memory.FileInfo
		var at *int64
		var part []byte
		if err := row.Scan(&f.Name, &f.Folder, &f.Size, &f.Version, rows.FromMicros(&f.ChangedAt), &at, &part); err != nil {
			return err
		}
		if found == nil {
			found, content = &f, nil
		}
		if at != nil {
			content = append(content, within(part, *at, from, to)...)
		}
		return nil
	}, `SELECT f.name, f.folder, f.size, f.version, f.changed_at, p.at, p.content FROM workspace_files f
		LEFT JOIN workspace_parts p ON p.agent = f.agent AND p.name = f.name AND p.at < ?4 AND p.at + length(p.content) > ?3
		WHERE f.agent = ?1 AND f.name = ?2 ORDER BY p.at`, agent, name, from, to)
	return found, content, err
}

// span returns the range [from, to) of bytes that is asked for; a negative length means all from
// there on.
func span(from, length int64) (int64, int64) {
	from = max(from, 0)
	if length < 0 || length > memory.MaxFileBytes {
		length = memory.MaxFileBytes
	}
	return from, from + length
}

// within returns the bytes of a part that lie in the range [from, to) of its file; at is where the
// part begins in the file.
func within(part []byte, at, from, to int64) []byte {
	begin, end := max(from-at, 0), min(to-at, int64(len(part)))
	if begin >= end {
		return nil
	}
	return part[begin:end]
}

// EditFiles implements [memory.FileStore].
func (s *Store) EditFiles(ctx context.Context, agent string, fn func(memory.FileTx) error) error {
	if agent == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "agent is empty")
	}
	return s.transactionOn(ctx, s.files, agent, func(t *tx) error {
		f := &fileTx{tx: t}
		if err := f.open(); err != nil {
			return err
		}
		if err := fn(f); err != nil {
			return err
		}
		return f.note()
	})
}

// AppendLog implements [memory.FileStore]. Appending to an existing file takes one round trip
// (growLog).
func (s *Store) AppendLog(ctx context.Context, agent, name, heading, line string) error {
	if err := memory.CheckFileName(name); err != nil {
		return err
	}
	if added, err := s.growLog(ctx, agent, name, line); added || err != nil {
		return err
	}
	return s.EditFiles(ctx, agent, func(t memory.FileTx) error {
		if err := t.(*fileTx).Exec(hasty); err != nil {
			return err
		}
		info, err := t.File(name)
		if err != nil {
			return err
		}
		text := line
		if info == nil {
			text = heading + line
		}
		return t.AppendFile(name, []byte(text))
	})
}

// growLog appends a line to a file in one round trip. It reports false, and appends nothing, if the
// file does not exist, is a folder, is empty or would become too large, or if the line is empty or
// has partBytes or more. The line is appended only if the UPDATE before it found the workspace, and
// so locked it: its row then has this call's writer. Without that check, another server could
// create the workspace between the two statements.
func (s *Store) growLog(ctx context.Context, agent, name, line string) (added bool, err error) {
	if agent == "" || len(line) == 0 || len(line) >= partBytes {
		return false, nil
	}
	err = s.transactionOn(ctx, s.files, agent, func(t *tx) error {
		added = false
		writer := rand.Int64()
		t.ask(nil, hasty)
		t.ask(nil, `UPDATE workspaces SET version = greatest(version + 1, `+databaseTime+`), writer = ? WHERE agent = ?`, writer, agent)
		t.ask(func(rows.Row) error { added = true; return nil }, `WITH log AS (
				UPDATE workspace_files f SET size = f.size + length(?3::bytea), version = w.version, changed_at = `+databaseTime+`
				FROM workspaces w WHERE w.agent = ?1 AND w.writer = ?6 AND f.agent = ?1 AND f.name = ?2 AND NOT f.folder AND f.size BETWEEN 1 AND ?4 - length(?3::bytea)
				RETURNING f.size - length(?3::bytea) AS at),
			grown AS (
				UPDATE workspace_parts SET content = content || ?3 WHERE agent = ?1 AND name = ?2 AND length(content) < ?5
				AND at = (SELECT max(at) FROM workspace_parts WHERE agent = ?1 AND name = ?2) AND EXISTS (SELECT FROM log) RETURNING at),
			put AS (
				INSERT INTO workspace_parts (agent, name, at, content) SELECT ?1, ?2, at, ?3 FROM log WHERE NOT EXISTS (SELECT FROM grown))
			SELECT at FROM log`, agent, name, []byte(line), int64(memory.MaxFileBytes), int64(partBytes), writer)
		return nil
	})
	return added && err == nil, err
}

// HoldFiles implements [memory.FileStore].
func (s *Store) HoldFiles(ctx context.Context, agent, lock, holder string, length time.Duration) (held bool, err error) {
	err = s.transactionOn(ctx, s.files, agent, func(t *tx) error {
		if err := t.Exec(hasty); err != nil { // a lock may be lost in a crash
			return err
		}
		found, err := rows.One(t, rows.ScanText,
			`INSERT INTO workspace_locks AS l (agent, lock, holder, held_until) VALUES (?1, ?2, ?3, `+databaseTime+` + ?4)
			ON CONFLICT (agent, lock) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
			WHERE l.holder = excluded.holder OR l.held_until < excluded.held_until - ?4 RETURNING holder`,
			agent, lock, holder, length.Microseconds())
		held = found != nil
		return err
	})
	return held && err == nil, err
}

// ReleaseFiles implements [memory.FileStore].
func (s *Store) ReleaseFiles(ctx context.Context, agent, lock, holder string) error {
	return s.transactionOn(ctx, s.files, agent, func(t *tx) error {
		if err := t.Exec(hasty); err != nil {
			return err
		}
		return t.Exec(`DELETE FROM workspace_locks WHERE agent = ? AND lock = ? AND holder = ?`, agent, lock, holder)
	})
}

// hasty makes a commit return before it is durable.
const hasty = `SET LOCAL synchronous_commit TO off`

// fileTx is a [memory.FileTx].
type fileTx struct {
	*tx
	// the workspace's version before the transaction and now; equal until something has changed
	was, version int64
	now          int64 // the database's time in microseconds since 1970
	gone         bool  // RemoveFiles was called, and nothing written since
	looked       look  // the last result of File, forgotten by every change
}

// look is the result of a lookup; info is nil if there is no such file.
type look struct {
	name string
	info *memory.FileInfo
}

var _ memory.FileTx = (*fileTx)(nil)

// open locks the row of the agent's workspace, which it creates if there is none, and reads its
// version.
func (f *fileTx) open() error {
	for range 2 {
		known := false
		err := f.Query(func(row rows.Row) error {
			known = true
			return row.Scan(&f.was, &f.now)
		}, `SELECT version, `+nowMicros+` FROM workspaces WHERE agent = ? FOR UPDATE`, f.agent)
		if f.version = f.was; err != nil || known {
			return err
		}
		err = f.Query(func(rows.Row) error { return nil },
			`INSERT INTO workspaces (agent, version) VALUES (?, 0) ON CONFLICT (agent) DO NOTHING`, f.agent)
		if err != nil {
			return err
		}
	}
	return memory.Errorf(memory.CodeUnavailable, "somebody removes the workspace").WithHint("try again")
}

// next notes that something changes, and returns the version that the transaction gives to all that
// it changes.
func (f *fileTx) next() int64 {
	f.gone, f.version, f.looked = false, max(f.was+1, f.now), look{}
	return f.version
}

// note stores the workspace's version at the end of the transaction.
func (f *fileTx) note() error {
	switch {
	case f.gone:
		return f.Exec(`DELETE FROM workspaces WHERE agent = ?`, f.agent)
	case f.version > f.was:
		return f.Exec(`UPDATE workspaces SET version = ? WHERE agent = ?`, f.version, f.agent)
	}
	return nil
}

// Files implements [memory.FileTx].
func (f *fileTx) Files() ([]memory.FileInfo, error) {
	return rows.All(f.tx, scanFile, selectFiles, f.agent)
}

// File implements [memory.FileTx].
func (f *fileTx) File(name string) (*memory.FileInfo, error) {
	if err := memory.CheckFileName(name); err != nil {
		return nil, err
	}
	if f.looked.name != name {
		info, err := rows.One(f.tx, scanFile, selectFile, f.agent, name)
		if err != nil {
			return nil, err
		}
		f.looked = look{name, info}
	}
	if f.looked.info == nil {
		return nil, nil
	}
	return new(*f.looked.info), nil
}

// Bytes implements [memory.FileTx].
func (f *fileTx) Bytes(name string, from, length int64) (content []byte, err error) {
	if err := memory.CheckFileName(name); err != nil {
		return nil, err
	}
	from, to := span(from, length)
	err = f.Query(func(row rows.Row) error {
		var at int64
		var part []byte
		err := row.Scan(&at, &part)
		content = append(content, within(part, at, from, to)...)
		return err
	}, selectParts, f.agent, name, from, to)
	return content, err
}

// PutFile implements [memory.FileTx].
func (f *fileTx) PutFile(name string, expected int64, content []byte) error {
	old, err := f.File(name)
	switch {
	case err != nil:
		return err
	case old == nil && expected != 0, old != nil && (old.Folder || old.Version != expected):
		return memory.ErrFileVersion(name)
	}
	if err := f.above(name); err != nil {
		return err
	}
	if err := f.Exec(`DELETE FROM workspace_parts WHERE agent = ? AND name = ?`, f.agent, name); err != nil {
		return err
	}
	return f.add(name, 0, content)
}

// above creates the folders that a file's name has before its last slash.
func (f *fileTx) above(name string) error {
	at := strings.LastIndexByte(name, '/')
	if at < 0 {
		return nil
	}
	return f.MakeFolder(name[:at])
}

// MakeFolder implements [memory.FileTx].
func (f *fileTx) MakeFolder(name string) error {
	if err := memory.CheckFileName(name); err != nil {
		return err
	}
	for at := range len(name) + 1 {
		if at < len(name) && name[at] != '/' {
			continue
		}
		old, err := f.File(name[:at])
		switch {
		case err != nil:
			return err
		case old != nil && !old.Folder:
			return memory.Errorf(memory.CodeConflict, "%s is a file, and no folder", name[:at])
		case old != nil:
			continue
		}
		if err := f.Exec(`INSERT INTO workspace_files (agent, name, folder, size, version, changed_at) VALUES (?, ?, true, 0, ?, ?)`,
			f.agent, name[:at], f.next(), f.now); err != nil {
			return err
		}
	}
	return nil
}

// AppendFile implements [memory.FileTx].
func (f *fileTx) AppendFile(name string, content []byte) error {
	old, err := f.File(name)
	switch {
	case err != nil:
		return err
	case old == nil:
		return f.PutFile(name, 0, content)
	case old.Folder:
		return memory.ErrFileVersion(name)
	}
	return f.add(name, old.Size, content)
}

// add writes content from byte at on, behind which the file has nothing yet, and stores the file's
// new size and version.
func (f *fileTx) add(name string, at int64, content []byte) error {
	size := at + int64(len(content))
	if size > memory.MaxFileBytes {
		return memory.Errorf(memory.CodeTooLarge, "%s would have %d bytes, at most %d are kept", name, size, memory.MaxFileBytes)
	}
	// a short text goes into the last part, if that has less than partBytes
	if at > 0 && len(content) > 0 && len(content) < partBytes {
		err := f.Exec(`WITH grown AS (
				UPDATE workspace_parts SET content = content || ?4 WHERE agent = ?1 AND name = ?2
				AND at = (SELECT max(at) FROM workspace_parts WHERE agent = ?1 AND name = ?2) AND length(content) < ?3 RETURNING at)
			INSERT INTO workspace_parts (agent, name, at, content) SELECT ?1, ?2, ?5, ?4 WHERE NOT EXISTS (SELECT FROM grown)`,
			f.agent, name, int64(partBytes), content, at)
		if err != nil {
			return err
		}
		content = nil
	}
	for from := 0; from < len(content); from += 1 << 20 {
		part := content[from:min(from+1<<20, len(content))]
		if err := f.Exec(`INSERT INTO workspace_parts (agent, name, at, content) VALUES (?, ?, ?, ?)`, f.agent, name, at+int64(from),
			part); err != nil {
			return err
		}
	}
	return f.Exec(`INSERT INTO workspace_files (agent, name, folder, size, version, changed_at) VALUES (?, ?, false, ?, ?, ?)
		ON CONFLICT (agent, name) DO UPDATE SET size = excluded.size, version = excluded.version, changed_at = excluded.changed_at`,
		f.agent, name, size, f.next(), f.now)
}

// CutFile implements [memory.FileTx].
func (f *fileTx) CutFile(name string, size int64) error {
	old, err := f.File(name)
	if err != nil || old == nil || old.Folder || old.Size <= size {
		return err
	}
	for _, sql := range []string{
		`DELETE FROM workspace_parts WHERE agent = ?1 AND name = ?2 AND at >= ?3`,
		`UPDATE workspace_parts SET content = substring(content FROM 1 FOR (?3 - at)::int) WHERE agent = ?1 AND name = ?2 AND at + length(content) > ?3`,
	} {
		if err := f.Exec(sql, f.agent, name, size); err != nil {
			return err
		}
	}
	return f.add(name, size, nil)
}

// RemoveFile implements [memory.FileTx].
func (f *fileTx) RemoveFile(name string) error {
	if err := memory.CheckFileName(name); err != nil {
		return err
	}
	f.next()
	for _, table := range []string{"workspace_parts", "workspace_files"} {
		err := f.Exec(`DELETE FROM `+table+` WHERE agent = ?1 AND (name = ?2 OR name > ?2 || '/' AND name < ?2 || '0')`, f.agent,
			name) // "0" follows "/"
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveFiles implements [memory.FileTx].
func (f *fileTx) RemoveFiles() error {
	for _, table := range []string{"workspace_parts", "workspace_files", "workspace_locks"} {
		if err := f.Exec(`DELETE FROM `+table+` WHERE agent = ?`, f.agent); err != nil {
			return err
		}
	}
	f.gone, f.looked = true, look{}
	return nil
}

// Held implements [memory.FileTx].
func (f *fileTx) Held(lock, holder string) (bool, error) {
	found, err := rows.One(f.tx, rows.ScanText, `SELECT holder FROM workspace_locks WHERE agent = ? AND lock = ? AND holder = ? FOR UPDATE`,
		f.agent, lock, holder)
	return found != nil, err
}
