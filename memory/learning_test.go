package memory_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

func TestCompareLearnings(t *testing.T) {
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	learned := func(id string, of memory.LearningType, times int, importance float64, days int) memory.Record {
		return memory.Record{ID: id, Confirmations: times, Importance: importance, CreatedAt: day.AddDate(0, 0, days),
			KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: of}}}
	}
	want := []memory.Record{
		learned("twice corrected", memory.LearningCorrection, 2, 0.8, -90),
		learned("corrected", memory.LearningCorrection, 1, 0.8, 0),
		learned("corrected before", memory.LearningCorrection, 1, 0.8, -1),
		learned("often, long ago", memory.LearningError, 7, 0.7, -300),
		learned("twice", memory.LearningError, 2, 0.7, -2),
		learned("marked", memory.LearningError, 1, 0.9, -9),
		learned("new", memory.LearningError, 1, 0.7, -1),
		learned("old", memory.LearningError, 1, 0.7, -2),
		{ID: "of no type"},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, memory.CompareLearnings)
	for i := range want {
		if got[i].ID != want[i].ID {
			t.Errorf("place %d has %q, want %q", i, got[i].ID, want[i].ID)
		}
	}
}

func TestAbout(t *testing.T) {
	for _, c := range []struct {
		learned, asked string
		want           int
	}{
		{"git", "git", 2}, {"Git", " gIT ", 2}, {"git", "Bash: git push", 2},
		{"Bash: git push", "git", 2}, {"bash: git push", "Bash(git push:*)", 2},
		{"Bash: git", "Bash: git commit -m 'x: y'", 2}, {"git push", "Bash: git push origin", 2},
		{"git", "git rebase", 2}, {"run_terminal_cmd: npm", "Bash: npm ci", 2},
		{"git", "Bash: cd /src && GIT_PAGER=cat sudo /usr/bin/git log", 2},
		{"docker", `powershell: C:\bin\Docker.EXE ps`, 2}, {"make", "bash: bash -lc make", 2}, {"env", "env", 2},
		{"create_issue", "mcp__github__create_issue", 2},
		{"mcp__github__create_issue", "mcp__gh__create_issue", 2}, {"Read", "read", 2}, {"Web Search", "web search", 2},
		{"Bash", "Bash", 2}, {"Bash: npm", "bash", 2},
		{"Bash", "Bash: git push", 1}, // of the shell, whatever it runs
		{"Bash: npm ci", "Bash: git push", 0}, {"Bash", "git", 0}, {"git", "Bash", 0},
		{"gitk", "git", 0}, {"Read", "ReadFile", 0}, {"", "git", 0}, {"git", " ", 0}, {"", "", 0},
		{"push", "Bash: git push", 0}, {"zsh", "Bash", 0}, {"sudo", "Bash: sudo git push", 0},
		{"A=1", "git", 0}, {"cd", "Bash: cd /src && git log", 0}, {"cd", "Bash: cd /src", 2},
	} {
		if got := (memory.LearningDetails{Tool: c.learned}).About(c.asked); got != c.want {
			t.Errorf("what was learned of %q is about %q by %d, want %d", c.learned, c.asked, got, c.want)
		}
	}
}

func TestToolUse(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"command": "git push origin main", "timeout": 5}`:   "Bash: git",
		`{"command": ["bash", "-lc", "cd x && npm test"]}`:    "Bash: npm",
		`{"cmd": "cd /src && TZ=UTC /usr/bin/make -j8"}`:      "Bash: make",
		`{"script": "Get-Item x"}`:                            "Bash: get-item",
		`{"command": ""}`:                                     "Bash",
		`{"command": 7}`:                                      "Bash",
		`{"path": "git"}`:                                     "Bash",
		`["git"]`:                                             "Bash",
		`{"command": "` + strings.Repeat(" ", 99) + `ls -l"}`: "Bash: ls",
		``: "Bash",
	} {
		if got := (memory.ToolCall{Name: "Bash", Arguments: json.RawMessage(arguments)}).ToolUse(); got != want {
			t.Errorf("%s uses %q, want %q", arguments, got, want)
		}
	}
	if got := (memory.ToolCall{Name: "Edit", Arguments: json.RawMessage(`{"command": "git push"}`)}).ToolUse(); got != "Edit" {
		t.Errorf("an editor is %q", got)
	}
}
