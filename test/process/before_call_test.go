//go:build unix

package process

import (
	"strings"
	"testing"
	"time"
)

// TestBeforeACall: the hook before a command says once in a session that it failed here last time and what
// worked then, that before an edit what was decided about the file, and both nothing where there is nothing to say,
// in another project, or when the setting is off.
func TestBeforeACall(t *testing.T) {
	t.Parallel()
	w := newWorkbench(t)
	shop, press := repository(t, "shop"), repository(t, "press")
	w.session("11111111-aaaa-4aaa-8aaa-000000000008", shop, time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC), "Run the tests.",
		done{command: "npm run tets", printed: `npm error Missing script: "tets"`, failed: true},
		done{command: "npm run test", printed: "12 passed"})
	w.load()
	w.in(shop, "", "save", "We decided that rates.go is generated: change rates.tmpl instead.")
	command := object{"tool_name": "Bash", "tool_use_id": "t", "tool_input": object{"command": "npm run tets"}}
	edit := func(file string) object {
		return object{"tool_name": "Edit", "tool_use_id": "t",
			"tool_input": object{"file_path": shop + "/money/" + file, "old_string": "a", "new_string": "b"}}
	}
	for _, c := range []struct {
		dir, session string
		call         object
		want         string
	}{
		{shop, "one", command, "what worked then: npm run test"},
		{shop, "one", command, ""},
		{shop, "two", command, "what worked then: npm run test"},
		{press, "three", command, ""},
		{shop, "four", object{"tool_name": "Bash", "tool_use_id": "t", "tool_input": object{"command": "npm run test"}}, ""},
		{shop, "five", edit("rates.go"), "change rates.tmpl instead"},
		{shop, "six", edit("total.go"), ""},
	} {
		if said := w.hook(c.dir, c.session, "PreToolUse", c.call); c.want == "" && strings.TrimSpace(said) != "" ||
			!strings.Contains(said, c.want) {
			t.Errorf("session %s, %v: %q", c.session, c.call, said)
		}
	}
	w.in(shop, "", "settings", "set", "actions.warn", "false")
	if said := w.hook(shop, "seven", "PreToolUse", command); strings.Contains(said, "npm run test") {
		t.Errorf("said though it is off: %s", said)
	}
}
