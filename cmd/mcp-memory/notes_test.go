package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExportAndImportOfNotes(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "Anna plays the oboe.")
	m.ok("todo", "add", "Water the plants")
	dir := filepath.Join(t.TempDir(), "notes")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"export", "--format", "markdown", dir}, "Exported 1 memory and 1 to-do. 3 files were written.\n"},
		{[]string{"export", "--format", "markdown", dir}, "Exported 1 memory and 1 to-do. 0 files were written.\n"},
		{[]string{"--agent", "boris", "import", "--format", "markdown", dir}, "Imported 1 memory and 1 to-do.\n"},
		{[]string{"--agent", "boris", "import", dir}, "Imported nothing new. 2 were there already.\n"},
	} {
		if got := m.ok(c.args...); got != c.want {
			t.Errorf("%v prints %q, want %q", c.args, got, c.want)
		}
	}
	names, _ := filepath.Glob(filepath.Join(dir, "fact", "*.md"))
	content, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names[0], []byte(strings.Replace(string(content), "oboe", "bassoon", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	r := m.run("", "export", "--format", "markdown", dir)
	if !strings.Contains(r.stdout, "1 was left as somebody edited it") ||
		!strings.HasPrefix(r.stderr, "left as it is: fact/anna-plays-the-oboe-") {
		t.Errorf("printed %q and %q", r.stdout, r.stderr)
	}
	if got := m.ok("import", dir); !strings.Contains(got, "1 changed") || !strings.Contains(got, "To take that back: mcp-memory undo ") {
		t.Errorf("printed %q", got)
	}
	if got := m.ok("recall", "Which instrument does Anna play?"); !strings.Contains(got, "bassoon") {
		t.Errorf("recalled %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.md"), []byte("---\na: [\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := m.run("", "import", dir); r.code != 1 || !strings.Contains(r.stderr, "bad.md:2: the front matter is not YAML") {
		t.Errorf("%+v", r)
	}
	if r := m.run("", "import", dir, "--skip-bad"); r.code != 0 || !strings.Contains(r.stdout, "1 broken note was skipped") ||
		!strings.HasPrefix(r.stderr, "bad.md:2: ") {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{"export", "--format", "markdown", "-"}, {"export", "--format", "xml", dir},
		{"import", "--format", "markdown", names[0]}} {
		if r := m.run("", args...); r.code != 2 {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
