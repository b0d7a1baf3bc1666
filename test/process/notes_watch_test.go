//go:build unix

package process

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// until waits for something to be so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// TestNotesAreWatched edits notes beside the command that watches them, and saves beside it.
func TestNotesAreWatched(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), filepath.Join(t.TempDir(), "vault")
	must := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := cli(t, dir, args...)
		if code != 0 {
			t.Fatalf("%q: exit %d, %s", args, code, stderr)
		}
		return stdout
	}
	must("save", "Anna plays the oboe")
	cmd := command(t, dir, "notes", "watch", folder)
	var out, log shared
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	note := func(word string) (name, content string) {
		names, _ := filepath.Glob(filepath.Join(folder, "*", "*.md"))
		for _, name := range names {
			if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), word) {
				return name, string(text)
			}
		}
		return "", ""
	}
	until(t, "the first notes", func() bool { return strings.Contains(log.String(), "Watching") })
	name, content := note("oboe")
	if err := os.WriteFile(name+".tmp", []byte(strings.Replace(content, "oboe", "bassoon", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".tmp", name); err != nil {
		t.Fatal(err)
	}
	undo := regexp.MustCompile(`changed in the bank \(mcp-memory undo ([0-9a-f-]+)\)`)
	until(t, "the edit", func() bool { return undo.MatchString(out.String()) })
	if list := must("list"); !strings.Contains(list, "bassoon") || strings.Contains(list, "oboe") {
		t.Errorf("the edit is not in the bank:\n%s", list)
	}
	must("save", "The harbour café opens at nine")
	until(t, "what was saved elsewhere", func() bool { name, _ := note("harbour"); return name != "" })
	must("undo", undo.FindStringSubmatch(out.String())[1], "--yes")
	until(t, "what was undone", func() bool { name, _ := note("oboe"); return name != "" })
	if name, _ := note("bassoon"); name != "" {
		t.Errorf("%s is there still", name)
	}
	if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
		t.Errorf("%v\n%s", err, log.String())
	}
}
