package hosts

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestExamine(t *testing.T) {
	m := machine(t, "linux")
	m.Look = func(command string) (string, error) {
		if command == "mcp-memory" || command == "/x/bin/mcp-memory" {
			return command, nil
		}
		return "", exec.ErrNotFound
	}
	in := func(path string) string { return filepath.Join(m.Home, path) }
	write(t, in(".config/Claude/claude_desktop_config.json"),
		`{"mcpServers":{"memory":{"command":"/gone/mcp-memory","args":["--agent","a"]},"other":{"command":"/gone/other"}}}`)
	write(t, in(".claude.json"), `{"projects":{"/x":{"mcpServers":{"memory":{"command":"mcp-memory"}}}}}`)
	write(t, in(".claude/settings.json"),
		`{"disableAllHooks":true,"enabledPlugins":{"mcp-memory@m":true},"hooks":{"SessionStart":[{"hooks":[{"command":"/gone/mcp-memory hook"}]}],`+
			`"Stop":[{"hooks":[{"command":"/gone too/mcp-memory","args":["hook"]}]}],"SessionEnd":[{"hooks":[{"command":"& '/a b/mcp-memory' hook"}]}]}}`)
	write(t, in(".config/Code/User/mcp.json"),
		"{\n// servers: \"command\"\n\"servers\": {\"m\": {\"command\": \"C:/gone//mcp-memory.exe\",},},}")
	write(t, in(".cursor/mcp.json"), `{"mcpServers":{"memory":{"command":"mcp-memory"},"also":{"command":"mcp-memory"}}}`)
	write(t, in(".cursor/hooks.json"), `{"hooks":{"stop":[{"command":"mcp-memory hook"},{"command":"'/x/bin/mcp-memory' hook"}]}}`)
	write(t, in(".gemini/settings.json"), "not JSON")
	write(t, in(".zed"), "")
	write(t, in(".kiro/x"), "")
	write(t, in(".codex/config.toml"),
		"[mcp_servers.memory]\ncommand = \"/gone \\\"too\\\"/mcp-memory\"\n[mcp_servers.b]\ncommand = '/x/bin/mcp-memory'\n"+
			"[hooks.state.\""+in(".codex/hooks.json")+":stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n")
	write(t, in(".codex/hooks.json"),
		`{"hooks":{"Stop":[{"hooks":[{"command":"mcp-memory hook"}]}],"SessionStart":[{"hooks":[{"command":"mcp-memory hook"}]}]}}`)
	write(t, in(".config/goose/config.yaml"), "extensions:\n  mcp-memory:\n    cmd: /x/bin/mcp-memory\n")
	var said strings.Builder
	for _, f := range Examine(m) {
		if (f.Condition == "ok") != (f.Advice == "") || f.Check != Check {
			t.Errorf("%+v", f)
		}
		fmt.Fprintf(&said, "%s %s\n", f.Condition, strings.ReplaceAll(f.Detail, m.Home, "~"))
	}
	for _, want := range []string{
		"warning ~/.config/Claude/claude_desktop_config.json starts /gone/mcp-memory for Claude Desktop, which cannot be found",
		"ok ~/.claude.json starts mcp-memory for Claude Code",
		"warning ~/.claude/settings.json runs /gone/mcp-memory for SessionStart, which cannot be found",
		"warning ~/.claude/settings.json runs /gone too/mcp-memory for Stop, which cannot be found",
		"warning ~/.claude/settings.json runs /a b/mcp-memory for SessionEnd, which cannot be found",
		"warning ~/.claude/settings.json has disableAllHooks: Claude Code runs no hook of ours",
		"warning Claude Code has our hooks twice: in ~/.claude/settings.json and by the plugin mcp-memory@m",
		"warning ~/.config/Code/User/mcp.json starts C:/gone//mcp-memory.exe for VS Code, which cannot be found",
		"warning ~/.cursor/mcp.json starts the memory for Cursor as also and as memory",
		"warning ~/.cursor/hooks.json runs our hook twice for stop",
		"warning ~/.gemini/settings.json (Gemini CLI) cannot be read: conflict: it is not JSON: line 1, column 1",
		`warning ~/.codex/config.toml starts /gone "too"/mcp-memory for Codex, which cannot be found`,
		"ok ~/.codex/config.toml starts /x/bin/mcp-memory for Codex",
		"warning Codex has 1 of 2 hooks in ~/.codex/hooks.json marked as trusted",
		"ok ~/.config/goose/config.yaml starts /x/bin/mcp-memory for Goose",
		"ok not connected (mcp-memory install HOST does it): kiro",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in\n%s", want, said.String())
		}
	}
	if strings.Contains(said.String(), "ok ~/.claude/settings.json") {
		t.Errorf("hooks that cannot run are good:\n%s", said.String())
	}
	if strings.Contains(said.String(), "/gone/other") {
		t.Errorf("another server is named:\n%s", said.String())
	}
}

func TestOwnHandler(t *testing.T) {
	for line, want := range map[string]bool{
		"mcp-memory hook": true, "'/a b/mcp-memory' hook --host x": true,
		`"C:\Program Files\mcp-memory.exe" hook`: true, `C:/x/mcp-memory.exe hook stop`: true,
		`& "C:/a b/mcp-memory.exe" hook`: true, `/a\ b/mcp-memory hook`: true,
		"mcp-memory": false, "mcp-memory serve": false, "other hook": false,
		"": false, "echo mcp-memory hook": false, "/x/mcp-memory/other hook": false,
	} {
		if got := ownHandler(map[string]any{"command": line}); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
	if !ownHandler(map[string]any{"command": "/x/mcp-memory", "args": []any{"hook"}}) || ownHandler("mcp-memory hook") {
		t.Error("of the form with arguments, or a text")
	}
}

func TestShellLine(t *testing.T) {
	for _, tt := range []struct {
		system string
		argv   []string
		want   string
	}{
		{"linux", []string{"/a b/it's/mcp-memory", "hook"}, `'/a b/it'\''s/mcp-memory' hook`},
		{"windows", []string{`C:\a b\mcp-memory.exe`, "hook"}, `"C:/a b/mcp-memory.exe" hook`},
		{"windows", []string{`C:\a\mcp-memory.exe`, "hook", "--agent", "x y"}, `C:/a/mcp-memory.exe hook --agent "x y"`},
		{"linux", []string{"/a/$HOME/mcp-memory", "hook"}, `'/a/$HOME/mcp-memory' hook`},
	} {
		line := Machine{OS: tt.system}.shellLine(tt.argv)
		if line != tt.want {
			t.Errorf("%q is written as %s, want %s", tt.argv, line, tt.want)
		}
		if !ownHandler(map[string]any{"command": line}) {
			t.Errorf("%s is not recognised", line)
		}
	}
}
