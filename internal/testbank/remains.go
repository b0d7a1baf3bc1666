package testbank

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Remains returns those of the words that are in the bytes of a file below a directory, ignoring
// case, each followed by the file's name. Errors are those of reading.
func Remains(dir string, words ...string) (found []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, w := range words {
			if bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(w))) {
				found = append(found, w+" in "+filepath.Base(path))
			}
		}
		return nil
	})
	return found, err
}
