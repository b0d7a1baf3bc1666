package hosts

import (
	"slices"
	"strings"
	"testing"
)

// TestReports: where nothing else tells the memory what is said, the model gets the tools for it.
func TestReports(t *testing.T) {
	var with []string
	for _, h := range All() {
		m := machine(t, "linux")
		o := options(ScopeUser)
		o.Serve = nil
		apply(t, h, m, o, false) // as earlier versions wrote it
		o.Tools = ToolsWithoutHooks
		plan, err := h.Install(m, o)
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(plan.Notes, func(note string) bool { return strings.Contains(note, o.Tools) })
		apply(t, h, m, o, false)
		written := false
		for path, text := range tree(t, m.Home) {
			written = written || strings.Contains(text, o.Tools) && !strings.HasSuffix(path, BackupSuffix)
		}
		if told != written {
			t.Errorf("%s: said %t, written %t", h.ID, told, written)
		}
		if written {
			with = append(with, h.ID)
		}
		apply(t, h, m, o, true)
	}
	if got, want := strings.Join(with, " "), "windsurf zed cline roo kiro claude-desktop"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
