package passages

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// rows are the files of a workspace in a database. Safe for concurrent use.
type rows struct {
	store memory.FileStore
	agent string

	mu      sync.Mutex
	version int64 // of the workspace when it was listed
	files   []memory.FileInfo
}

// list returns the files that a walk of a folder would come by. While the database does
// not answer they are those that were there before.
func (r *rows) list(ctx context.Context) []memory.FileInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	version, err := r.store.FilesVersion(ctx, r.agent)
	if err != nil || version == r.version {
		return r.files
	}
	files, err := r.store.Files(ctx, r.agent)
	if err != nil {
		return r.files
	}
	r.version, r.files = version, slices.DeleteFunc(files, func(f memory.FileInfo) bool { return f.Folder || passedBy(f.Name) })
	return r.files
}

// passedBy reports whether a walk does not come by a name.
func passedBy(name string) bool {
	parts := strings.Split(name, "/")
	return len(parts) > maxDepth+1 ||
		slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") || part == "node_modules" })
}

// read returns bytes of a file and what is known of it.
func (r *rows) read(ctx context.Context, name string, from, length int64) ([]byte, fs.FileInfo, error) {
	info, content, err := r.store.FileBytes(ctx, r.agent, name, from, length)
	if err == nil && info == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, nil, err
	}
	return content, workspace.InfoOf(*info), nil
}
