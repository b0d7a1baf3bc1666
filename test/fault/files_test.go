//go:build linux && !ncruces

package fault

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
)

// page is a workspace's file that is larger than the database, and than it is in a backup.
const page = "workspaces/ada/page.bin"

func noise(seed uint64) []byte {
	chance := rand.New(rand.NewPCG(seed, 1))
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = byte(chance.Uint32())
	}
	return text
}

// limited does something while no file may grow beyond a size: a write ends in the middle,
// as on a full disk.
func limited(t *testing.T, size uint64, do func(context.Context) error) error {
	t.Helper()
	var usual syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: usual.Max}))
	defer func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual)) }()
	return do(t.Context())
}

// inChild is set in the environment of a process that may be limited: "go test" writes
// files of its own.
const inChild = "FAULT_TEST_CHILD"

// again runs a test in a process of its own.
func again(t *testing.T) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprint("-seed=", *seed),
		fmt.Sprint("-every=", *every))
	child.Env = append(os.Environ(), inChild+"=1")
	out, err := child.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFullForFiles: what Go writes of a backup and of a restore has no room from some byte on. The archive and the
// directory are what they were, nothing is left over, and with room it works.
func TestFullForFiles(t *testing.T) {
	if os.Getenv(inChild) == "" {
		again(t)
		return
	}
	start := base(t)
	must(t, os.MkdirAll(filepath.Dir(filepath.Join(start.data(), page)), 0o700))
	must(t, os.WriteFile(filepath.Join(start.data(), page), noise(1), 0o600))
	backupAndSave(t, start)
	must(t, os.WriteFile(filepath.Join(start.data(), page), noise(2), 0o600))

	archive, err := os.Stat(start.archive())
	must(t, err)
	sizes := 12
	if *every {
		sizes = 300
	}
	for i := range sizes {
		size := uint64(int(archive.Size()) * i / sizes)
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			w := start.copied(t, t.TempDir())
			must(t, w.open(t.Context()))
			wantFull(t, limited(t, size, w.backup))
			for _, wrong := range checkArchive(t, w, false) {
				t.Error(wrong)
			}
			must(t, w.backup(t.Context()))
			must(t, w.close())

			w = start.copied(t, t.TempDir())
			wantFull(t, limited(t, size, w.restore))
			is(t, w, first(facts, saved), 2)
			must(t, w.restore(t.Context()))
			is(t, w, first(facts), 1)
			if left := w.leftovers(t); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func wantFull(t *testing.T, err error) {
	t.Helper()
	if memory.CodeOf(err) != memory.CodeUnavailable || memory.Public(err).Hint == "" {
		t.Errorf("without room: %v", err)
	}
}

// is wants a directory to be in one of its states, by database and workspace, with nothing left over.
func is(t *testing.T, w *world, wanted []string, seed uint64) {
	t.Helper()
	path := filepath.Join(w.data(), testbank.FileName)
	now, err := contents(t.Context(), path)
	must(t, err)
	text, err := os.ReadFile(filepath.Join(w.data(), page))
	must(t, err)
	if !slices.Equal(now, wanted) || !bytes.Equal(text, noise(seed)) {
		t.Errorf("%d facts of %d, a page of %d bytes", len(now), len(wanted), len(text))
	}
	if wrong := sound(t.Context(), path); len(wrong) > 0 {
		t.Error(wrong)
	}
	if left := w.leftovers(t); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
