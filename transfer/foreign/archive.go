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

// Limits on an export, which may come from anybody.
const (
	maxMember   = 8 << 30  // bytes of one unpacked file
	maxRatio    = 200      // of unpacked to packed bytes, checked beyond suspicious bytes
	suspicious  = 16 << 20 // bytes
	maxMembers  = 200_000
	maxExported = 64 << 20 // bytes of one value: a conversation or project
)

// errBomb says that a file unpacks to much more than any export has (a zip bomb).
var errBomb = errors.New("it unpacks to much more than an export has")

// eachExported calls fn for every JSON file of an export. path is a folder, a JSON file, or a zip,
// which may contain other zips.
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

// eachInZip calls fn for the JSON files of a zip. Member names are never used to write files, but a
// name that leads out of the archive shows that it is no export. inner says that the zip is in
// another one.
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

// eachInInner reads a zip inside a zip. It is unpacked to a temporary file, because reading a zip
// needs random access.
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

// unpacked fails with errBomb if the unpacked data exceed maxMember or maxRatio.
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

// capped fails once more than left bytes are read, the limit for one value of an export.
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
