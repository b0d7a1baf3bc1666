// Package golden compares the output of a test with a file in its directory. With the flag -update,
// which tests that import this package have, the files are written instead.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Compare fails the test unless got is the content of the file at path, which is relative to the
// test's directory and has slashes. Line ends CRLF, as of a checkout on Windows, count as LF.
func Compare(t testing.TB, path string, got []byte) {
	t.Helper()
	path = filepath.FromSlash(path)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if !bytes.Equal(got, bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
		t.Errorf("%s differs (go test -update writes it); got:\n%s", path, got)
	}
}
