package mirror_test

import (
	"strings"
	"testing"

	"mcp-memory/remember"
)

// TestAMovedLineOfWhatIsForgottenChangesNothing: while a person moved a line under another heading,
// somebody else forgot its memory.
func TestAMovedLineOfWhatIsForgottenChangesNothing(t *testing.T) {
	b := newBank(t)
	id := b.save("Likes tea.")
	b.save("Decided on Postgres.", func(r *remember.SaveRequest) { r.Category = "decision" })
	line := ""
	for l := range strings.Lines(b.file()) {
		if strings.Contains(l, id) {
			line = l
		}
	}
	unwatched := remember.New(b.RawOptions())
	if _, err := unwatched.Forget(t.Context(), ann, remember.ForgetRequest{IDs: []string{id}}); err != nil {
		t.Fatal(err)
	}
	b.edit(func(s string) string {
		return strings.Replace(strings.Replace(s, line, "", 1), "## Decision\n", "## Decision\n"+line, 1)
	})
	if r := b.record(id); r.ArchivedAt.IsZero() || r.Category != "preference" {
		t.Errorf("%+v", r)
	}
	if strings.Contains(b.file(), "Likes tea.") {
		t.Errorf("its line is there again:\n%s", b.file())
	}
}

// TestALineOfAnotherCopyStands: somebody reworded a memory, and a person puts its new line in the place of the old one, as a merge
// with another copy of the file does. The old line is gone, and what holds in its place has a line.
func TestALineOfAnotherCopyStands(t *testing.T) {
	b := newBank(t)
	id := b.save("Likes tea.")
	content := "Likes coffee."
	next, err := remember.New(b.RawOptions()).Update(t.Context(), ann, remember.UpdateRequest{ID: id, Content: &content})
	if err != nil {
		t.Fatal(err)
	}
	b.edit(func(s string) string {
		return strings.NewReplacer(id, next.ID, "Likes tea.", content).Replace(s)
	})
	if r := b.record(next.ID); !r.Live() {
		t.Errorf("%+v", r)
	}
	if file := b.file(); strings.Count(file, content) != 1 || strings.Contains(file, "Likes tea.") {
		t.Errorf("the file is\n%s", file)
	}
}
