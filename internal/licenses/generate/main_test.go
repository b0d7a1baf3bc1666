package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcp-memory/internal/licenses"
)

// What this platform's build links is named with its version, and its licences
// are there. Other platforms' modules are not in every cache: --check compares
// all of them.
func TestLicencesAreCurrent(t *testing.T) {
	have := licenses.Text()
	modules, err := linkedModules(filepath.Join("..", "..", ".."), build{runtime.GOOS, ""})
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 30 {
		t.Errorf("only %d modules are linked", len(modules))
	}
	for _, m := range modules {
		if !strings.Contains(have, "\n"+m.name+"\n") {
			t.Errorf("%s is missing: go run ./internal/licenses/generate", m.name)
		}
		if m.dir == modules[0].dir {
			continue // Go's own changes with the toolchain
		}
		texts, err := m.licences()
		if err != nil {
			t.Error(err)
		}
		for _, text := range texts {
			if !strings.Contains(have, text) {
				t.Errorf("a licence of %s has changed: go run ./internal/licenses/generate", m.name)
			}
		}
	}
}

// A module without a licence is not passed over.
func TestNoLicence(t *testing.T) {
	if _, err := (module{name: "example.com/x v1", dir: t.TempDir()}).licences(); err == nil {
		t.Error("nobody noticed")
	}
	if texts, err := (module{name: "github.com/asg017/sqlite-vec-go-bindings v9", dir: t.TempDir()}).licences(); err != nil ||
		len(texts) != 1 {
		t.Errorf("%q, %v", texts, err)
	}
}

func TestCollect(t *testing.T) {
	if tidy("\uFEFF\n a \r\nb\n\n") != tidy(" a\nb") {
		t.Errorf("%q", tidy("\uFEFF\n a \r\nb\n\n"))
	}
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENSE-MIT.txt": true, "COPYING": true, "NOTICE": true,
		"license.go": true, "UNLICENSE": true, "licensing": false, "README.md": false,
	} {
		if got := licence.MatchString(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
