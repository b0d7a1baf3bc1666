package workspace_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/workspace"
)

func TestNews(t *testing.T) {
	w, dir := desk(t)
	at := func(now time.Time, want ...string) {
		t.Helper()
		news, err := w.News(t.Context(), now)
		must(t, err)
		if len(news) != len(want) {
			t.Fatalf("%q, want %q", news, want)
		}
		for i := range want {
			if !strings.Contains(news[i], want[i]) || len(news[i]) > 200 {
				t.Errorf("%q, want %q", news[i], want[i])
			}
		}
	}
	at(noon)
	for _, content := range []string{"{", `{"version":1,"files":{"MEMORY.md":{"lines":{"a":{"sum":"1"}}}}}`} {
		write(t, content, dir, ".mirror.json")
		at(noon)
	}
	write(t, `{"version":1,"files":{"MEMORY.md":{"held":["a","b"],"undo":"u1","undo_at":"`+noon.Format(time.RFC3339)+
		`"},"SOUL.md":{"held":["c"]}}}`, dir, ".mirror.json")
	write(t, "x", dir, "MEMORY"+workspace.ConflictMark+"1.md")
	for _, n := range []string{"2", "3", "4"} {
		write(t, "x", dir, "SOUL"+workspace.ConflictMark+n+".md")
	}
	held, undo,
		conflicts := "MEMORY.md: 2 lines vanished at once; nothing was forgotten: ask the user, then mcp-memory workspace accept or restore", "undo u1", "SOUL.conflict-3.md, SOUL.conflict-4.md, 2 more"
	at(noon.Add(23*time.Hour), held, undo, "SOUL.md: 1 line vanished", conflicts)
	at(noon.Add(25*time.Hour), held, "SOUL.md: 1 line vanished", conflicts)
}
