package upkeep

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mcp-memory/memory"
)

// RestoreOptions are the options of [Restore].
type RestoreOptions struct {
	Dir    string // the data directory, which must exist
	Verify Verifier
	// Progress is called with how many bytes of the backup are read, of how many. It may be nil.
	Progress func(done, total int64)
}

// Restored is the result of a restore.
type Restored struct {
	Manifest
	Before string // directory, within the data directory, with the former state; "" if there was none
}

// Restore replaces the content of a data directory by that of a backup. A config.yaml or
// tokens.required that the backup does not have stays. [memory.CodeConflict] if any other process
// uses the directory. If it is killed at any moment, either the old or the new state is there.
// [memory.CodeUnavailable] if the backup is damaged, incomplete or of a newer program; then nothing
// is changed.
func Restore(ctx context.Context, name string, o RestoreOptions) (r Restored, err error) {
	d, err := EnterAlone(ctx, o.Dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Leave()) }()
	stage, err := os.MkdirTemp(o.Dir, stagePrefix+"*") // 0700
	if err != nil {
		return r, cannotWrite(o.Dir, err)
	}
	defer func() {
		if !interrupted(o.Dir) { // otherwise it is the new state already
			err = errors.Join(err, os.RemoveAll(stage))
		}
	}()
	watched := counting(ctx, name, o.Progress)
	r.Manifest, err = readArchiveFrom(watched, name, func(item string) (io.WriteCloser, error) {
		target := filepath.Join(stage, filepath.FromSlash(item))
		if err := os.MkdirAll(filepath.Dir(target), dirPerm); err != nil {
			return nil, err
		}
		return os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, filePerm)
	})
	if err != nil {
		return r, err
	}
	counts, err := o.Verify(ctx, filepath.Join(stage, Database))
	if err == nil && !maps.Equal(counts, r.Counts) {
		err = damagedBackup("the database has %v, the manifest says %v", counts, r.Counts)
	}
	if err != nil {
		return r, err
	}
	if err := os.MkdirAll(filepath.Join(stage, Workspaces), dirPerm); err != nil { // so that the old workspaces are moved away
		return r, cannotWrite(o.Dir, err)
	}
	if r.Before, err = d.Exchange(stage, "restore", Database, Workspaces, Config, Tokens); err != nil {
		return r, err
	}
	if os.Remove(filepath.Join(o.Dir, r.Before)) == nil { // fails unless it is empty
		r.Before = ""
	}
	return r, nil
}

// stagePrefix is the prefix of the directories in which a new state is made.
const stagePrefix = ".new-"

// sweep removes what restores and repairs have left that were killed before their new state
// counted. The caller holds the lock alone.
func (d *Dir) sweep() error {
	left, err := filepath.Glob(filepath.Join(d.path, stagePrefix+"*"))
	for _, stage := range left {
		err = errors.Join(err, os.RemoveAll(stage))
	}
	return err
}

// opener returns the writer for a file of a backup, by its name with slashes.
type opener func(item string) (io.WriteCloser, error)

func damagedBackup(format string, args ...any) error {
	return memory.Errorf(memory.CodeUnavailable, "the backup is damaged: "+format, args...).
		WithHint("take another one; nothing was changed")
}

// readArchive reads a backup to its end and compares it with its manifest. Each file is written to
// the writer that open returns.
func readArchive(ctx context.Context, name string, open opener) (Manifest, error) {
	return readArchiveFrom(counting(ctx, name, nil), name, open)
}

// reading reads a file and reports progress. It fails once ctx has ended.
type reading struct {
	ctx      context.Context
	file     *os.File
	err      error // error of opening the file
	done     int64
	total    int64
	progress func(done, total int64)
}

func counting(ctx context.Context, name string, progress func(done, total int64)) *reading {
	r := &reading{ctx: ctx, progress: progress}
	if r.file, r.err = os.Open(name); r.err != nil {
		return r
	}
	if info, err := r.file.Stat(); err == nil {
		r.total = info.Size()
	}
	return r
}

// Read implements [io.Reader].
func (r *reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.file.Read(p)
	r.done += int64(n)
	if r.progress != nil {
		r.progress(r.done, r.total)
	}
	return n, err
}

func readArchiveFrom(in *reading, name string, open opener) (m Manifest, err error) {
	if in.err != nil {
		var p *fs.PathError
		if errors.As(in.err, &p) {
			in.err = p.Err
		}
		return m, memory.Errorf(memory.CodeUnavailable, "%s cannot be read: %v", name, in.err).
			WithHint("name a file that `mcp-memory backup` wrote")
	}
	defer in.file.Close()
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return m, memory.Errorf(memory.CodeUnavailable, "%s is no backup", name).WithCause(err).
			WithHint("name a file that `mcp-memory backup` wrote")
	}
	files := map[string]string{}
	var manifest []byte
	archive := tar.NewReader(unzipped)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return m, unreadable(err)
		}
		if header.Name == manifestName {
			if manifest, err = io.ReadAll(archive); err != nil {
				return m, unreadable(err)
			}
			continue
		}
		if !expected(header) || files[header.Name] != "" {
			return m, damagedBackup("it has a file %q", header.Name)
		}
		if files[header.Name], err = readItem(archive, header, open); err != nil {
			return m, err
		}
	}
	if manifest == nil {
		return m, damagedBackup("its end is missing")
	}
	if err := json.Unmarshal(manifest, &m); err != nil {
		return m, damagedBackup("its list of files cannot be read")
	}
	if !maps.Equal(files, m.Files) || files[Database] == "" {
		return m, damagedBackup("it does not hold what it says")
	}
	return m, nil
}

func unreadable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return memory.Errorf(memory.CodeUnavailable, "the backup is damaged: it cannot be read to its end").WithCause(err).
		WithHint("take another one; nothing was changed")
}

// readItem copies one file and returns its checksum.
func readItem(archive *tar.Reader, header *tar.Header, open opener) (string, error) {
	w, err := open(header.Name)
	if err != nil {
		return "", cannotWrite(header.Name, err)
	}
	sum := sha256.New()
	from := &failing{r: archive}
	_, err = io.Copy(io.MultiWriter(w, sum), from)
	if from.err != nil {
		return "", errors.Join(unreadable(from.err), w.Close())
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", cannotWrite(header.Name, err)
	}
	return sumText(sum), nil
}

// failing remembers an error of reading, to tell it from one of writing.
type failing struct {
	r   io.Reader
	err error
}

// Read implements [io.Reader].
func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// expected reports whether a backup may contain such a file. Names decide where a file is written,
// so only known ones are accepted.
func expected(h *tar.Header) bool {
	if h.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(h.Name)) || path.Clean(h.Name) != h.Name {
		return false
	}
	return h.Name == Database || h.Name == Config || h.Name == Tokens || strings.HasPrefix(h.Name, Workspaces+"/")
}
