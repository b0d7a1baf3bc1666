package remember_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/remember"
)

func (b *bank) dayLogPath() string {
	return filepath.Join(b.dir, "workspaces", "anna", "memory", b.now.Format("2006-01-02")+".md")
}

// dayLog returns the lines of the day's log that stand for records.
func (b *bank) dayLog() []string {
	text, err := testfiles.ReadFile(b.dayLogPath())
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "- ") {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestDayLog(t *testing.T) {
	testfiles.OnDisk(t)
	b := newBank(t)
	got := b.save(remember.SaveRequest{Content: "Shopping:\n- milk\n\n# bread", Category: "home"})
	b.say("shopping: - milk # bread") // the same again
	b.save(remember.SaveRequest{Content: "Quiet.", Quiet: true})
	content := "Shopping: eggs"
	update, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: got.ID, Content: &content})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("[- 12:00:00 [home] Shopping: - milk # bread <!-- %s -->\n - 12:00:00 [home] Shopping: eggs <!-- %s -->\n]",
		got.ID, update.ID)
	if lines := fmt.Sprint(b.dayLog()); lines != want {
		t.Errorf("log %s\nwant %s", lines, want)
	}
	for path, mode := range map[string]fs.FileMode{b.dayLogPath(): 0o600, filepath.Dir(b.dayLogPath()): 0o700,
		filepath.Join(b.dir, "workspaces"): 0o700} {
		info, err := testfiles.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode {
			t.Errorf("%s has mode %o", filepath.Base(path), info.Mode().Perm())
		}
	}
}

func TestADayLogThatCannotBeWritten(t *testing.T) {
	testfiles.OnDisk(t)
	b := newBank(t)
	if err := testfiles.WriteFile(filepath.Join(b.dir, "workspaces"), []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := b.say("Anna plays the oboe.")
	if got.Action != remember.Created || fmt.Sprint(got.SavedTo) != "[database]" {
		t.Errorf("%+v", got)
	}
	if b.record(got.ID).Content != "Anna plays the oboe." {
		t.Error("not saved")
	}
}
