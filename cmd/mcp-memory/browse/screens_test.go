package browse

import (
	"fmt"
	"mcp-memory/internal/golden"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestScreens compares what the browser draws on three terminals with golden files:
// go test ./cmd/mcp-memory/browse -run Screens -update.
func TestScreens(t *testing.T) {
	for name, keys := range map[string]string{
		"list": "j", "search": "/apple", "read": "<enter><down><down>", "forget": "<space>jf", "keys": "?",
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 16}} {
				p := newPerson(t, "An apple a day", "東京は日本の首都であり、最大の都市である。春には上野公園で桜が咲き、多くの人が花見に訪れる。",
					"The family 👩‍👩‍👧‍👦 flies 🇳🇴 → 🇯🇵 in April ✈️ with good shoes 👟",
					"apple pie", strings.Repeat("a long text of many words ", 10))
				p.tell(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				p.press(keys)
				for i, line := range p.m.lines() {
					fmt.Fprintf(&b, "%2d %s\n", i+1, strings.TrimRight(line, " "))
				}
				p.m.color = true
				fmt.Fprintf(&b, "%s\n\n", strings.ReplaceAll(p.m.foot(), "\x1b", "␛"))
			}
			golden.Compare(t, "testdata/"+name+".txt", []byte(b.String()))
		})
	}
}
