package failing_test

import (
	"slices"
	"testing"

	"mcp-memory/text/failing"
)

func TestSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"/home/ann/x/main.go:12:5: undefined: Foo", "main.go:99:1: undefined: Foo"},
		{"Bind for 0.0.0.0:5432 failed: port is already allocated", "Bind for 0.0.0.0:5433 failed: port is already allocated"},
		{`ModuleNotFoundError: No module named 'yaml'`, `ModuleNotFoundError: No module named "numpy"`},
		{"error in container 5f1c09e2ab7d at 12:03:44", "error in container 0a44ff12c9ee at 09:00:01"},
		{"GET https://a.example/x?y=1 failed", "GET http://b.example failed"},
	} {
		if a, b := failing.Same(pair[0]), failing.Same(pair[1]); a != b || a == "" {
			t.Errorf("%q and %q are not the same: %q, %q", pair[0], pair[1], a, b)
		}
	}
	if a, b := failing.Same("permission denied"), failing.Same("connection refused"); a == b {
		t.Errorf("different errors are the same: %q", a)
	}
}

func TestLines(t *testing.T) {
	got := failing.Lines("Exit code 1\n[+] Running\nError response from daemon: port is already allocated\nall the rest\nfatal: gone")
	if want := []string{"Error response from daemon: port is already allocated", "fatal: gone", "all the rest"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
