//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// pipes makes directories in which a file is a pipe that nobody writes to, and
// returns which.
func pipes(t *testing.T, root string) map[string]string {
	t.Helper()
	made := map[string]string{}
	for dir, name := range map[string]string{"pipe": projectFile, "pipegit": ".git", "pipeconfig": ".git/config"} {
		dir = filepath.Join(root, dir)
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Fatal(err)
		}
		made[dir] = name
	}
	write(t, filepath.Join(root, "pipedir", ".git"), "gitdir: ../pipe/"+projectFile+"\n")
	made[filepath.Join(root, "pipedir")] = ".git"
	return made
}
