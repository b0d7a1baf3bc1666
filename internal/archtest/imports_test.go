package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module is the path of this module.
const module = "mcp-memory"

// pkg is a package as `go list -json` tells of it.
type pkg struct {
	ImportPath string
	Name       string
	Imports    []string
}

// root is the directory of go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("there is no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// listPackages asks the go command, which knows about build tags.
func listPackages(t *testing.T, tags string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Imports", "-tags="+tags, "./...")
	cmd.Dir = root(t)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, failure.String())
	}
	var packages []pkg
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		packages = append(packages, p)
	}
}

func TestImports(t *testing.T) {
	for _, tags := range buildTags {
		t.Run("tags="+tags, func(t *testing.T) {
			for _, p := range listPackages(t, tags) {
				checkImports(t, p)
			}
		})
	}
}

func checkImports(t *testing.T, p pkg) {
	t.Helper()
	path := local(p.ImportPath)
	r, ok := ruleOf(path)
	if !ok {
		t.Errorf("%s has no row in rules_test.go: say what it is and what it may import", path)
		return
	}
	for _, i := range p.Imports {
		switch {
		case isLocal(i) && fits(local(i), forTests) && !fits(path, forTests):
			t.Errorf("%s must not import %s: that is for tests and measurements", path, local(i))
		case isLocal(i) && !fits(local(i), r.local):
			t.Errorf("%s must not import %s: it is %s; of this module it may import %s", path, local(i), r.why, orNothing(r.local))
		case !isLocal(i) && !isStandard(i) && !fits(i, r.outside):
			t.Errorf("%s must not import %s: it is %s; of other modules it may import %s", path, i, r.why, orNothing(r.outside))
		}
	}
}

func ruleOf(path string) (rule, bool) {
	for _, r := range rules {
		if fits(path, list(r.packages)) {
			return r, true
		}
	}
	return rule{}, false
}

func TestPackageNames(t *testing.T) {
	for _, p := range listPackages(t, "") {
		if fits(p.Name, emptyNames) {
			t.Errorf("%s is named %s, which does not say what it is for", p.ImportPath, p.Name)
		}
	}
}

// TestRules checks the table itself, so that a rule that says nothing is seen.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		path     string
		patterns []string
		want     bool
	}{
		{"db", list("db"), true},
		{"db/sqlite", list("db"), false},
		{"db", list("db/..."), true},
		{"db/sqlite", list("db/..."), true},
		{"dbx", list("db/..."), false},
		{"anything/at/all", list("..."), true},
		{"memory", nil, false},
	} {
		if got := fits(c.path, c.patterns); got != c.want {
			t.Errorf("fits(%q, %q) = %t, want %t", c.path, c.patterns, got, c.want)
		}
	}
	for _, broken := range []struct{ from, to string }{
		{"memory", "text/analysis"}, {"recall", "db/sqlite"}, {"recall", "remember"}, {"remember", "embed"},
		{"db/sqlite", "embed"}, {"embed", "recall"}, {"tools", "db/sqlite"}, {"server", "recall"}, {"db/sqlite", "db/dbtest"},
		{"text/timex", "salience"}, {"salience", "recall"}, {"internal/job", "remember"}, {"internal/endpoint", "embed"}, {"embed", "llm"},
		{"contextwindow", "consolidate"}, {"access", "db/sqlite"}, {"access/oidc", "server"}, {"remember", "tools"}, {"resources", "tools"},
		{"server/stdio", "server/web"}, {"server/web", "server/stdio"}, {"server/web", "remember"},
	} {
		if r, ok := ruleOf(broken.from); !ok || fits(broken.to, r.local) {
			t.Errorf("the table lets %s import %s", broken.from, broken.to)
		}
	}
	for _, r := range rules {
		door := fits(r.packages, list("tools/...", "server/...", "test/...", "eval/..."))
		if fits("github.com/mark3labs/mcp-go/mcp", r.outside) != door {
			t.Errorf("%s: only tools and server may know the MCP library", r.packages)
		}
	}
}

func local(path string) string { return strings.TrimPrefix(path, module+"/") }

func isLocal(path string) bool { return strings.HasPrefix(path, module+"/") }

// isStandard holds for the standard library, whose paths have no domain.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func orNothing(patterns []string) string {
	if len(patterns) == 0 {
		return "nothing"
	}
	return strings.Join(patterns, ", ")
}
