package archtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestMigrationsAreNumbered: two changes that took the same number are seen before either is released.
func TestMigrationsAreNumbered(t *testing.T) {
	for _, backend := range []string{"sqlite", "postgres"} {
		files, err := filepath.Glob(filepath.Join("../../db", backend, "migrations", "*.sql"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for i, file := range files {
			if name := filepath.Base(file); !strings.HasPrefix(name, fmt.Sprintf("%04d_", i+1)) {
				t.Errorf("%s: %s is number %d", backend, name, i+1)
			}
		}
	}
}
