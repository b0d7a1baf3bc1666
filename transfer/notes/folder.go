package notes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"mcp-memory/internal/plainfile"
)

// Folder is an opened directory. File names are relative, with forward slashes, and cannot lead out
// of it. It must be closed after use.
type Folder struct{ root *os.Root }

// OpenFolder opens a directory. Errors are those of [os.OpenRoot].
func OpenFolder(name string) (*Folder, error) {
	root, err := plainfile.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// File is a file in a folder. Link says that it is a symbolic link, which is never followed.
type File struct {
	Name     string
	Size     int64
	Modified time.Time
	Link     bool
}

// Files lists the files that have one of the extensions, and the symbolic links that have one of
// them or no extension (which may lead to folders), ordered by name. Hidden files and folders,
// whose names begin with a dot, are left out: they belong to Git, Obsidian and the like.
func (f *Folder) Files(endings ...string) ([]File, error) {
	var list []File
	err := fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		ending := strings.ToLower(path.Ext(name))
		link := d.Type()&fs.ModeSymlink != 0
		if !slices.Contains(endings, ending) && (!link || ending != "") || !link && !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		list = append(list, File{name, info.Size(), info.ModTime(), link})
		return nil
	})
	return list, err
}

// Open opens a file for reading. A symbolic link is refused.
func (f *Folder) Open(name string) (*os.File, error) {
	if info, err := f.root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a plain file", name)
	}
	return plainfile.OpenIn(f.root, name)
}

// Read returns the first MaxBytes+1 bytes of a file. [Parse] refuses a note of that length.
func (f *Folder) Read(name string) (content []byte, err error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(io.LimitReader(file, MaxBytes+1))
}

// Canonical returns the form (NFC) in which file names are compared. Some file systems list names
// with another composition of accents than they were created with.
func Canonical(name string) string { return norm.NFC.String(name) }

// Begins reports whether the first 512 bytes of a file contain a text.
func (f *Folder) Begins(name, text string) (bool, error) {
	file, err := f.Open(name)
	if err != nil {
		return false, err
	}
	first, err := io.ReadAll(io.LimitReader(file, 512))
	return strings.Contains(string(first), text), errors.Join(err, file.Close())
}

// Content returns a whole file, however long.
func (f *Folder) Content(name string) (content []byte, err error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(file)
}

// draft is the name of a file being written. It is hidden, so [Folder.Files] does not list it.
const draft = ".mcp-memory-draft"

// Write writes a file atomically, in folders that it makes (mode 0700, files 0600).
func (f *Folder) Write(name string, content []byte) error {
	if err := f.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if err := f.root.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by an export that was killed
		return err
	}
	if err := f.writeNew(draft, content); err != nil {
		return errors.Join(err, f.root.Remove(draft))
	}
	if err := f.root.Rename(draft, name); err != nil {
		return errors.Join(err, f.root.Remove(draft))
	}
	return nil
}

// writeNew creates a file. It fails if the name exists, even as a link.
func (f *Folder) writeNew(name string, content []byte) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// Remove removes a file, and its folder if that is empty afterwards.
func (f *Folder) Remove(name string) error {
	if err := f.root.Remove(name); err != nil {
		return err
	}
	if folder := path.Dir(name); folder != "." {
		_ = f.root.Remove(folder) // fails if it is not empty
	}
	return nil
}
