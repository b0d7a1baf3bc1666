package mirror_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// of returns the same bank, with another of its files to edit.
func (b *bank) of(name string) *bank {
	other := *b
	other.path = filepath.Join(filepath.Dir(b.path), name)
	return &other
}

// kinds returns what holds of a kind, in the order of arrival.
func (b *bank) kinds(kind memory.Kind) (all []memory.Record) {
	b.t.Helper()
	err := b.Store.EachRecord(b.t.Context(), "ann", func(r memory.Record) error {
		if r.Live() && r.Kind == kind {
			all = append(all, r)
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

func (b *bank) soul(content string, kind memory.SoulType) string {
	return b.save(content, func(r *remember.SaveRequest) {
		r.Kind, r.Category, r.KindDetails = memory.KindSoul, "identity", memory.KindDetails{Soul: &memory.SoulDetails{Type: kind}}
	})
}

func TestTheSoulIsEditedByHand(t *testing.T) {
	b := newBank(t).of("SOUL.md")
	kind := b.soul("Be kind.", memory.SoulValue)
	b.soul("All passes.", memory.SoulBelief)
	dark := b.soul("The dark.", memory.SoulFear)
	b.wantLines("All passes.", "Be kind.", "The dark.")

	b.replace("Be kind.", "Be kind, also to oneself.")
	b.replace("## Values\n", "## Values\n\n- Be curious.\n")
	b.dropLine(dark)
	b.wantLines("All passes.", "Be kind, also to oneself.", "Be curious.")
	var got []string
	for _, r := range b.kinds(memory.KindSoul) {
		got = append(got, string(r.Soul.Type)+": "+r.Content)
	}
	if want := "belief: All passes.; value: Be kind, also to oneself.; value: Be curious."; strings.Join(got, "; ") != want {
		t.Errorf("the soul is %q, want %q", got, want)
	}
	if r := b.record(kind); r.SupersededBy == "" {
		t.Error("the entry that was reworded holds")
	}
	if r := b.record(dark); r.ArchiveWhy == "" {
		t.Error("the entry that was taken out has no reason")
	}
	b.edit(func(s string) string { return "I talk plainly.\n\n" + s })
	if !strings.HasPrefix(b.file(), "I talk plainly.\n") {
		t.Errorf("a person's words are gone:\n%s", b.file())
	}
}

func TestLearningsAreEditedByHand(t *testing.T) {
	b := newBank(t).of("learnings/errors.md")
	learn := func(content string) string {
		return b.save(content, func(r *remember.SaveRequest) {
			r.Kind, r.Pinned = memory.KindLearning, false
			r.KindDetails = memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError, Tool: "shell",
				Context: "a build"}}
		})
	}
	first, second := learn("make needs GNU make."), learn("The linter wants Go 1.26.")
	if !strings.Contains(b.file(), ", shell\n\nmake needs GNU make.\n\nContext: a build <!-- "+first) {
		t.Fatalf("the learning is not in the file:\n%s", b.file())
	}
	b.replace("make needs GNU make.", "make needs GNU make 4.")
	b.edit(func(s string) string { return s + "\n## By hand\n\nThe port is taken after a crash.\n" })
	if r := b.record(first); r.SupersededBy == "" || b.record(r.SupersededBy).Content != "make needs GNU make 4." {
		t.Errorf("the reworded learning is %+v", r)
	}
	all := b.kinds(memory.KindLearning)
	if n := len(all); n != 3 || all[2].Content != "The port is taken after a crash." || all[2].Learning.Type != memory.LearningError {
		t.Fatalf("there are %d learnings: %+v", n, all)
	}
	if _, err := b.Remember.Forget(t.Context(), ann, remember.ForgetRequest{IDs: []string{second}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.file(), "linter") || !strings.Contains(b.file(), "GNU make 4") || !strings.Contains(b.file(), "port is taken") {
		t.Errorf("after a learning was forgotten the file is\n%s", b.file())
	}
	b.edit(func(s string) string { return s[:strings.Index(s, "## By hand")] })
	if n := len(b.kinds(memory.KindLearning)); n != 1 {
		t.Errorf("%d learnings hold after an entry was taken out, want 1", n)
	}
}

func TestFrontMatterStaysByteForByte(t *testing.T) {
	for name, front := range map[string]string{
		"lists":   "---\ntitle: \"A: b\"\ntags:\n  - one\n- Likes coal.\naliases: [x, 'y']   \n# ## Values\n---\n",
		"windows": "\uFEFF---\r\ntags:\r\n  - one\r\n\r\ncssclasses: wide\t\r\n---\r\n",
		"fences":  "---\ncode: |\n  ```\n  <!--\n---\n",
	} {
		for _, file := range workspace.Mirrored() {
			t.Run(name+" of "+file, func(t *testing.T) {
				b := newBank(t)
				b.save("Likes rice.")
				b.soul("Be kind.", memory.SoulValue)
				for _, kind := range []memory.LearningType{memory.LearningError, memory.LearningCorrection} {
					b.save("Learned of "+string(kind)+".", func(r *remember.SaveRequest) {
						r.Kind, r.Learning = memory.KindLearning, &memory.LearningDetails{Type: kind}
					})
				}
				b = b.of(file)
				b.edit(func(s string) string {
					if strings.Contains(front, "\r") {
						s = strings.ReplaceAll(s, "\n", "\r\n")
					}
					return front + s
				})
				live := b.live()
				b.save("Likes beans.")
				b.soul("Be quick.", memory.SoulValue)
				b.edit(func(s string) string { return s + "\nA word more.\n" })
				if !strings.HasPrefix(b.file(), front) || strings.Count(b.file(), "cssclasses") > 1 {
					t.Errorf("the front matter is not what it was:\n%s", b.file())
				}
				if got := b.live(); len(got) != len(live)+2 {
					t.Errorf("the bank has %q, before %q", got, live)
				}
			})
		}
	}
}

func TestFilesThatCannotBeReadAreThePersons(t *testing.T) {
	testfiles.OnDisk(t)
	for name, content := range map[string]string{
		"too large": strings.Repeat("- long line\n", 100_000), "not text": "- a\x00b\n", "not UTF-8": "- caf\xe9\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			b.save("Likes soup.")
			b.edit(func(string) string { return content })
			b.save("Likes rice.")
			if b.file() != content || len(b.live()) != 2 {
				t.Errorf("%d bytes became %d, and %d memories hold", len(content), len(b.file()), len(b.live()))
			}
			b.edit(func(string) string { return "# Memory\n\n- Mine.\n" })
			if held := b.left(); len(held.IDs) == 0 {
				t.Errorf("once it is readable the file stands for nothing: %+v", held)
			}
		})
	}
	b := newBank(t)
	b.save("Likes soup.")
	other := filepath.Join(t.TempDir(), "else.md")
	content := b.file()
	if err := testfiles.Rename(b.path, other); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, b.path); err != nil {
		t.Fatal(err)
	}
	b.save("Likes rice.")
	if got, err := testfiles.ReadFile(other); err != nil || string(got) != content {
		t.Errorf("a link was followed: %q, %v", got, err)
	}
	b.wantLive("preference: Likes rice.", "preference: Likes soup.")
}

