//go:build unix

package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// installIn is a command about Cursor in a home directory.
func installIn(t *testing.T, home string, args ...string) *exec.Cmd {
	cmd := command(t, filepath.Join(home, "data"), args...)
	cmd.Env, cmd.Dir = []string{"HOME=" + home}, home
	return cmd
}

// serversIn are the names of the servers in Cursor's file, and what a person keeps beside them.
func serversIn(t *testing.T, path string) (names map[string]bool, mine int) {
	t.Helper()
	var file struct {
		MCPServers map[string]json.RawMessage `json:"mcpServers"`
		Mine       int                        `json:"mine"`
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) { // it has nothing in it any more
		return nil, 0
	}
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	names = map[string]bool{}
	for name := range file.MCPServers {
		names[name] = true
	}
	return names, file.Mine
}

// TestInstallationsAtOnce: eight programs that install themselves at the same time are all
// there afterwards, and eight that leave leave nothing.
func TestInstallationsAtOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, ".cursor", "mcp.json")
	for _, what := range []string{"install", "uninstall"} {
		var all sync.WaitGroup
		for n := range 8 {
			cmd := installIn(t, home, what, "cursor", "--name", fmt.Sprint("m", n))
			all.Go(func() {
				if code, stdout, stderr := runCommand(t, cmd); code != 0 {
					t.Errorf("%s %d: exit %d, %s%s", what, n, code, stdout, stderr)
				}
			})
		}
		all.Wait()
		if names, _ := serversIn(t, path); len(names) != map[string]int{"install": 8}[what] {
			t.Errorf("%s: %d are there: %v", what, len(names), names)
		}
	}
}

// stands reports whether the file has what was saved last. What was exchanged in the very moment of a
// save goes back at once, which may be seen.
func stands(t *testing.T, path string, want int) bool {
	for range 200 {
		if _, mine := serversIn(t, path); mine == want {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// TestAnEditorBesideInstallations: an editor that keeps saving, in both ways in which editors do,
// while the program is installed and taken out again, loses no save; it counts.
func TestAnEditorBesideInstallations(t *testing.T) {
	t.Parallel()
	for name, save := range map[string]func(path string, text []byte) error{
		"in place": func(path string, text []byte) error { return os.WriteFile(path, text, 0o600) },
		"by a rename": func(path string, text []byte) error {
			return errors.Join(os.WriteFile(path+"~", text, 0o600), os.Rename(path+"~", path))
		},
	} {
		home := t.TempDir()
		path := filepath.Join(home, ".cursor", "mcp.json")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(`{"mine": 0}`), 0o600)); err != nil {
			t.Fatal(err)
		}
		saves, lost, stop := 0, 0, make(chan struct{})
		var editor sync.WaitGroup
		editor.Go(func() {
			for { // the person's whole file, whatever the program has put into it
				select {
				case <-stop:
					return
				default:
				}
				if !stands(t, path, saves) {
					lost++
				}
				time.Sleep(time.Millisecond)
				saves++
				if err := save(path, fmt.Appendf(nil, `{"mine": %d}`, saves)); err != nil {
					t.Error(err)
				}
			}
		})
		for n := range 4 {
			cmd := installIn(t, home, "install", "cursor", "--no-hooks")
			if n%2 == 1 {
				cmd = installIn(t, home, "uninstall", "cursor")
			}
			runCommand(t, cmd) // it may give up: the person's save stands
		}
		close(stop)
		editor.Wait()
		if !stands(t, path, saves) || lost > 0 {
			t.Errorf("%s: %d of %d saves were lost", name, lost, saves)
		}
		t.Logf("%s: %d saves, %d lost", name, saves, lost)
	}
}
