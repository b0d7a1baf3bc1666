package docstest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/internal/testbinary"
)

var update = flag.Bool("update", false, "write the generated parts of the documents")

// top is the module's directory, seen from this package's.
var top = filepath.Join("..", "..")

// generated are the parts of documents that the program writes itself, and what
// of it does.
var generated = []struct {
	file, part string
	from       string
	make       func(t *testing.T, from string) string
}{
	{"docs/reference.md", "tools", "tools --tools all", printed},
	{"docs/reference.md", "resources", "serve", pages},
	{"docs/reference.md", "settings", "settings --markdown", printed},
	{"docs/reference.md", "categories", "memory.DefaultCategories", categories},
	{"docs/cli.md", "commands", "manual", printed},
}

func TestGenerated(t *testing.T) {
	for _, g := range generated {
		t.Run(g.file+" "+g.part, func(t *testing.T) {
			want := g.make(t, g.from)
			path := filepath.Join(top, g.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			before, part, after, err := cut(string(text), g.part)
			if err != nil {
				t.Fatalf("%s: %v", g.file, err)
			}
			if strings.TrimSpace(part) == want {
				return
			}
			if !*update {
				t.Fatalf("%s, part %s, is not what %s says: run go test ./internal/docstest -update\n%s",
					g.file, g.part, g.from, firstDifference(part, want))
			}
			write(t, path, before+"\n"+want+"\n"+after)
		})
	}
}

// printed is what a command prints.
func printed(t *testing.T, command string) string {
	t.Helper()
	return output(t, strings.Fields(command)...)
}

// binary is the program.
var binary testbinary.Binary

func TestMain(m *testing.M) {
	code := m.Run()
	if err := binary.Remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// output runs the program on a machine with nothing on it and returns what it
// prints, without blanks around it.
func output(t *testing.T, args ...string) string {
	t.Helper()
	return answered(t, "", args...)
}

// answered is [output] of a program that is given something on stdin.
func answered(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary.Path(t, ""), args...)
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "LOCALAPPDATA", "TMPDIR", "TEMP"} {
		cmd.Env = append(cmd.Env, name+"="+home) // and nobody's settings
	}
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("mcp-memory %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cut splits a document at the markers of a part; they stay outside of it.
func cut(text, part string) (before, inside, after string, err error) {
	begin, end := "<!-- "+part+":begin -->", "<!-- "+part+":end -->"
	if strings.Count(text, begin) != 1 || strings.Count(text, end) != 1 {
		return "", "", "", fmt.Errorf("%s and %s must be there once each", begin, end)
	}
	before, rest, _ := strings.Cut(text, begin)
	inside, after, found := strings.Cut(rest, end)
	if !found {
		return "", "", "", fmt.Errorf("%s stands before %s", end, begin)
	}
	return before + begin, inside, end + after, nil
}

func firstDifference(got, want string) string {
	g, w := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d of the part\n  is     %s\n  should %s", i+1, a, b)
		}
	}
	return ""
}