// The database has what a file refuses that a person has closed.
func TestFilesThatCannotBeWritten(t *testing.T) {
	testfiles.OnDisk(t)
	b := newBank(t).of("SOUL.md")
	b.soul("All passes.", memory.SoulBelief)
	before := b.file()
	if err := os.Chmod(b.path, 0o400); err != nil {
		t.Fatal(err)
	}
	b.soul("Be kind.", memory.SoulValue)
	if n := len(b.kinds(memory.KindSoul)); n != 2 || b.file() != before {
		t.Errorf("%d entries hold, the file is\n%s", n, b.file())
	}
	if err := os.Chmod(b.path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	b.wantLines("All passes.", "Be kind.")
}

func TestLearningsThatVanishAreHeld(t *testing.T) {
	for _, accept := range []bool{true, false} {
		b := newBank(t).of("learnings/errors.md")
		for _, content := range []string{"make needs GNU make.", "The linter wants Go 1.26.", "The port is taken after a crash."} {
			b.save(content, func(r *remember.SaveRequest) {
				r.Kind, r.Pinned = memory.KindLearning, false
				r.KindDetails = memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError}}
			})
		}
		b.edit(func(string) string { return "# Errors\n" })
		if n := len(b.kinds(memory.KindLearning)); n != 3 {
			t.Fatalf("%d learnings hold after the file was emptied", n)
		}
		want := map[bool]int{false: 3, true: 0}[accept]
		lines, undos, err := b.Mirror.Settle(t.Context(), "ann", accept)
		if n := len(b.kinds(memory.KindLearning)); err != nil || lines != 3 || (len(undos) == 1) != accept || n != want ||
			strings.Count(b.file(), "\n## ") != want {
			t.Errorf("%d lines, %q, %v; %d learnings hold, the file is\n%s", lines, undos, err, n, b.file())
		}
	}
}
