//go:build unix

package process

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFilesThatNeverEnd: a cloned repository whose settings are a device or a pipe keeps no
// command waiting and takes no memory.
func TestFilesThatNeverEnd(t *testing.T) {
	t.Parallel()
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
	for _, args := range [][]string{{"doctor"}, {"install", "claude-code", "--dry-run"},
		{"install", "claude-code", "--scope", "project", "--dry-run"}, {"model", "pull", "x", "--from", model}} {
		cmd := command(t, t.TempDir(), args...)
		cmd.Dir = repo
		_, stdout, stderr := runCommand(t, cmd)
		if stdout+stderr == "" {
			t.Errorf("%v says nothing", args)
		}
	}
}

// TestHostileProjectFiles: whatever a cloned repository calls its .mcp-memory.yaml, the server starts, serves, and
// says that it has no project; commands refuse, and doctor says why.
func TestHostileProjectFiles(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(path string) error{
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"large": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("project: large\n"), 0o600), os.Truncate(path, 1<<30))
		},
		"no YAML": func(path string) error { return os.WriteFile(path, []byte("project: [x\n"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			repo, data := repository(t, "trap"), t.TempDir()
			if err := make(filepath.Join(repo, ".mcp-memory.yaml")); err != nil {
				t.Fatal(err)
			}
			run := func(stdin string, args ...string) (int, string, string) {
				cmd := command(t, data, args...)
				cmd.Dir, cmd.Stdin = repo, strings.NewReader(stdin)
				return runCommand(t, cmd)
			}
			code, stdout,
				stderr := run(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"The gate opens at seven."}}}
`, "serve")
			if code != 0 || !strings.Contains(stdout,
				`"instructions":"Tell the user: the project of the working directory cannot be found out`) || !strings.Contains(stdout,
				`"action":"created"`) ||
				!strings.Contains(stdout, `"project":""`) || !strings.Contains(stderr, "this server has no project") {
				t.Errorf("serve: exit %d, %s%s", code, stdout, stderr)
			}
			if code, stdout, stderr := run("", "stats"); code != 2 || stdout != "" || !strings.Contains(stderr, ".mcp-memory.yaml") {
				t.Errorf("stats: exit %d, %s%s", code, stdout, stderr)
			}
			if code, stdout, stderr := run("", "doctor"); code != 1 || !strings.Contains(stdout, ".mcp-memory.yaml") {
				t.Errorf("doctor: exit %d, %s%s", code, stdout, stderr)
			}
		})
	}
}
