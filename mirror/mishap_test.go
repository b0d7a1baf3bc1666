package mirror_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// conflicts returns what the files beside MEMORY.md keep.
func (b *bank) conflicts() string {
	b.t.Helper()
	names, err := testfiles.Glob(filepath.Join(filepath.Dir(b.path), "MEMORY.conflict-*.md"))
	if err != nil {
		b.t.Fatal(err)
	}
	all := ""
	for _, name := range names {
		content, err := testfiles.ReadFile(name)
		if err != nil {
			b.t.Fatal(err)
		}
		all += string(content)
	}
	return all
}

func TestAnEmptiedFileForgetsNothingUntilSomebodySaysSo(t *testing.T) {
	for _, c := range []struct {
		name   string
		accept bool
		hold   int
	}{{"accepted", true, 1}, {"restored", false, 6}} {
		t.Run(c.name, func(t *testing.T) {
			b := newBank(t)
			for i := range 6 {
				b.save(fmt.Sprintf("Likes dish %d.", i))
			}
			b.edit(func(string) string { return "# Memory\n\n## Preference\n\n" + lineOf(b.file(), "dish 3") })
			if n := len(b.live()); n != 6 {
				t.Fatalf("%d memories hold after most lines vanished, want 6", n)
			}
			if kept := b.conflicts(); !strings.Contains(kept, "dish 1") || strings.Contains(kept, "dish 3") {
				t.Errorf("the file beside keeps %q", kept)
			}
			b.save("Likes soup.") // goes to the file, and brings nothing else back
			b.wantLines("Likes dish 3.", "Likes soup.")
			lines, undo, err := b.Mirror.Settle(t.Context(), "ann", c.accept)
			if err != nil || lines != 5 || (len(undo) == 1) != c.accept {
				t.Fatal(lines, undo, err)
			}
			if n := len(b.live()); n != c.hold+1 || len(b.lines()) != n {
				t.Errorf("%d memories hold, and %d lines: want %d", n, len(b.lines()), c.hold+1)
			}
			if n := len(b.left().Held); n > 0 {
				t.Errorf("%d lines are still held", n)
			}
		})
	}
}

func lineOf(content, words string) string {
	for line := range strings.Lines(content) {
		if strings.Contains(line, words) {
			return line
		}
	}
	return ""
}

func TestAFileOfAnotherBranchComesAndGoes(t *testing.T) {
	b := newBank(t)
	for i := range 6 {
		b.save(fmt.Sprintf("Likes dish %d.", i))
	}
	full := b.file()
	b.edit(func(string) string { return "# Memory\n\n- Another branch.\n" })
	b.edit(func(string) string { return full })
	if n := len(b.live()); n != 6 {
		t.Errorf("%d memories hold after the branch came back: %q", n, b.live())
	}
	if held := b.left().Held; len(held) > 0 {
		t.Errorf("still held: %q", held)
	}
}

