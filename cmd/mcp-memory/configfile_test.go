package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// Changes keep all other lines, and comments, as they are.
func TestChangeConfig(t *testing.T) {
	local := map[string]string{"embed.local": "potion-base-8M", "embed.url": "", "embed.model": ""}
	server := map[string]string{"embed.local": "", "embed.url": "http://127.0.0.1:11434/v1", "embed.model": "all-minilm:22m"}
	none := map[string]string{"embed.local": "", "embed.url": "", "embed.model": ""}
	for _, test := range []struct {
		name    string
		old     string
		changes map[string]string
		want    string
	}{
		{"empty", "", local, "embed.local: potion-base-8M\n"},
		{"others", "# mine\nagent: ada # who\n\ntools: core,todo\n", local,
			"# mine\nagent: ada # who\n\ntools: core,todo\nembed.local: potion-base-8M\n"},
		{"no end of line", "agent: ada", local, "agent: ada\nembed.local: potion-base-8M\n"},
		{"carriage returns", "agent: ada\r\nembed.url: x\r\n", local, "agent: ada\nembed.local: potion-base-8M\n"},
		{"group", "embed: # vectors\n  # of ours\n  url: http://x/v1\n  timeout: 5s\n  model: m\nagent: ada\n", local,
			"embed: # vectors\n  # of ours\n  local: potion-base-8M\n  timeout: 5s\nagent: ada\n"},
		{"group that gets empty", "agent: ada\nembed:\n    url: x\n    model: m\n", none, "agent: ada\n"},
		{"group only", "embed:\n    url: x\n    model: m\n", local, "embed:\n    local: potion-base-8M\n"},
		{"dots", "embed.model: \"a\"\nembed.timeout: 5s\nembed.url: b\n", server,
			"embed.timeout: 5s\nembed.model: \"all-minilm:22m\"\nembed.url: http://127.0.0.1:11434/v1\n"},
		{"alike", "link.window: 2m\nembed.modelling: x\n", none, "link.window: 2m\nembed.modelling: x\n"},
		{"nothing to do", "agent: ada\n", none, "agent: ada\n"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "config.yaml")
		if test.old != "" {
			write(t, path, test.old)
		}
		if err := changeConfig(dir, test.changes); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil || !sameLines(string(got), test.want) {
			t.Errorf("%s: %v\n%swant\n%s", test.name, err, got, test.want)
		}
		if found, _ := filepath.Glob(filepath.Join(dir, ".config*")); len(found) != 0 {
			t.Errorf("%s: %v is left", test.name, found)
		}
	}
}

// sameLines compares lines; the order in which new ones are added is free.
func sameLines(a, b string) bool {
	for line := range strings.Lines(b) {
		if strings.Count(a, line) != 1 && strings.TrimSpace(line) != "" {
			return false
		}
	}
	return strings.Count(a, "\n") == strings.Count(b, "\n")
}

// What cannot be changed line by line is left alone.
func TestConfigThatCannotBeChanged(t *testing.T) {
	for text, want := range map[string]memory.Code{
		"embed: {url: x, model: m}\n":       memory.CodeConflict,
		"embed:\n  url: >\n    x\n    y\n":  memory.CodeConflict,
		"embed: &e\n  url: x\nagent: ada\n": memory.CodeConflict,
		"agent: [\n":                        memory.CodeInvalidArgument,
		"\"embed.url\": x\n":                memory.CodeConflict,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "config.yaml")
		write(t, path, text)
		err := changeConfig(dir, map[string]string{"embed.local": "potion-base-8M", "embed.url": ""})
		if memory.CodeOf(err) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
