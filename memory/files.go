package memory

import (
	"context"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"
)

// SharedFiles is the name, in place of an agent's, under which a [FileStore] keeps the files that
// all agents are given. No agent can have it, see [CheckAgent].
const SharedFiles = "_shared"

// Bounds of a [FileStore].
const (
	MaxFileBytes     = 256 << 20 // of one file; its readers take far less
	MaxFileNameBytes = 1024
)

// FileInfo is what is known of a file of a workspace, or of a folder.
type FileInfo struct {
	Name      string // relative to the workspace, with forward slashes
	Folder    bool
	Size      int64     // bytes
	Version   int64     // grows with every change of the file; never the same for two contents
	ChangedAt time.Time // by the database's clock
}

// FileStore keeps the files of workspaces in a database that several servers share. A store in a
// database file does not implement it, as its workspaces are folders on the same disk. The contents
// of files are any bytes; readers have to judge them. Errors are those of [Store], and
// [CodeInvalidArgument] for a name that [CheckFileName] refuses.
type FileStore interface {
	// FilesVersion grows with every change of an agent's files; 0 for an agent that has none.
	FilesVersion(ctx context.Context, agent string) (int64, error)
	// Files lists the files and folders of an agent, or those of some names that are there, in
	// order of their names, byte by byte.
	Files(ctx context.Context, agent string, names ...string) ([]FileInfo, error)
	// FileBytes returns bytes of a file from a place on, at most length (negative: all),
	// and what is known of it at the same moment; nil for a file that is not there.
	FileBytes(ctx context.Context, agent, name string, from, length int64) (*FileInfo, []byte, error)
	// EditFiles runs fn in a transaction and commits if it returns nil; an error of fn
	// comes back unchanged and nothing is written. Nobody else changes files of the agent
	// meanwhile. fn may be run again after an attempt that wrote nothing. It must not wait
	// for a [Writer]; a Writer's fn may wait for it.
	EditFiles(ctx context.Context, agent string, fn func(FileTx) error) error
	// AppendLog adds a line to the end of a file; a new file begins with the heading. It returns
	// before the line is durable. Errors are those of [FileTx.AppendFile].
	AppendLog(ctx context.Context, agent, name, heading, line string) error
	// HoldFiles takes or prolongs, for length by the database's clock, a named lock that has to
	// do with an agent's files. It reports false if another holder has the lock.
	HoldFiles(ctx context.Context, agent, lock, holder string, length time.Duration) (bool, error)
	// ReleaseFiles ends such a lock before its time; that of another holder stays.
	ReleaseFiles(ctx context.Context, agent, lock, holder string) error
}

// FileTx is a transaction over the files of one agent; see [FileStore]. Not safe for
// concurrent use. It sees what it has done. As with [Tx], what goes wrong with a method that
// only writes may show later.
type FileTx interface {
	// Files is that of [FileStore].
	Files() ([]FileInfo, error)
	// File returns what is known of a file or folder, nil if it is not there.
	File(name string) (*FileInfo, error)
	// Bytes is [FileStore.FileBytes] without the FileInfo.
	Bytes(name string, from, length int64) ([]byte, error)
	// PutFile creates or replaces a file, and creates the folders above it. [CodeConflict] if
	// its version is not the expected one (0 for a file that does not exist), for a folder of
	// that name, and for a name below a file. [CodeTooLarge] over [MaxFileBytes].
	PutFile(name string, expected int64, content []byte) error
	// AppendFile adds to the end of a file, which it creates like PutFile if there is none.
	AppendFile(name string, content []byte) error
	// CutFile truncates a file to size bytes.
	CutFile(name string, size int64) error
	// RemoveFile removes a file, or a folder with all that is in it; it may be missing.
	RemoveFile(name string) error
	// RemoveFiles removes everything; then there is no workspace until something is put there.
	RemoveFiles() error
	// MakeFolder makes a folder and those above it; it may be there. [CodeConflict] for a file of that name.
	MakeFolder(name string) error
	// Held reports whether a holder still has a lock, and keeps it from ending before the
	// transaction does.
	Held(lock, holder string) (bool, error)
}

// CheckFileName returns [CodeInvalidArgument] unless a name is a clean relative path, with forward
// slashes, of something inside a workspace.
func CheckFileName(name string) error {
	if name == "." || !fs.ValidPath(name) || strings.ContainsAny(name, "\x00\\") || !utf8.ValidString(name) ||
		len(name) > MaxFileNameBytes {
		return Errorf(CodeInvalidArgument, "%q is not the name of a file in a workspace", name).
			WithHint("a path such as memory/HISTORY.md, without dots and backslashes that lead elsewhere, of at most %d bytes",
				MaxFileNameBytes)
	}
	return nil
}

// ErrFileVersion is [CodeConflict] for a file that is not of the expected version.
func ErrFileVersion(name string) error {
	return Errorf(CodeConflict, "%s was changed meanwhile", name).WithHint("read it and try again")
}
