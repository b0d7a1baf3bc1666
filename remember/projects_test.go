package remember_test

import (
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestUndoOfAMergeTakesItsAliasBack: also where the name stood for another project before.
func TestUndoOfAMergeTakesItsAliasBack(t *testing.T) {
	for _, c := range []struct{ stood, later, want string }{
		{"", "", ""}, {"archive", "", "archive"},
		{"", "elsewhere", "elsewhere"}, // which somebody has said since
	} {
		b := newBank(t)
		if _, err := b.Save(t.Context(), memory.Scope{Agent: "anna", Project: "shop"}, remember.SaveRequest{Content: "The port is 8080."}); err != nil {
			t.Fatal(err)
		}
		alias := func(to string) {
			if to == "" {
				return
			}
			if err := b.AliasProject(t.Context(), "anna", "shop", to); err != nil {
				t.Fatal(err)
			}
		}
		alias(c.stood)
		merged, err := b.MergeProjects(t.Context(), "anna", "shop", "store", remember.MergeOptions{Alias: true})
		if err != nil {
			t.Fatal(err)
		}
		if aliases, err := b.ProjectAliases(t.Context(), "anna"); err != nil || aliases["shop"] != "store" {
			t.Errorf("merged: %v, %v", aliases, err)
		}
		alias(c.later)
		if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: merged.UndoID}); err != nil {
			t.Fatal(err)
		}
		if aliases, err := b.ProjectAliases(t.Context(), "anna"); err != nil || aliases["shop"] != c.want {
			t.Errorf("taken back: %v, %v, want %q", aliases, err, c.want)
		}
	}
}
