package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// strange makes directories that a stranger may have made, and says what is
// wrong with each: "" where there is just no project.
func strange(t *testing.T) map[string]string {
	t.Helper()
	root := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	link := func(to string, name ...string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name...)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at(name...)); err != nil {
			t.Skip("there are no links here:", err)
		}
	}
	write(t, at("private"), "project: hunter2\n[remote \"origin\"]\n\turl = hunter2/hunter2\n")
	const plain = "is not a plain file of up to 65536 bytes in its directory"
	wrong := map[string]string{}
	is := func(dir, want string) { wrong[at(dir)] = want }

	link(at("private"), "out", projectFile)
	is("out", plain)
	link(at("nothing"), "dangling", projectFile)
	is("dangling", plain)
	link(at("private"), "config", ".git", "config")
	is("config", "")
	link(at(), "gitlink", ".git")
	is("gitlink", "")
	write(t, at("long", projectFile), "project: long\n"+strings.Repeat("#\n", maxForeign/2))
	is("long", plain)
	write(t, at("all", projectFile), "project: \"*\"\n")
	is("all", "names all projects")
	write(t, at("allgit", ".git", "config"), "[remote \"origin\"]\n\turl = host:*\n")
	is("allgit", "local") // that remote is no name
	write(t, at("secret", projectFile), "project: [hunter2\n")
	is("secret", "not valid YAML")
	write(t, at("huge", projectFile), "project: "+strings.Repeat("hunter2", 1000)+"\n")
	is("huge", "not valid YAML")
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'h'; c++ {
		bomb += strings.ReplaceAll("N: &N [*P,*P,*P,*P,*P,*P,*P,*P,*P]\n", "N", string(c))
		bomb = strings.ReplaceAll(bomb, "P", string(c-1))
	}
	write(t, at("bomb", projectFile), bomb+"project: *h\n")
	is("bomb", "not valid YAML")
	if runtime.GOOS != "windows" {
		link("/dev/zero", "zero", projectFile)
		is("zero", plain)
		link("/dev/zero", "zerogit", ".git", "config")
		is("zerogit", "")
		write(t, at("commondir", ".git"), "gitdir: git\n")
		link("/dev/zero", "commondir", "git", "commondir")
		is("commondir", "")
	}
	for dir, file := range pipes(t, root) {
		wrong[dir] = map[bool]string{true: plain, false: ""}[file == projectFile]
	}
	return wrong
}

func TestDirectoryOfAStranger(t *testing.T) {
	for dir, want := range strange(t) {
		begun := time.Now()
		at, err := findProject(dir, t.TempDir())
		name := at.name
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("%s took %v", filepath.Base(dir), took)
		}
		switch {
		case want == "local" && name == "local/"+filepath.Base(dir):
		case name != "":
			t.Errorf("%s is %q", filepath.Base(dir), name)
		case want == "" && err != nil:
			t.Errorf("%s: %v", filepath.Base(dir), err)
		case want != "" && (memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), dir)):
			t.Errorf("%s: %v; want %q", filepath.Base(dir), err, want)
		case want != "" && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s: the error repeats the file: %v", filepath.Base(dir), err)
		}
	}
}

// A link that stays inside its directory is a file of it, and what stands
// around the line of the project does not matter.
func TestProjectFileForms(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "config", "memory.yaml"), "\uFEFF# ours\nother: [1]\nproject: 'shop'  # the shop\n")
	if err := os.Symlink(filepath.Join("config", "memory.yaml"), filepath.Join(root, projectFile)); err != nil {
		t.Skip("there are no links here:", err)
	}
	if at, err := findProject(root, t.TempDir()); err != nil || at.name != "shop" {
		t.Errorf("%q, %v", at.name, err)
	}
}

func TestLongGitConfig(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".git", "config"), gitRemote+strings.Repeat("[branch \"x\"]\n\tmerge = refs/heads/x\n", 10000))
	if at, err := findProject(root, t.TempDir()); err != nil || at.name != "acme/shop" {
		t.Errorf("%q, %v", at.name, err)
	}
}
