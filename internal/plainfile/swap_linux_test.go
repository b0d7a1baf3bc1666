package plainfile

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A save of a person that comes between the last look and the exchange stays.
func TestASaveInTheLastMomentStays(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, c := range map[string]struct {
		there string
		done  bool
		want  string
	}{
		"nobody saved":               {"as read", true, "ours"},
		"a person saved":             {"the person's", false, "the person's"},
		"a person saved a long text": {"as read, and more than that", false, "as read, and more than that"},
	} {
		for file, content := range map[string]string{"F.md": c.there, ".F.md.draft": "ours"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		can, done, err := Swap(root, ".F.md.draft", "F.md", "as read", "ours")
		got, readErr := os.ReadFile(filepath.Join(dir, "F.md"))
		if !can || err != nil || readErr != nil || done != c.done || string(got) != c.want {
			t.Errorf("%s: %v, %v, %v, %q, %v", name, can, done, err, got, readErr)
		}
	}
}

// An editor that saves in place empties the file first: what it says then is not lost when the
// exchange comes in between, nor is what is saved after that.
func TestASaveInTheMiddleStays(t *testing.T) {
	for name, c := range map[string]struct{ once, again string }{
		"one save":             {"the person's", ""},
		"another one after it": {"the person's", "the person's last word"},
	} {
		dir := t.TempDir()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		path := filepath.Join(dir, "F.md")
		editor, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if !beingWritten(root, "F.md") {
			t.Skip("this file system does not tell who is writing")
		}
		if err := os.WriteFile(filepath.Join(dir, ".F.md.draft"), []byte("ours"), 0o600); err != nil {
			t.Fatal(err)
		}
		saved := make(chan error)
		go func() {
			for here, _ := editor.Stat(); ; time.Sleep(time.Millisecond) { // until the exchange has come in between
				if there, err := os.Stat(path); err == nil && !os.SameFile(here, there) {
					break
				}
			}
			var last error
			if c.again != "" {
				last = errors.Join(os.WriteFile(path+"~", []byte(c.again), 0o600), os.Rename(path+"~", path))
			}
			_, err := editor.WriteString(c.once)
			saved <- errors.Join(err, last, editor.Close())
		}()
		_, done, err := Swap(root, ".F.md.draft", "F.md", "", "ours")
		if err := errors.Join(err, <-saved); err != nil || done {
			t.Fatalf("%s: done %v, %v", name, done, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != cmp.Or(c.again, c.once) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
