package foreign

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// Limits on an export, which somebody else may have made.
const (
	maxMember   = 8 << 30  // bytes of one file when it is unpacked
	maxRatio    = 200      // of what is unpacked to what it is made of, beyond suspicious bytes
	suspicious  = 16 << 20 // bytes
	maxMembers  = 200_000
	maxExported = 64 << 20 // bytes of one conversation or project
)

// errBomb is a file that becomes much larger than any export.
var errBomb = errors.New("it unpacks to much more than an export has")

// eachExported calls fn for every JSON file of an export: a zip, which may have
// others in it, a folder, or such a file itself.
func eachExported(path string, fn func(name string, in io.Reader) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return cannotRead(path, err)
	}
	if info.IsDir() {
		return filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || filepath.Ext(at) != ".json" {
				return nil
			}
			return readExported(at, filepath.ToSlash(strings.TrimPrefix(at, path)), fn)
		})
	}
	f, err := plainfile.Open(path)
	if err != nil {
		return cannotRead(path, err)
	}
	defer f.Close()
	if magic := make([]byte, 4); !readsZip(f, magic) {
		return readExported(path, filepath.Base(path), fn)
	}
	return eachInZip(path, f, info.Size(), false, fn)
}

func readsZip(f io.ReaderAt, magic []byte) bool {
	_, err := f.ReadAt(magic, 0)
	return err == nil && string(magic) == "PK\x03\x04"
}

func readExported(path, name string, fn func(string, io.Reader) error) error {
	f, err := plainfile.Open(path)
	if err != nil {
		return cannotRead(path, err)
	}
	defer f.Close()
	return fn(strings.TrimPrefix(name, "/"), f)
}

// eachInZip reads the members of a zip. Nothing is written by their names, but one
// that leads out of the folder says that this is no export.
func eachInZip(file string, in io.ReaderAt, size int64, inner bool, fn func(string, io.Reader) error) error {
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return wrongForm(file, "an export", "the zip is damaged or cut off")
	}
	if len(archive.File) > maxMembers {
		return wrongForm(file, "an export", "the zip has too many files")
	}
	for _, m := range archive.File {
		if name := strings.ReplaceAll(m.Name, `\`, "/"); !fs.ValidPath(strings.TrimSuffix(name, "/")) {
			return wrongForm(file, "an export", "the zip has a file that leads out of it, "+m.Name)
		}
	}
	for _, m := range archive.File {
		switch path.Ext(m.Name) {
		case ".json":
			err = readMember(m, func(in io.Reader) error { return fn(m.Name, in) })
		case ".zip":
			if inner {
				return wrongForm(file, "an export", "the zip has a zip in a zip")
			}
			err = readMember(m, func(in io.Reader) error { return eachInInner(file, in, fn) })
		default:
			continue
		}
		if errors.Is(err, errBomb) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) ||
			errors.Is(err, io.ErrUnexpectedEOF) {
			return wrongForm(file, "an export", m.Name+": "+err.Error())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachInInner reads a zip in a zip, which has to be a file of its own for that.
func eachInInner(file string, in io.Reader, fn func(string, io.Reader) error) error {
	f, err := os.CreateTemp("", "mcp-memory-import-*.zip")
	if err != nil {
		return cannotRead(file, err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, err := io.Copy(f, in)
	if err != nil {
		return err
	}
	return eachInZip(file, f, size, true, fn)
}

func readMember(m *zip.File, fn func(io.Reader) error) error {
	in, err := m.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	return fn(&unpacked{in: in, packed: int64(m.CompressedSize64)})
}

// unpacked refuses to become much larger than what it is made of.
type unpacked struct {
	in           io.Reader
	packed, read int64
}

// Read implements [io.Reader].
func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	u.read += int64(n)
	if u.read > maxMember || u.read > suspicious && u.read > maxRatio*u.packed {
		return 0, errBomb
	}
	return n, err
}

// capped refuses to read more than one value of an export may have.
type capped struct {
	in   io.Reader
	left int
}

// Read implements [io.Reader].
func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, memory.Errorf(memory.CodeTooLarge, "one conversation is larger than %d MiB", maxExported>>20)
	}
	n, err := c.in.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
