package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/memory"
)

func TestOwnerAndName(t *testing.T) {
	for remote, want := range map[string]string{
		"https://example.com/Acme/Shop.git":            "acme/shop",
		"https://example.com/acme/shop":                "acme/shop",
		"https://example.com/acme/shop/":               "acme/shop",
		"https://example.com/acme/shop.git/":           "acme/shop",
		"https://user:token@example.com/acme/shop.git": "acme/shop",
		"https://example.com/group/acme/shop.git":      "acme/shop",
		"ssh://git@example.com:2222/acme/shop.git":     "acme/shop",
		"git@example.com:acme/shop.git":                "acme/shop",
		"git@example.com:acme/shop":                    "acme/shop",
		"example.com:acme/shop":                        "acme/shop",
		"git@example.com:shop.git":                     "shop",
		"/srv/git/acme/shop.git":                       "acme/shop",
		"file:///srv/git/acme/shop.git":                "acme/shop",
		`C:\git\acme\shop`:                             "acme/shop",
		"":                                             "",
	} {
		if got := ownerAndName(remote); got != want {
			t.Errorf("%q is %q, want %q", remote, got, want)
		}
	}
}

const gitRemote = "[core]\n\tbare = false\n[remote \"upstream\"]\n\turl = https://example.com/other/fork.git\n" +
	"[remote \"origin\"]\n\turl = git@example.com:acme/shop.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"

// layout is a home directory with projects of every form in it.
func layout(t *testing.T) (home string) {
	t.Helper()
	root := t.TempDir()
	home = filepath.Join(root, "home")
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	write(t, in(".mcp-memory.yaml"), "project: everything\n")
	write(t, in(".git", "config"), gitRemote)
	write(t, in("plain", "deep", "file"), "")
	write(t, in("named", ".mcp-memory.yaml"), "project: Named Project\n")
	write(t, in("named", ".git", "config"), gitRemote)
	write(t, in("named", "deep", "file"), "")
	write(t, in("named", "vendor", ".git", "config"), gitRemote)
	write(t, in("named", "vendor", "src", "file"), "")
	write(t, in("cloned", ".git", "config"), gitRemote)
	write(t, in("cloned", "src", "deep", "file"), "")
	write(t, in("local", ".git", "config"), "[core]\n\tbare = false\n")
	write(t, in("local", "deep", "file"), "")
	write(t, in("local", ".git", "worktrees", "wt", "commondir"), "../..\n")
	write(t, in("localtree", ".git"), "gitdir: "+in("local", ".git", "worktrees", "wt")+"\n")
	write(t, in("cloned", "inner", ".git", "config"), "[core]\n\tbare = false\n")
	write(t, in("upstream", ".git", "config"), "[remote \"upstream\"]\n\turl = https://example.com/other/fork.git\n")
	// A worktree: a .git file that points to a directory of the main repository.
	write(t, in("cloned", ".git", "worktrees", "wt", "commondir"), "../..\n")
	write(t, in("worktree", ".git"), "gitdir: "+in("cloned", ".git", "worktrees", "wt")+"\n")
	write(t, in("worktree", "src", "file"), "")
	write(t, in("beside", ".git"), "gitdir: ../cloned/.git/worktrees/wt\n")
	// A submodule: its git directory is inside the outer one's.
	write(t, in("cloned", ".git", "modules", "sub", "config"), "[remote \"origin\"]\n\turl = https://example.com/acme/sub\n")
	write(t, in("cloned", "sub", ".git"), "gitdir: ../.git/modules/sub\n")
	write(t, in("strange", ".git"), "what is this\n")
	write(t, in("broken", ".mcp-memory.yaml"), "project: [\n")
	write(t, in("nameless", ".mcp-memory.yaml"), "projekt: x\n")
	write(t, filepath.Join(root, "opt", "tool", ".git", "config"), gitRemote)
	return home
}

