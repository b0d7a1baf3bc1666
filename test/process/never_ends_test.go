//go:build unix

package process

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFilesThatNeverEnd: a cloned repository whose settings are a device or a pipe keeps no
// command waiting and takes no memory.
func TestFilesThatNeverEnd(t *testing.T) {
	repo := repository(t, "trap")
	settings := filepath.Join(repo, ".claude")
	if err := os.Mkdir(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(settings, "settings.json")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(settings, "settings.local.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := t.TempDir()
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors"} {
		if err := os.Symlink("/dev/zero", filepath.Join(model, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"doctor"}, {"install", "claude-code", "--dry-run"}, {"install", "claude-code", "--scope", "project", "--dry-run"}, {"model", "pull", "x", "--from", model}} {
		cmd := command(t, t.TempDir(), args...)
		cmd.Dir = repo
		_, stdout, stderr := runCommand(t, cmd)
		if stdout+stderr == "" {
			t.Errorf("%v says nothing", args)
		}
	}
}
