package mirror_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testbank"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// bank is a bank with its MEMORY.md.
type bank struct {
	*testbank.Bank
	t    testing.TB
	path string
}

func newBank(t testing.TB) *bank {
	b := &bank{testbank.New(t, testbank.Options{Clock: new(testbank.Clock).Now, Mirror: true}), t, ""}
	b.path = filepath.Join(b.Dir, "workspaces", "ann", "MEMORY.md")
	return b
}

var ann = memory.Scope{Agent: "ann"}

func (b *bank) save(content string, more ...func(*remember.SaveRequest)) string {
	b.t.Helper()
	r := remember.SaveRequest{Content: content, Pinned: true, Category: "preference"}
	for _, change := range more {
		change(&r)
	}
	result, err := b.Remember.Save(b.t.Context(), ann, r)
	if err != nil {
		b.t.Fatal(err)
	}
	return result.ID
}

// file returns MEMORY.md behind its beginning.
func (b *bank) file() string {
	b.t.Helper()
	content, err := testfiles.ReadFile(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(content)
}

// edit is a person with an editor that writes a new file and renames it, and then
// somebody who reads the bank.
func (b *bank) edit(change func(string) string) {
	b.t.Helper()
	draft := b.path + "~"
	if err := testfiles.WriteFile(draft, []byte(change(b.file())), 0o600); err != nil {
		b.t.Fatal(err)
	}
	if err := testfiles.Rename(draft, b.path); err != nil {
		b.t.Fatal(err)
	}
	b.Mirror.Refresh(b.t.Context(), "ann")
}

func (b *bank) replace(old, new string) {
	b.t.Helper()
	if !strings.Contains(b.file(), old) {
		b.t.Fatalf("MEMORY.md lacks %q:\n%s", old, b.file())
	}
	b.edit(func(s string) string { return strings.Replace(s, old, new, 1) })
}

// dropLine takes the line of a record, or of some words, out.
func (b *bank) dropLine(of ...string) {
	b.t.Helper()
	b.edit(func(s string) string {
		var kept []string
		for line := range strings.Lines(s) {
			if !slices.ContainsFunc(of, func(w string) bool { return strings.Contains(line, w) }) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "")
	})
}

// live returns what holds, sorted.
func (b *bank) live() []string {
	b.t.Helper()
	var all []string
	err := b.Store.EachRecord(b.t.Context(), "ann", func(r memory.Record) error {
		if r.Live() {
			all = append(all, fmt.Sprintf("%s: %s", r.Category, r.Content))
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func (b *bank) wantLive(want ...string) {
	b.t.Helper()
	if got := b.live(); !slices.Equal(got, want) {
		b.t.Errorf("the bank holds %q, want %q\nMEMORY.md:\n%s", got, want, b.file())
	}
}

// lines returns the bullets of the file without their markers.
func (b *bank) lines() []string {
	var list []string
	for line := range strings.Lines(b.file()) {
		if strings.HasPrefix(line, "- ") {
			words, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), " <!--")
			list = append(list, words)
		}
	}
	return list
}

func (b *bank) wantLines(want ...string) {
	b.t.Helper()
	if got := b.lines(); !slices.Equal(got, want) {
		b.t.Errorf("MEMORY.md says %q, want %q:\n%s", got, want, b.file())
	}
}

// left tells how MEMORY.md was left.
func (b *bank) left() workspace.Left {
	return testfiles.Open(b.Dir, "ann").Left(context.Background(), workspace.MemoryFile)
}

func (b *bank) record(id string) memory.Record {
	b.t.Helper()
	found, err := b.Store.Records(b.t.Context(), "ann", []string{id})
	if err != nil || len(found) != 1 {
		b.t.Fatal(found, err)
	}
	return found[0]
}

func TestWhatChangesABankChangesItsLine(t *testing.T) {
	b := newBank(t)
	tea := b.save("Takes tea green.")
	b.save("The printer is on floor 3.", func(r *remember.SaveRequest) { r.Pinned, r.Category = false, "other" })
	b.save("We decided to ship on Fridays only.", func(r *remember.SaveRequest) { r.Pinned, r.Category = false, "" })
	b.wantLines("Takes tea green.", "We decided to ship on Fridays only.")

	black := "Takes tea black."
	updated, err := b.Remember.Update(t.Context(), ann, remember.UpdateRequest{ID: tea, Content: &black})
	if err != nil {
		t.Fatal(err)
	}
	b.wantLines("Takes tea black.", "We decided to ship on Fridays only.")
	gone, err := b.Remember.Forget(t.Context(), ann, remember.ForgetRequest{IDs: []string{updated.ID}})
	if err != nil {
		t.Fatal(err)
	}
	b.wantLines("We decided to ship on Fridays only.")
	if _, err := b.Remember.Forget(t.Context(), ann, remember.ForgetRequest{Undo: gone.UndoID}); err != nil {
		t.Fatal(err)
	}
	b.wantLines("Takes tea black.", "We decided to ship on Fridays only.")
	if _, err := b.Remember.Forget(t.Context(), ann,
		remember.ForgetRequest{IDs: []string{updated.ID}, Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	b.wantLines("We decided to ship on Fridays only.")
	if strings.Contains(b.file(), "black") || strings.Contains(b.file(), "green") {
		t.Errorf("an erased memory is in the file:\n%s", b.file())
	}
}

func TestWhatIsDurable(t *testing.T) {
	for content, want := range map[string]bool{
		"I prefer short answers.": true, "Prefers short answers.": true, "My name is Ann.": true, "I live in Graz and work as a vet.": true,
		"We decided to ship on Fridays only.": true, "I am allergic to nuts.": true,
		"Ben prefers tea.": false, "Ruben lives in Porto.": false,
		"The printer is on floor 3.": false, "It rained all day.": false, "I had soup for lunch.": false,
	} {
		b := newBank(t)
		b.save("Pinned.")
		b.save(content, func(r *remember.SaveRequest) { r.Pinned, r.Category = false, "" })
		if got := slices.Contains(b.lines(), content); got != want {
			t.Errorf("%q is in MEMORY.md: %v, want %v", content, got, want)
		}
	}
}

func TestWhatAPersonEditsChangesTheBank(t *testing.T) {
	b := newBank(t)
	tea, rice := b.save("Takes tea green."), b.save("Likes rice.")
	b.save("Is called Ann.", func(r *remember.SaveRequest) { r.Category = "identity" })

	b.replace("Takes tea green.", "Takes tea black, no sugar.")
	b.wantLive("identity: Is called Ann.", "preference: Likes rice.", "preference: Takes tea black, no sugar.")
	next := b.record(b.record(tea).SupersededBy)
	if next.Source != memory.SourceUser || next.Supersedes != tea {
		t.Errorf("the reworded memory is %+v", next)
	}
	if !strings.Contains(b.file(), "Takes tea black, no sugar. <!-- "+next.ID) {
		t.Errorf("the reworded line lacks its id:\n%s", b.file())
	}

	b.dropLine(rice)
	b.wantLive("identity: Is called Ann.", "preference: Takes tea black, no sugar.")

	b.replace("## Preference\n", "## Preference\n\n- Sits at the window\n  on trains.\n")
	b.wantLive("identity: Is called Ann.", "preference: Sits at the window on trains.", "preference: Takes tea black, no sugar.")

	b.edit(func(s string) string { return s + "\n## Technical\n\n* Runs Debian.\n\nprose - not a bullet\n" })
	b.wantLive("identity: Is called Ann.", "preference: Sits at the window on trains.", "preference: Takes tea black, no sugar.",
		"technical: Runs Debian.")

	line := ""
	for l := range strings.Lines(b.file()) {
		if strings.Contains(l, next.ID) {
			line = l
		}
	}
	b.edit(func(s string) string { return strings.Replace(s, line, "", 1) + line })
	if r := b.record(next.ID); r.Category != "technical" || !r.Live() {
		t.Errorf("a moved line is %s, want technical", r.Category)
	}
	before := b.file()
	b.edit(func(s string) string { return s })
	if after := b.file(); after != before {
		t.Errorf("a pass without edits changed the file:\n%s\nto\n%s", before, after)
	}
}

func TestOneUndoBringsBackAllLinesTakenOut(t *testing.T) {
	b := newBank(t)
	var ids []string
	for i := range 8 {
		ids = append(ids, b.save(fmt.Sprintf("Likes dish %d.", i)))
	}
	b.dropLine(ids[1], ids[4], ids[6])
	if n := len(b.live()); n != 5 {
		t.Fatalf("%d memories hold, want 5", n)
	}
	why := b.record(ids[4]).ArchiveWhy
	if !strings.Contains(why, "MEMORY.md") {
		t.Errorf("archived because of %q", why)
	}
	undo := b.left().Undo
	if _, err := b.Remember.Forget(t.Context(), ann, remember.ForgetRequest{Undo: undo}); err != nil {
		t.Fatal(err)
	}
	if n := len(b.live()); n != 8 || len(b.lines()) != 8 {
		t.Errorf("%d memories and %d lines after the undo, want 8", n, len(b.lines()))
	}
}

// What stands in front matter, in comments and in code is no memory, and stays as it is.
func TestAsideIsNoMemory(t *testing.T) {
	b := newBank(t)
	b.save("Anna takes her tea green.")
	const front, aside = "---\ntags:\n- garden\n- kitchen\n---\n", "\n<!--\n- The old plan was lilacs.\n-->\n\n```\n- rake\n```\n"
	b.edit(func(s string) string { return front + s + aside })
	b.edit(func(s string) string { return s + "\n## Preference\n\n- Roses are to be red.\n" })
	b.save("Cups have no handles.")
	b.wantLive("preference: Anna takes her tea green.", "preference: Cups have no handles.", "preference: Roses are to be red.")
	if text := b.file(); !strings.HasPrefix(text, front) || !strings.Contains(text, aside) {
		t.Errorf("what a person set aside was changed:\n%s", text)
	}
}

// A line that supersedes what another line of the file says takes that line along.
func TestANewLineDisplacesAnother(t *testing.T) {
	b := &bank{testbank.New(t, testbank.Options{Clock: new(testbank.Clock).Now, Mirror: true, Supersede: remember.SupersedeAuto}), t, ""}
	b.path = filepath.Join(b.Dir, "workspaces", "ann", "MEMORY.md")
	b.save("I live in Rome.", func(r *remember.SaveRequest) { r.Category, r.Pinned = "identity", false })
	b.edit(func(s string) string { return s + "- I live in Oslo now.\n" })
	if got := b.live(); !slices.Equal(got, []string{"identity: I live in Oslo now."}) {
		t.Errorf("the bank holds %q", got)
	}
	b.wantLines("I live in Oslo now.")
}

// A comment that a person wrote behind a bullet, of one word or more, is no id.
func TestRemarksStayInTheirLines(t *testing.T) {
	for _, remark := range []string{"<!-- remark -->", "<!-- 2026-03-01 -->", "<!-- TODO: ask -->", "<!-- see_errors.md -->"} {
		b := newBank(t)
		b.save("Anna takes her tea green.")
		b.edit(func(s string) string {
			return s + "\n- Roses are to be red. " + remark + "\n  - and tulips yellow " + remark + "\n"
		})
		b.save("Cups have no handles.")
		b.Mirror.Refresh(t.Context(), "ann")
		text := b.file()
		if strings.Count(text, remark) != 2 || len(b.live()) != 3 || len(b.lines()) != 3 {
			t.Errorf("%s: the bank holds %q and the file\n%s", remark, b.live(), text)
		}
		b.dropLine("Roses", "tulips")
		if len(b.live()) != 2 {
			t.Errorf("%s: the lines were taken out, the bank holds %q", remark, b.live())
		}
	}
}
