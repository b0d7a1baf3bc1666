package gitlog_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mcp-memory/internal/gitlog"
)

// repository makes one with two commits of a file.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		git := exec.Command("git",
			append([]string{"-C", dir, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgsign=false"},
				args...)...)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	for _, c := range [][2]string{{"one\ntwo\n", "Make it"}, {"one\nTWO\n", "Shout the second line"}} {
		if err := os.WriteFile(filepath.Join(dir, "a b.txt"), []byte(c[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		run("add", ".")
		run("commit", "-q", "-m", c[1])
	}
	return dir
}

func subjects(commits []gitlog.Commit) (list []string) {
	for _, c := range commits {
		list = append(list, c.Subject)
	}
	return list
}

func TestOf(t *testing.T) {
	dir := repository(t)
	file := filepath.Join(dir, "a b.txt")
	all := gitlog.Of(t.Context(), file, 0, 0, os.Getenv("PATH"))
	if len(all) != 2 || all[0].Subject != "Shout the second line" || all[0].Author != "Ann" || all[0].At.IsZero() || len(all[0].ID) != 40 {
		t.Errorf("%+v", all)
	}
	if got := gitlog.Of(t.Context(), file, 1, 1, os.Getenv("PATH")); len(got) != 1 || got[0].Subject != "Make it" {
		t.Errorf("of the first line: %q", subjects(got))
	}
	for _, nowhere := range []string{filepath.Join(dir, "gone.txt"), filepath.Join(t.TempDir(), "x"), "/nonexistent/x"} {
		if got := gitlog.Of(t.Context(), nowhere, 0, 0, os.Getenv("PATH")); len(got) != 0 {
			t.Errorf("%s: %q", nowhere, subjects(got))
		}
	}
}

// TestHostileRepository: nothing that the settings of a repository name is run.
func TestHostileRepository(t *testing.T) {
	dir := repository(t)
	mark := filepath.Join(t.TempDir(), "ran")
	evil := filepath.Join(dir, "evil.sh")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch '"+mark+"'\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, s := range [][2]string{
		{"core.pager", evil}, {"pager.log", evil}, {"core.fsmonitor", evil}, {"diff.external", evil},
		{"core.hooksPath", dir}, {"log.showSignature", "true"}, {"gpg.program", evil},
		{"core.sshCommand", evil}, {"diff.evil.textconv", evil}, {"diff.evil.command", evil},
		{"filter.evil.clean", evil}, {"filter.evil.smudge", evil}, {"alias.log", "!" + evil},
		{"log.showSignature", "true"}, {"core.askPass", evil}, {"core.editor", evil}, {"credential.helper", evil},
	} {
		if out, err := exec.Command("git", "-C", dir, "config", s[0], s[1]).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", s[0], err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* diff=evil filter=evil\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a b.txt")
	if len(gitlog.Of(t.Context(), file, 0, 0, os.Getenv("PATH"))) != 2 || len(gitlog.Of(t.Context(), file, 1, 2, os.Getenv("PATH"))) != 2 {
		t.Error("the commits are not found")
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository was run")
	}
}
