//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
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

// A config.yaml with a key in it that others can read is pointed out, once and
// without the key; and no error repeats a line of it.
func TestSecretsInConfig(t *testing.T) {
	m := newMachine(t)
	path := filepath.Join(m.dataDir(), "config.yaml")
	write(t, path, "embed:\n  key: hunter2\n")
	for mode, want := range map[os.FileMode]int{0o644: 1, 0o640: 1, 0o600: 0} {
		chmod(t, path, mode)
		if r := m.run("", "stats"); strings.Count(r.stderr, "can be read by others") != want || strings.Contains(r.stderr, "hunter2") {
			t.Errorf("%o: %q", mode, r.stderr)
		}
	}
	write(t, path, "embed.url: \"http://127.0.0.1:1/v1\"\n")
	chmod(t, path, 0o644)
	if r := m.run("", "stats"); strings.Contains(r.stderr, "can be read") {
		t.Errorf("without a key: %q", r.stderr)
	}
	write(t, path, "embed:\n  key: \"hunter2\n  other: [hunter2\n")
	if r := m.run("", "stats"); r.code != exitUsage || !strings.Contains(r.stderr, "is not valid YAML in line ") ||
		strings.Contains(r.stderr, "hunter2") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
}
