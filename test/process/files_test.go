//go:build unix

package process

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return r, w
}

// While the server runs and after it, only its owner may read what it keeps.
func TestOnlyTheOwnerMayRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "for us")
	h := start(t, dir)
	h.save("The harbour closes at nine.")
	check := func(when string) (names []string) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			want := fs.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			if info.Mode().Perm() != want {
				t.Errorf("%s: %s has mode %v", when, path, info.Mode())
			}
			names = append(names, d.Name())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	if names := strings.Join(check("running"), " "); !strings.Contains(names, "memory.db-wal") {
		t.Errorf("there are %s", names)
	}
	h.hangUp()
	if names := strings.Join(check("ended"), " "); strings.Contains(names, "memory.db-") || !strings.Contains(names, "memory.db") || !strings.Contains(names, ".md") {
		t.Errorf("there are %s", names)
	}
}

// A data directory that cannot be written can be read, and what would write says
// why not. Root may write everywhere, so the program is started as nobody then.
func TestReadOnlyDataDir(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := cli(t, dir, "save", "The harbour closes at nine."); code != 0 {
		t.Fatal(stderr)
	}
	path := filepath.Join(dir, "memory.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	forbid := func(mode, fileMode fs.FileMode) {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, fileMode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for nobody to get there
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "workspaces"), 0o555); err != nil {
		t.Fatal(err)
	}
	forbid(0o555, 0o444)
	t.Cleanup(func() {
		forbid(0o700, 0o600)
		if err := os.Chmod(filepath.Join(dir, "workspaces"), 0o700); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct {
		place        string
		args         []string
		code         int
		says, stderr string
	}{
		{dir, []string{"save", "x"}, 1, "", "the database cannot be written"},
		{dir, []string{"recall", "When does the harbour close?"}, 0, "nine", ""},
		{dir, []string{"stats"}, 0, "1 live", ""},
		{dir, []string{"export", "-"}, 0, "The harbour closes at nine.", ""},
		{dir, nil, 0, "", ""}, // a server whose host hangs up
		{filepath.Join(dir, "below"), nil, 1, "", "permission"},
		{filepath.Join(dir, "below"), []string{"save", "x"}, 1, "", "permission"},
	} {
		cmd := command(t, c.place, c.args...)
		cmd.Dir = "/"
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		code, stdout, stderr := runCommand(t, cmd)
		if code != c.code || !strings.Contains(stdout, c.says) || c.says == "" && stdout != "" || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s %v: exit %d, stdout %q, stderr %q", c.place, c.args, code, stdout, stderr)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the database was changed, %v", err)
	}
}
