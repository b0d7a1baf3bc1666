// Package template gives tests copies of a database that was made once. Making one with all
// migrations takes seven times as long as a copy, and some thousand tests begin with an empty one.
package template

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"mcp-memory/internal/plainfile"
)

var (
	mu   sync.Mutex
	made = map[string][]byte{}
)

// At creates a copy of the database of some kind at path, if there is no file, and returns path.
// build makes the original, once for each kind in a process. If the file cannot be created, At
// returns path all the same: opening it fails then, with the reason.
func At(path, kind string, build func(path string) error) string {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return path
	}
	_, err = f.Write(text(kind, build))
	if err = errors.Join(err, f.Close()); err != nil {
		panic(err)
	}
	return path
}

func text(kind string, build func(path string) error) []byte {
	mu.Lock()
	defer mu.Unlock()
	if text, ok := made[kind]; ok {
		return text
	}
	dir, err := os.MkdirTemp("", "template")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template")
	if err = build(path); err == nil {
		made[kind], err = plainfile.Read(path, 1<<30)
	}
	if err != nil {
		panic(fmt.Errorf("make what tests begin with: %w", err))
	}
	return made[kind]
}
