package plainfile

import (
	"os"
	"path/filepath"
	"testing"
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