func TestFindProject(t *testing.T) {
	home := layout(t)
	for dir, want := range map[string]string{
		"":                 "",
		"plain":            "",
		"plain/deep":       "",
		"named":            "Named Project",
		"named/deep":       "Named Project",
		"named/vendor":     "Named Project",
		"named/vendor/src": "Named Project",
		"cloned":           "acme/shop",
		"cloned/src/deep":  "acme/shop",
		"cloned/sub":       "acme/sub",
		"worktree":         "acme/shop",
		"worktree/src":     "acme/shop",
		"beside":           "acme/shop",
		"upstream":         "other/fork",
		"local":            "local/local",
		"local/deep":       "local/local",
		"localtree":        "local/local",
		"cloned/inner":     "acme/shop",
		"strange":          "",
		"../opt/tool":      "acme/shop",
		"..":               "",
	} {
		for _, at := range []string{home, home + string(filepath.Separator)} {
			if got, err := findProject(filepath.Join(home, filepath.FromSlash(dir)), at); err != nil || got.name != want {
				t.Errorf("%q is %q, %v; want %q", dir, got.name, err, want)
			}
		}
	}
	for dir, want := range map[string]string{"broken": "not valid YAML", "nameless": "names no project"} {
		if _, err := findProject(filepath.Join(home, dir), home); memory.CodeOf(err) != memory.CodeInvalidArgument ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// A home directory that is reached by a link is a home directory all the same.
func TestHomeBehindALink(t *testing.T) {
	home := layout(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Log("there are no links here:", err)
		return
	}
	if got, err := findProject(filepath.Join(home, "plain"), link); err != nil || got.name != "" {
		t.Errorf("%q, %v", got.name, err)
	}
}

// TestOtherProjectsAreNamed: where this project has no answer, the commands say so and
// which other one has, also beside what a small bank shows all the same.
func TestOtherProjectsAreNamed(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The harbour closes at nine.", "--project", "")
	m.ok("save", "The deployment goes to Fly.io.", "--project", "shop")
	m.ok("save", "Flour is ground on Mondays.", "--project", "mill")
	for _, command := range []string{"recall", "search"} {
		if text := m.ok(command, "deployment", "--project", "mill"); !strings.Contains(text,
			"Nothing relevant in project mill; 1 in project shop. --project NAME reads another one.") {
			t.Errorf("%s prints %q", command, text)
		}
	}
	if text := m.ok("recall", "opera singer", "--project", "mill"); !strings.HasPrefix(text, "Probably not remembered: ") {
		t.Errorf("%q", text)
	}
	if text := m.ok("recall", "harbour", "--project", "mill"); strings.Contains(text, "Nothing") {
		t.Errorf("%q", text)
	}
}

// The working directory, the environment and the flag say which project a
// command is about, each before the other.
// Blanks around a name are not seen: with them a memory would be where no other call looks.
func TestNamesOfProjectsInBlanks(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The shop opens at nine.", "--project", " shop ")
	for _, name := range []string{"shop", "  shop", "shop\t"} {
		if text := m.ok("list", "--project", name); !strings.Contains(text, "at nine") {
			t.Errorf("project %q has %q", name, text)
		}
	}
	m.env["MCP_MEMORY_PROJECT"] = "  "
	m.ok("save", "Anna lives in Oslo.")
	delete(m.env, "MCP_MEMORY_PROJECT")
	if text := m.ok("list", "--project", ""); !strings.Contains(text, "Oslo") || strings.Contains(text, "nine") {
		t.Errorf("what is global is %q", text)
	}
	m.fails(exitUsage, "control character", "save", "x", "--project", "a\nb")
	root := t.TempDir()
	write(t, filepath.Join(root, projectFile), "project: '  shop  '\n")
	if at, err := findProject(root, t.TempDir()); err != nil || at.name != "shop" {
		t.Errorf("of the file: %q, %v", at.name, err)
	}
}

func TestForgetAProject(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The shop opens at nine.", "--project", "shop")
	m.ok("save", "The bakery opens at six.")
	m.fails(exitUsage, "nothing to forget is named", "forget")
	m.fails(exitUsage, "project is empty", "forget", "--project", "")
	var forgotten struct {
		UndoID string `json:"undo_id"`
	}
	m.read(&forgotten, "forget", "--query", "opens", "--project", "shop")
	if text := m.ok("list", "--project", "*"); strings.Contains(text, "nine") || !strings.Contains(text, "six") {
		t.Errorf("by query, the bank has %q", text)
	}
	m.ok("undo", forgotten.UndoID) // by its id: changes of one millisecond have no order
	m.ok("forget", "--project", "shop")
	if text := m.ok("list", "--project", "*"); strings.Contains(text, "nine") || !strings.Contains(text, "six") {
		t.Errorf("without a query, the bank has %q", text)
	}
}

func TestProjectOfARun(t *testing.T) {
	m := newMachine(t)
	m.home = layout(t)
	m.env["HOME"], m.env["USERPROFILE"] = m.home, m.home
	t.Chdir(filepath.Join(m.home, "cloned", "src"))
	project := func(args ...string) string {
		t.Helper()
		var one saved
		m.read(&one, append([]string{"save", "Invoices are archived on the server for ten years."}, args...)...)
		var got struct{ Records []struct{ Project string } }
		m.read(&got, "get", one.ID)
		return got.Records[0].Project
	}
	if got := project(); got != "acme/shop" {
		t.Errorf("in a repository: %q", got)
	}
	m.env["MCP_MEMORY_PROJECT"] = "ambient"
	if got := project(); got != "ambient" {
		t.Errorf("with the environment: %q", got)
	}
	if got := project("--project", "flagged"); got != "flagged" {
		t.Errorf("with the flag: %q", got)
	}
	if got := project("--project", ""); got != "" {
		t.Errorf("with an empty flag: %q", got)
	}
	m.env["MCP_MEMORY_PROJECT"] = ""
	t.Chdir(filepath.Join(m.home, "plain"))
	if got := project(); got != "" {
		t.Errorf("in the home directory: %q", got)
	}
	t.Chdir(filepath.Join(m.home, "broken"))
	m.fails(exitUsage, "not valid YAML", "stats")
}
