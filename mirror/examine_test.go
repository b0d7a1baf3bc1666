package mirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/planning"
	"mcp-memory/remember"
)

// examine returns what the files of ann differ in, and that looking changed nothing.
func (b tasks) examine() string {
	b.t.Helper()
	state := func() string {
		all := ""
		_ = filepath.WalkDir(filepath.Dir(b.path), func(path string, entry os.DirEntry, err error) error {
			content, _ := testfiles.ReadFile(path)
			all += path + "\n" + string(content)
			return err
		})
		return all
	}
	before := state()
	found, err := b.Mirror.Examine(b.t.Context(), "ann")
	if err != nil {
		b.t.Fatal(err)
	}
	if state() != before {
		b.t.Error("looking changed the files")
	}
	var details []string
	for _, f := range found {
		if f.Check != mirror.Check || f.Condition != memory.ConditionWarning || f.Advice == "" {
			b.t.Errorf("%+v", f)
		}
		details = append(details, f.Detail)
	}
	return strings.Join(details, "\n")
}

func TestExamineFindsWhatDiffers(t *testing.T) {
	type change func(b tasks)
	for name, c := range map[string]struct {
		change change
		want   string // "" for nothing
		after  string // once it is repaired
	}{
		"nothing": {func(tasks) {}, "", ""},
		"saved by a dead process": {func(b tasks) {
			raw := remember.New(b.RawOptions())
			if _, err := raw.Save(t.Context(), ann, remember.SaveRequest{Content: "Takes tea green.", Pinned: true}); err != nil {
				t.Fatal(err)
			}
		}, "ann: MEMORY.md lacks 1 line of what is in the bank", ""},
		"planned by a dead process": {func(b tasks) {
			raw := planning.New(b.RawPlanningOptions())
			for _, title := range []string{"Sweep", "Dust"} {
				if _, err := raw.AddTodo(t.Context(), memory.Scope{Agent: "ann"}, planning.TodoRequest{Title: title}); err != nil {
					t.Fatal(err)
				}
			}
		}, "ann: MEMORY.md lacks 2 lines of what is in the bank", ""},
		"forgotten by a dead process": {func(b tasks) {
			if _, err := remember.New(b.RawOptions()).
				Forget(t.Context(), ann, remember.ForgetRequest{Query: "soup", Confirm: true}); err != nil {
				t.Fatal(err)
			}
			if len(b.live()) != 1 {
				t.Fatal(b.live())
			}
		}, "ann: MEMORY.md has 1 line of what does not hold any more", ""},
		"just edited": {func(b tasks) { b.put(strings.Replace(b.file(), lineOf(b.file(), "soup"), "- Likes bread.\n", 1)) }, "", ""},
		"vanished": {func(b tasks) { b.edit(func(string) string { return "" }) },
			"ann: 2 lines of MEMORY.md vanished together on 2026-03-01; nothing was forgotten\nann: MEMORY.conflict-20260301T120000.md: kept because an edit left no room for it",
			"ann: 2 lines of MEMORY.md vanished together on 2026-03-01; nothing was forgotten\nann: MEMORY.conflict-20260301T120000.md: kept because an edit left no room for it"},
		"too large": {func(b tasks) { b.put(strings.Repeat("- long line\n", 100_000)) },
			"ann: MEMORY.md is not kept: MEMORY.md in the workspace is 1200000 bytes", "ann: MEMORY.md is not kept"},
		"not UTF-8": {func(b tasks) { b.put("- caf\xe9\n") }, "ann: MEMORY.md is not kept: MEMORY.md in the workspace is not text in UTF-8",
			"ann: MEMORY.md is not kept"},
		"read-only": {func(b tasks) {
			if err := os.Chmod(b.path, 0o400); err != nil {
				t.Fatal(err)
			}
		}, "ann: MEMORY.md is not kept: MEMORY.md in the workspace is read-only", "ann: MEMORY.md is not kept"},
		"a folder": {func(b tasks) {
			remove(t, b.path)
			if err := testfiles.MkdirAll(b.path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "ann: MEMORY.md is not kept: MEMORY.md in the workspace is not a plain file", "ann: MEMORY.md is not kept"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTasks(t)
			b.save("Likes rice.")
			if name == "read-only" {
				testfiles.OnDisk(t)
			}
			c.change(b)
			got := b.examine()
			if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("found %q, want %q", got, c.want)
			}
			_ = b.Mirror.Repair(t.Context(), "ann")
			if got := b.examine(); !strings.HasPrefix(got, c.after) || (got == "") != (c.after == "") {
				t.Errorf("after the repair, found %q, want %q", got, c.after)
			}
		})
	}
}

// put is a person who writes while nobody looks.
func (b tasks) put(content string) {
	b.t.Helper()
	if err := testfiles.WriteFile(b.path, []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// TestARepairGoesThroughAll has a memory become durable by a process that died, behind
// more than what a start looks at.
func TestARepairGoesThroughAll(t *testing.T) {
	b := newTasks(t)
	raw := remember.New(b.RawOptions())
	weight := 0.65
	for i := range 520 {
		if _, err := raw.Save(t.Context(), ann,
			remember.SaveRequest{Content: fmt.Sprintf("Instrument %d stands in room %d.", i, 3*i), Category: "technical",
				Importance: &weight}); err != nil {
			t.Fatal(err)
		}
	}
	low := 0.1
	saved, err := raw.Save(t.Context(), ann,
		remember.SaveRequest{Content: "The harbour has two cranes.", Category: "other", Importance: &low})
	if err != nil {
		t.Fatal(err)
	}
	complete := func() {
		if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
	}
	complete()
	decision := "decision"
	if _, err := raw.Update(t.Context(), ann, remember.UpdateRequest{ID: saved.ID, Category: &decision}); err != nil {
		t.Fatal(err)
	}
	complete()
	if got := b.examine(); got != "ann: MEMORY.md lacks 1 line of what is in the bank" {
		t.Fatalf("found %q", got)
	}
	if err := b.Mirror.Repair(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if got := b.examine(); got != "" || !strings.Contains(b.file(), "two cranes") {
		t.Errorf("after the repair, found %q in\n%s", got, b.file())
	}
}
