package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// foundFiles are the paths below the machine's home that a search finds.
func (m *machine) foundFiles(args ...string) (paths []string) {
	m.t.Helper()
	var out struct {
		Results []struct{ Type, Path string }
	}
	m.read(&out, append([]string{"search"}, args...)...)
	for _, r := range out.Results {
		if r.Type == "file" {
			paths = append(paths, strings.TrimPrefix(filepath.ToSlash(r.Path), filepath.ToSlash(m.home)))
		}
	}
	return paths
}

func TestSearchInFilesOfAPerson(t *testing.T) {
	m := newMachine(t)
	vault := filepath.Join(m.home, "my notes", "boats")
	if err := errors.Join(os.MkdirAll(vault, 0o700),
		os.WriteFile(filepath.Join(vault, "kiel.md"), []byte("The keel weighs two tons.\n"), 0o400)); err != nil {
		t.Fatal(err)
	}
	m.ok("save", "The mast is of spruce.")
	if got := m.foundFiles("weight of the keel"); len(got) > 0 {
		t.Errorf("found %v without being asked to look there", got)
	}
	m.env["MCP_MEMORY_WORKSPACE_INCLUDE"] = "~/my notes/**/*.md, ~/elsewhere"
	if got := m.foundFiles("weight of the keel"); len(got) != 1 || got[0] != "/my notes/boats/kiel.md" {
		t.Errorf("found %v", got)
	}
	if got := m.foundFiles("weight of the keel", "--in", "memories"); len(got) > 0 {
		t.Errorf("found %v in memories", got)
	}
	m.env["MCP_MEMORY_WORKSPACE_INCLUDE"] = "notes/*.md"
	m.fails(exitUsage, "workspace.include", "search", "keel")
}

// What is saved stands in files, too: it is found once.
func TestSearchFindsWhatIsInFilesOnce(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "I always drink rooibos in the evening.", "--importance", "0.9")
	var out struct {
		Results []struct{ Type, Snippet string }
	}
	m.read(&out, "search", "rooibos in the evening")
	if len(out.Results) != 1 || out.Results[0].Type != "memory" {
		t.Errorf("found %+v", out.Results)
	}
	if got := m.foundFiles("rooibos in the evening", "--in", "workspace"); len(got) != 1 || got[0] != "MEMORY.md" {
		t.Errorf("found %v in files", got)
	}
}
