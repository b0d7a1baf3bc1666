// Package template lets tests begin with copies of a database that was made once: to go through all
// migrations takes seven times as long, and some thousand tests begin with an empty one.
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

// At has at a path where no file is what build leaves at one, and returns the path. It is made once in a
// process for each kind. If it cannot be there, whoever opens it says why.
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
