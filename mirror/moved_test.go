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
