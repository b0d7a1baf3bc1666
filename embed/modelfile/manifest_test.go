package modelfile

import (
	"os"
	"path/filepath"
	"testing"
)

// A server that starts while a manifest is written anew reads the one or the other.
func TestAManifestIsReplacedInOneStep(t *testing.T) {
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	m := Manifest{Name: "small", Dimensions: 16, Files: []File{{Name: TableFile}}}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, ManifestFile), kept); err != nil {
		t.Skip(err) // no second name for a file here
	}
	m.Dimensions = 32
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(kept); err != nil || string(got) != string(before) {
		t.Errorf("the file before was written into: %q, %v", got, err)
	}
	if got, err := ReadManifest(dir); err != nil || got.Dimensions != 32 {
		t.Errorf("%+v, %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("there is %v, %v", left, err)
	}
}
