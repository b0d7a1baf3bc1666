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

// madeName is what the file of [Machine.madeList] is called.
const madeName = "made-directories"

// madeList is the file that names the directories which installations have made, one a
// line: only those are deleted with what was in them. It is not in the data
// directory, which a project or a server may have of its own.
func (m Machine) madeList() string { return filepath.Join(m.config(), program, madeName) }

// made are the directories that installations have made and that are still there.
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

// noteDirectory notes that a directory and those above it are about to be made, as far as they are
// missing. Where that cannot be noted they stay when all is uninstalled.
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

// missingAbove are a directory and those above it that are not there.
func missingAbove(dir string) (dirs []string) {
	for dir = filepath.Clean(dir); missing(dir) && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}

// dropDirectory deletes a directory and those above it, as far as installations have made
// them and nothing is in them.
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
	// What is left is only there for the list itself.
	if os.Remove(m.madeList()) == nil {
		drop(list, own)
	}
}

// drop deletes a directory and those above it that are in a list, and returns what is left of that.
func drop(list []string, dir string) []string {
	for dir = filepath.Clean(dir); slices.Contains(list, dir) && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		list = slices.DeleteFunc(list, func(d string) bool { return d == dir })
	}
	return list
}

// keepMade writes the list, if it can be written.
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
