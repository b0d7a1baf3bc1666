//go:build unix

package sqlite

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"mcp-memory/memory"
)

// readerOf names the database that this process, which may not write, is to look at.
const readerOf = "MCP_MEMORY_TEST_READER_OF"

// TestOnlyReadable has a process that may not write look at a database, with and without a log: everything
// that only reads says what it would say elsewhere. Root may write everywhere, so nobody runs it then.
func TestOnlyReadable(t *testing.T) {
	if path := os.Getenv(readerOf); path != "" {
		lookWithoutWriting(t, path)
		return
	}
	for name, closed := range map[string]bool{"closed": true, "in use": false} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "memory.db")
			s := openAt(t, path, 8)
			insert(t, s, []float32{1, 0, 0, 0, 0, 0, 0, 0}, fact("ann", "The harbour closes at nine."))
			if closed {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			} else if DriverName != "modernc.org/sqlite" {
				return // the other one needs to write the log's index
			}
			runReader(t, dir, path)
		})
	}
}

// runReader runs the test in a process of somebody who may not write in the directory.
func runReader(t *testing.T, dir, path string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "test")
	copyProgram(t, program)
	for path, mode := range map[string]os.FileMode{
		filepath.Dir(dir): 0o755, filepath.Dir(filepath.Dir(dir)): 0o755,
		filepath.Dir(program): 0o777, filepath.Dir(filepath.Dir(program)): 0o755, dir: 0o555,
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestOnlyReadable$")
	cmd.Env = []string{readerOf + "=" + path, "TMPDIR=" + filepath.Dir(program)}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	cmd.Dir = "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	in, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(out, in)
	if closing := out.Close(); err != nil || closing != nil {
		t.Fatal(err, closing)
	}
}

func lookWithoutWriting(t *testing.T, path string) {
	if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
		f.Close()
		t.Fatal("the database can be written")
	}
	found := Examine(t.Context(), path)
	if said := broken(found); said != "" || len(found) < 10 {
		t.Errorf("%d findings: %s", len(found), said)
	}
	for _, f := range found {
		if f.Check == "lock" && (f.Condition != memory.ConditionWarning ||
			f.Detail != "the database cannot be written: nothing can be saved") {
			t.Errorf("%+v", f)
		}
	}
	if agents, err := Owners(t.Context(), path); err != nil || len(agents) != 1 {
		t.Error(agents, err)
	}
	if counts, err := Verify(t.Context(), path); err != nil || counts["records"] != 1 {
		t.Error(counts, err)
	}
	s := openAt(t, path, 8)
	if !s.ReadOnly() {
		t.Error("it is open for writing")
	}
	if h := looked(t, s); h.Broken() || h.CheckedAt.IsZero() {
		t.Errorf("%+v", h)
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := s.CopyTo(t.Context(), to, nil); err != nil {
		t.Fatal(err)
	}
	if counts, err := Verify(t.Context(), to); err != nil || counts["records"] != 1 {
		t.Error(counts, err)
	}
}
