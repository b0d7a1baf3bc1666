package plainfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{path, link} {
		if of == link {
			if err := os.Symlink(path, link); err != nil {
				t.Log(err) // a system without links
				continue
			}
		}
		if got, err := Read(of, 5); string(got) != "12345" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := Read(path, 4); err == nil {
		t.Error("more than is allowed")
	}
	if _, err := Read(dir, 5); !errors.Is(err, ErrNotPlain) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none"), 5); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := Read("/dev/zero", 5); !errors.Is(err, ErrNotPlain) {
			t.Errorf("a device: %v", err)
		}
	}
}
