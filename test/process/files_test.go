//go:build unix

package process

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	t.Parallel()
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
	if names := strings.Join(check("ended"), " "); strings.Contains(names, "memory.db-") || !strings.Contains(names, "memory.db") ||
		!strings.Contains(names, ".md") {
		t.Errorf("there are %s", names)
	}
}