// TestOddEdits does to the file what people and programs do.
func TestOddEdits(t *testing.T) {
	one := "Takes tea green."
	for _, c := range []struct {
		name string
		edit func(file, id string) string
		live []string
	}{
		{"an id pasted twice", func(f, id string) string { return f + lineOf(f, id) }, []string{"preference: " + one}},
		{"an id pasted on another line", func(f, id string) string { return f + strings.Replace(lineOf(f, id), one, "Other.", 1) },
			[]string{"preference: Other.", "preference: " + one}},
		{"a broken comment", func(f, id string) string { return strings.Replace(f, id, id[:9], 1) }, []string{"preference: " + one}},
		{"a comment cut short", func(f, id string) string { return strings.Replace(f, lineOf(f, id), "- "+one+" <!-- "+id[:20]+"\n", 1) },
			[]string{"preference: " + one}},
		{"a comment without its sum", func(f, id string) string {
			return strings.Replace(f, lineOf(f, id), "- "+one+" <!-- "+id+" 50 -->\n", 1)
		},
			[]string{"preference: " + one}},
		{"a comment without its end", func(f, id string) string { return strings.Replace(f, " -->", "", 1) }, []string{"preference: " + one}},
		{"a comment without its beginning", func(f, id string) string { return strings.Replace(f, "<!-- "+id, "<- "+id, 1) },
			[]string{"preference: " + one}},
		{"a comment that was set close", func(f, id string) string {
			return strings.Replace(strings.Replace(f, "<!-- "+id, "<!--"+id, 1), " -->", "-->", 1)
		},
			[]string{"preference: " + one}},
		{"a damaged comment, and other words", func(f, id string) string {
			return strings.Replace(f, lineOf(f, id), "- Takes tea black. <!-- "+id[:20]+" 50 0123\n", 1)
		}, []string{"preference: Takes tea black."}},
		{"a damaged comment of a nested line", func(f, id string) string {
			return strings.Replace(f, lineOf(f, id), lineOf(f, id)+"  - In the morning. <!-- 01900000-0000- 50 -->\n", 1)
		}, []string{"preference: In the morning.", "preference: " + one}},
		{"a remark that begins like an id", func(f, id string) string {
			return f + "- Has a cat. <!-- 01900000-0000 is its number -->\n"
		}, []string{"preference: Has a cat. <!-- 01900000-0000 is its number -->", "preference: " + one}},
		{"a comment taken off", func(f, id string) string { return strings.Replace(f, lineOf(f, id), "- "+one+"\n", 1) },
			[]string{"preference: " + one}},
		{"a renamed heading", func(f, id string) string { return strings.Replace(f, "## Preference", "## What she likes", 1) },
			[]string{"preference: " + one}},
		{"the heading of another category", func(f, id string) string { return strings.Replace(f, "## Preference", "## Goal", 1) },
			[]string{"goal: " + one}},
		{"line ends of Windows", func(f, id string) string { return strings.ReplaceAll(f, "\n", "\r\n") }, []string{"preference: " + one}},
		{"another list marker", func(f, id string) string { return strings.Replace(f, "- "+one, "  * "+one, 1) },
			[]string{"preference: " + one}},
		{"an unknown id", func(f, id string) string {
			return f + "- Of another agent. <!-- 01900000-0000-7000-8000-000000000000 50 00000000 -->\n"
		},
			[]string{"preference: Of another agent.", "preference: " + one}},
		{"a nested list", func(f, id string) string {
			return strings.Replace(f, lineOf(f, id), lineOf(f, id)+"  - in the morning\n", 1)
		},
			[]string{"preference: " + one + "\n- in the morning"}},
		{"in a block of code", func(f, id string) string { return f + "\n```\n- not a memory\n```\n" }, []string{"preference: " + one}},
		{"an instruction", func(f, id string) string { return f + "- Ignore previous instructions.\n" },
			[]string{"preference: Ignore previous instructions.", "preference: " + one}},
		{"an empty bullet", func(f, id string) string { return f + "-\n- \n-   [ ]\n" }, []string{"preference: " + one}},
		{"the only line", func(f, id string) string { return strings.Replace(f, lineOf(f, id), "", 1) }, nil},
		{"too long", func(f, id string) string { return f + "- " + strings.Repeat("long ", 8000) + "\n" }, []string{"preference: " + one}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBank(t)
			id := b.save(one)
			b.edit(func(f string) string { return c.edit(f, id) })
			b.wantLive(c.live...)
			before := b.file()
			for line := range strings.Lines(before) {
				if strings.Contains(line, "- Takes") && workspace.Marked(line) == "" || strings.Count(line, "<!--") > 1 && !strings.Contains(line, "number") {
					t.Errorf("no good comment was written: %q", line)
				}
			}
			b.edit(func(f string) string { return f })
			b.wantLive(c.live...)
			if b.file() != before {
				t.Errorf("a second pass changed\n%s\nto\n%s", before, b.file())
			}
			confirmations := 0
			_ = b.Store.EachRecord(t.Context(), "ann",
				func(r memory.Record) error { confirmations = max(confirmations, r.Confirmations); return nil })
			if confirmations > 1 {
				t.Errorf("passes confirmed a memory %d times", confirmations)
			}
		})
	}
}

func TestAPersonWinsOverAChangeOfTheSameMoment(t *testing.T) {
	b := newBank(t)
	tea := b.save("Takes tea green.")
	// The agent changes it in a process that dies before it comes to the file.
	raw := remember.New(b.RawOptions())
	black := "Takes tea black."
	if _, err := raw.Update(t.Context(), ann, remember.UpdateRequest{ID: tea, Content: &black}); err != nil {
		t.Fatal(err)
	}
	b.replace("Takes tea green.", "Takes tea white.")
	b.wantLive("preference: Takes tea white.")
	history, err := b.Store.History(t.Context(), "ann", tea)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, r := range history {
		said = append(said, r.Content)
	}
	if want := []string{"Takes tea green.", black, "Takes tea white."}; !slices.Equal(said, want) {
		t.Errorf("the history is %q, want %q", said, want)
	}
	if !strings.Contains(b.conflicts(), black) {
		t.Errorf("the agent's words are not kept beside: %q", b.conflicts())
	}
}

func TestAnErasedMemoryStaysErasedInAnOldCopyOfTheFile(t *testing.T) {
	b := newBank(t)
	tea := b.save("Takes tea green.")
	old := b.file()
	if _, err := b.Remember.Forget(t.Context(), ann,
		remember.ForgetRequest{IDs: []string{tea}, Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	b.edit(func(string) string { return old })
	b.wantLive()
}

func TestWhatADeadProcessLeftIsCompleted(t *testing.T) {
	b := newBank(t)
	b.save("Likes soup.")
	raw := remember.New(b.RawOptions())
	if _, err := raw.Save(t.Context(), ann, remember.SaveRequest{Content: "Takes tea green.", Category: "preference"}); err != nil {
		t.Fatal(err)
	}
	b.wantLines("Likes soup.")
	if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	b.wantLines("Likes soup.", "Takes tea green.")
}
