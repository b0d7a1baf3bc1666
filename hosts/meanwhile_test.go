package hosts

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// saves are the ways in which editors save a file.
var saves = map[string]func(path string, text []byte) error{
	"in place": func(path string, text []byte) error { return os.WriteFile(path, text, 0o600) },
	"by a rename": func(path string, text []byte) error {
		return errors.Join(os.WriteFile(path+"~", text, 0o600), os.Rename(path+"~", path))
	},
}

// TestAnEditorSavesMeanwhile wants what an editor saves between our reading of a file and our writing to
// stay, and the change to be made all the same, however often it does so.
func TestAnEditorSavesMeanwhile(t *testing.T) {
	h, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for name, save := range saves {
		for _, out := range []bool{false, true} {
			m := machine(t, "linux")
			path := filepath.Join(m.Home, ".cursor", "mcp.json")
			write(t, path, "{\n  \"mine\": 0\n}\n")
			plan, err := h.Install(m, Options{Scope: ScopeUser, Command: "/opt/bin/mcp-memory", NoHooks: true})
			if out {
				apply(t, h, m, Options{Scope: ScopeUser, Command: "/opt/bin/mcp-memory", NoHooks: true}, false)
				plan, err = h.Uninstall(m, Options{Scope: ScopeUser, Command: "/opt/bin/mcp-memory"})
			}
			if err != nil {
				t.Fatal(err)
			}
			calls, saved := 0, 0
			edit := func() {
				if calls++; calls == 1 || saved == 3 { // the first is the preview
					return
				}
				saved++
				text, err := os.ReadFile(path)
				if err = errors.Join(err,
					save(path, []byte(strings.Replace(string(text), fmt.Sprint(`"mine": `, saved-1), fmt.Sprint(`"mine": `, saved),
						1)))); err != nil {
					t.Fatal(err)
				}
			}
			set, unset := plan.steps[0].set, plan.steps[0].unset
			if out {
				plan.steps[0].unset = func(old []byte, keep func([]string) bool) ([]byte, error) { edit(); return unset(old, keep) }
			} else {
				plan.steps[0].set = func(old []byte) ([]byte, error) { edit(); return set(old) }
			}
			done, err := plan.Apply(t.Context())
			text, _ := os.ReadFile(path)
			if err != nil || saved != 3 || !strings.Contains(string(text), `"mine": 3`) ||
				strings.Contains(string(text), "mcp-memory") == out {
				t.Errorf("%s, out %v: %d saves, %q, %v: %s", name, out, saved, done, err, text)
			}
			for left := range tree(t, m.Home) {
				if strings.Contains(filepath.Base(left), ".json-") {
					t.Errorf("%s, out %v: left %s", name, out, left)
				}
			}
		}
	}
}

// TestAFileThatKeepsChanging is given up, and left to who changes it.
func TestAFileThatKeepsChanging(t *testing.T) {
	h, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, "linux")
	path := filepath.Join(m.Home, ".cursor", "mcp.json")
	write(t, path, "{}")
	plan, err := h.Install(m, Options{Scope: ScopeUser, Command: "/opt/bin/mcp-memory", NoHooks: true})
	if err != nil {
		t.Fatal(err)
	}
	set, saved := plan.steps[0].set, 0
	plan.steps[0].set = func(old []byte) ([]byte, error) {
		saved++
		if err := os.WriteFile(path, fmt.Appendf(nil, `{"mine": %d}`, saved), 0o600); err != nil {
			t.Fatal(err)
		}
		return set(old)
	}
	if _, err := plan.Apply(t.Context()); memory.CodeOf(err) != memory.CodeConflict ||
		!strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != fmt.Sprintf(`{"mine": %d}`, saved) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestLinksOfAProject wants none to lead an installation out of the project; those of the user go where
// they lead.
func TestLinksOfAProject(t *testing.T) {
	h, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		link, to string // from the project
		goes     bool
	}{
		"a directory out":    {".cursor", "../../out", false},
		"a file out":         {".cursor/mcp.json", "../../../out/mcp.json", false},
		"a directory inside": {".cursor", "config", true},
		"a file inside":      {".cursor/mcp.json", "../config/mcp.json", true},
		"to nothing, out":    {".cursor", "../../nothing", false},
	} {
		m := machine(t, "linux")
		write(t, filepath.Join(m.Home, "out", "mcp.json"), "{}\n")
		write(t, filepath.Join(m.Project, "config", "mcp.json"), "{}\n")
		link := filepath.Join(m.Project, filepath.FromSlash(c.link))
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(c.to), link); err != nil {
			t.Skip("there are no links here:", err)
		}
		before := tree(t, filepath.Join(m.Home, "out"))
		plan, err := h.Install(m, Options{Scope: ScopeProject, Command: "mcp-memory", NoHooks: true})
		if err != nil {
			t.Fatal(err)
		}
		_, previewed := plan.Preview()
		done, err := plan.Apply(t.Context())
		inside, _ := os.ReadFile(filepath.Join(m.Project, "config", "mcp.json"))
		if c.goes != (err == nil) || c.goes != (previewed == nil) || c.goes != strings.Contains(string(inside), "mcp-memory") ||
			!c.goes && memory.CodeOf(err) != memory.CodeConflict {
			t.Errorf("%s: %q, %v, %v, inside %s", name, done, previewed, err, inside)
		}
		if after := tree(t, filepath.Join(m.Home, "out")); !maps.Equal(before, after) {
			t.Errorf("%s: out there %v", name, after)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is gone: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(m.Home, "nothing")); err == nil {
			t.Errorf("%s: made what the link leads to", name)
		}
	}
}

// TestCopyOfAMixedFile wants a file that has ours beside others' to be copied before it is changed, if there
// is no copy; one that has only ours needs none.
func TestCopyOfAMixedFile(t *testing.T) {
	h, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for name, others := range map[string]bool{"mixed": true, "ours": false} {
		m := machine(t, "linux")
		path := filepath.Join(m.Home, ".cursor", "mcp.json")
		if others {
			write(t, path, `{"mcpServers":{"theirs":{"command":"x"}}}`)
		}
		apply(t, h, m, Options{Scope: ScopeUser, Command: "/opt/bin/mcp-memory", NoHooks: true}, false)
		if err := os.Remove(path + BackupSuffix); others && err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if done := apply(t, h, m, Options{Scope: ScopeUser, Command: "/opt/other/bin/mcp-memory", NoHooks: true, Replace: true},
			false); len(done) != 1 {
			t.Fatalf("%s: did %q", name, done)
		}
		if kept, err := os.ReadFile(path + BackupSuffix); others != (err == nil) || others && string(kept) != string(before) {
			t.Errorf("%s: kept %q, %v", name, kept, err)
		}
	}
}

// TestAnOldCopyIsRenewed: the file was copied before an earlier installation, and the copy stayed beside it because the person
// had changed the file. What is copied before the next one is the file as it is then.
func TestAnOldCopyIsRenewed(t *testing.T) {
	h, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	m, o := machine(t, "linux"), Options{Scope: ScopeUser, Command: "/opt/bin/mcp-memory", NoHooks: true}
	path := filepath.Join(m.Home, ".cursor", "mcp.json")
	write(t, path, `{"mcpServers":{"theirs":{"command":"x"}}}`)
	apply(t, h, m, o, false)
	const later = `{"mcpServers":{"theirs":{"command":"y"}}}`
	write(t, path, later)
	apply(t, h, m, o, false)
	if kept, err := os.ReadFile(path + BackupSuffix); err != nil || string(kept) != later {
		t.Errorf("kept %q, %v", kept, err)
	}
}
