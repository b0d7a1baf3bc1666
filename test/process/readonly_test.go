//go:build unix

package process

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// asReader makes a command one of somebody who may not write. Root may write
// everywhere, so nobody runs it then.
func asReader(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, dir, args...)
	cmd.Dir = "/"
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return cmd
}

// forbid gives a data directory and all that is in it modes, until the test ends.
func forbid(t *testing.T, dir string, mode, fileMode fs.FileMode) {
	t.Helper()
	set := func(mode, fileMode fs.FileMode) {
		var paths []string
		modes := map[string]fs.FileMode{}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil {
				paths, modes[path] = append(paths, path), map[bool]fs.FileMode{true: mode, false: fileMode}[e.IsDir()]
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range slices.Backward(paths) {
			if err := os.Chmod(path, modes[path]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for nobody to get there
		t.Fatal(err)
	}
	set(mode, fileMode)
	t.Cleanup(func() { set(0o700, 0o600) })
}

// anybody lets whoever reads write into a directory.
func anybody(t *testing.T, dir string) {
	t.Helper()
	for path, mode := range map[string]fs.FileMode{dir: 0o777, filepath.Dir(dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
}

// From a directory that cannot be written everything can be read, whatever of it
// is forbidden and however the last server ended; what writes says why not.
func TestReadOnlyDataDir(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]struct {
		fileMode fs.FileMode
		killed   bool
	}{"closed": {0o444, false}, "only the directory": {0o666, false}, "killed": {0o444, true}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			h := start(t, dir)
			h.save("The harbour closes at nine.")
			if made.killed {
				h.kill()
			} else {
				h.hangUp()
			}
			path := filepath.Join(dir, "memory.db")
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			forbid(t, dir, 0o555, made.fileMode)
			if made.killed && strings.Contains(os.Getenv("MCP_MEMORY_TEST_TAGS"), "ncruces") { // which needs to write the log's index
				if code, stdout, stderr := runCommand(t, asReader(t, dir, "stats")); code != 1 || stdout != "" ||
					!strings.Contains(stderr, "was not closed") {
					t.Errorf("exit %d, %q, %q", code, stdout, stderr)
				}
				return
			}
			for _, args := range [][]string{{"recall", "When does the harbour close?"}, {"export", "-"}, {"search", "harbour"}} {
				code, stdout, stderr := runCommand(t, asReader(t, dir, args...))
				if code != 0 || !strings.Contains(stdout, "The harbour closes at nine.") || strings.Count(stderr, "can only be read") != 1 {
					t.Errorf("%v: exit %d, stdout %q, stderr %q", args, code, stdout, stderr)
				}
			}
			if code, stdout, stderr := runCommand(t, asReader(t, dir, "stats")); code != 0 || !strings.Contains(stdout, "1 live") {
				t.Errorf("stats: exit %d, %q, %q", code, stdout, stderr)
			}
			if code, stdout, _ := runCommand(t, asReader(t, dir, "doctor")); code != 0 ||
				!strings.Contains(stdout, "the database cannot be written") || strings.Contains(stdout, "broken") {
				t.Errorf("doctor: exit %d, %q", code, stdout)
			}
			backups := t.TempDir()
			anybody(t, backups)
			if code, stdout, stderr := runCommand(t, asReader(t, dir, "backup", filepath.Join(backups, "b.tar.gz"))); code != 0 ||
				!strings.Contains(stdout, "1 memory") {
				t.Errorf("backup: exit %d, %q, %q", code, stdout, stderr)
			}
			if code, stdout, stderr := runCommand(t, asReader(t, dir, "save", "x")); code != 1 || stdout != "" ||
				!strings.Contains(stderr, "unavailable: the database cannot be written") {
				t.Errorf("save: exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
			serve := asReader(t, dir)
			lines := (&host{t: t}).callLine("memory_recall", object{"query": "When does the harbour close?"}) +
				(&host{t: t}).callLine("memory_save", object{"content": "x"})
			serve.Stdin = strings.NewReader(lines)
			code, stdout, stderr := runCommand(t, serve)
			if code != 0 || !strings.Contains(stdout, "closes at nine") ||
				!strings.Contains(stdout, "unavailable: the database cannot be written") || strings.Contains(stderr, "keep the files") {
				t.Errorf("serve: exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the database was changed, %v", err)
			}
		})
	}
}

// Where there is nothing and nothing can be made, that is said.
func TestNoDataDirCanBeMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	forbid(t, dir, 0o555, 0o444)
	for _, place := range []string{dir, filepath.Join(dir, "below")} {
		for _, args := range [][]string{nil, {"save", "x"}} {
			code, stdout, stderr := runCommand(t, asReader(t, place, args...))
			if code != 1 || stdout != "" || !strings.Contains(stderr, "permission") {
				t.Errorf("%s %v: exit %d, stdout %q, stderr %q", place, args, code, stdout, stderr)
			}
		}
	}
}
