package hosts

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/internal/plainfile"
)

// madeName is the name of the file of [Machine.madeList].
const madeName = "made-directories"

// madeList returns the path of the list of directories that installations have
// made, one a line. Only those may be deleted again. It is not in the data
// directory, because a project or a server may have a data directory of its
// own.
func (m Machine) madeList() string { return filepath.Join(m.config(), program, madeName) }

// made returns the directories that installations have made and that still
// exist.
func (m Machine) made() []string {
	text, err := plainfile.Read(m.madeList(), maxConfig)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(dir string) bool { return dir == "" || missing(dir) })
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// noteDirectory adds a directory and those above it that do not exist to the
// list, before they are made. If the list cannot be written, these directories
// stay after an uninstallation.
func (m Machine) noteDirectory(dir string) {
	list := m.made()
	known := len(list)
	for _, one := range append(missingAbove(dir), missingAbove(filepath.Dir(m.madeList()))...) {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	if len(list) > known && len(missingAbove(dir)) > 0 {
		m.keepMade(list)
	}
}

// missingAbove returns dir and the directories above it that do not exist.
func missingAbove(dir string) (dirs []string) {
	for dir = filepath.Clean(dir); missing(dir) && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}

// dropDirectory deletes a directory and those above it, as long as
// installations have made them and they are empty.
func (m Machine) dropDirectory(dir string) {
	list := m.made()
	if len(list) == 0 {
		return
	}
	list = drop(list, dir)
	own := filepath.Dir(m.madeList())
	if slices.ContainsFunc(list, func(d string) bool { return d != own && !strings.HasPrefix(own, d+string(filepath.Separator)) }) {
		m.keepMade(list)
		return
	}
	// The directories that are left exist only for the list itself.
	if os.Remove(m.madeList()) == nil {
		drop(list, own)
	}
}

// drop deletes dir and the directories above it as long as they are in list and
// empty. It returns the rest of the list.
func drop(list []string, dir string) []string {
	for dir = filepath.Clean(dir); slices.Contains(list, dir) && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		list = slices.DeleteFunc(list, func(d string) bool { return d == dir })
	}
	return list
}

// keepMade writes the list. Errors are ignored.
func (m Machine) keepMade(list []string) {
	dir := filepath.Dir(m.madeList())
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	if root, err := plainfile.OpenRoot(dir); err == nil {
		_ = writeWhole(root, madeName, []byte(strings.Join(list, "\n")+"\n"), 0o600)
		_ = root.Close()
	}
}
