package hosts

import "mcp-memory/memory"

// mcpServers is the usual path of the object with the servers.
var mcpServers = []string{"mcpServers"}

// codingHosts are the hosts that run in a terminal.
func codingHosts() []*Host {
	return []*Host{
		{
			ID: "claude-code", Name: "Claude Code", also: []string{"claude"},
			traces:   []place{"${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json", "~/.claude", "~/.claude.json"},
			commands: []string{"claude"}, prompted: []string{"claude"},
			servers: map[Scope][]place{ScopeUser: {"${CLAUDE_CONFIG_DIR:-~}/.claude.json"}, ScopeProject: {"{project}/.mcp.json"}},
			key:     mcpServers, entry: typed("stdio", "http"),
			own: &ownCommand{
				name: "claude", scopes: []Scope{ScopeUser}, secret: true, only: true,
				add: claudeAdd,
				remove: func(name string, scope Scope) []string {
					return []string{"claude", "mcp", "remove", name, "--scope", string(scope)}
				},
			},
			hooks: claudeHooks(), refuses: pluginEnabled, notes: claudeNotes,
		},
		{
			ID: "codex", Name: "Codex",
			traces:   []place{"${CODEX_HOME:-~/.codex}/config.toml", "${CODEX_HOME:-~/.codex}/auth.json", "~/.codex"},
			commands: []string{"codex"}, prompted: []string{"codex"},
			servers: map[Scope][]place{ScopeUser: {"${CODEX_HOME:-~/.codex}/config.toml"}, ScopeProject: {"{project}/.codex/config.toml"}},
			format:  tomlFile, key: []string{tomlServers}, entry: codexEntry,
			own: &ownCommand{
				name: "codex", scopes: []Scope{ScopeUser},
				add: func(s Server, _ Scope, _ object) []string {
					if s.URL != "" {
						return []string{"codex", "mcp", "add", s.Name, "--url", s.URL}
					}
					return append([]string{"codex", "mcp", "add", s.Name, "--", s.Command}, s.Args...)
				},
				remove: func(name string, _ Scope) []string { return []string{"codex", "mcp", "remove", name} },
			},
			hooks: codexHooks(), notes: codexNotes,
		},
		{
			ID: "gemini", Name: "Gemini CLI", also: []string{"gemini-cli"},
			traces: []place{"~/.gemini"}, commands: []string{"gemini"}, prompted: []string{"gemini", "-i"},
			servers: map[Scope][]place{ScopeUser: {"~/.gemini/settings.json"}, ScopeProject: {"{project}/.gemini/settings.json"}},
			format:  commentedJSON, key: mcpServers, entry: usual("httpUrl"),
			hooks: geminiHooks(), notes: geminiNotes,
		},
		{
			ID: "opencode", Name: "OpenCode",
			traces:   []place{"${XDG_CONFIG_HOME:-~/.config}/opencode"},
			commands: []string{"opencode"}, prompted: []string{"opencode", "--prompt"},
			servers: map[Scope][]place{
				ScopeUser: {"${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.json",
					"${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.jsonc"},
				ScopeProject: {"{project}/opencode.json", "{project}/opencode.jsonc", "{project}/.opencode/opencode.json",
					"{project}/.opencode/opencode.jsonc"},
			},
			format: commentedJSON, key: []string{"mcp"}, entry: openCodeEntry, files: openCodeFiles,
		},
		{
			ID: "copilot-cli", Name: "Copilot CLI", also: []string{"copilot"},
			traces:   []place{"${COPILOT_HOME:-~/.copilot}/mcp-config.json", "~/.copilot"},
			commands: []string{"copilot"}, prompted: []string{"copilot", "-i"},
			servers: map[Scope][]place{ScopeUser: {"${COPILOT_HOME:-~/.copilot}/mcp-config.json"}},
			key:     mcpServers, entry: typed("local", "http", member{"tools", words("*")}), hooks: copilotHooks(),
		},
		{
			ID: "droid", Name: "Droid", also: []string{"factory"},
			traces: []place{"~/.factory"}, commands: []string{"droid"},
			servers: map[Scope][]place{ScopeUser: {"~/.factory/mcp.json"}, ScopeProject: {"{project}/.factory/mcp.json"}},
			key:     mcpServers, entry: typed("stdio", "http"), hooks: droidHooks(),
		},
		{
			ID: "devin", Name: "Devin (local)",
			traces: []place{"{dot}/devin"}, commands: []string{"devin"},
			servers: map[Scope][]place{ScopeUser: {"{dot}/devin/config.json"}},
			key:     mcpServers, entry: usual("url"), hooks: devinHooks(),
			notes: says("Devin asks at every call unless its permissions.allow has mcp__memory__*."),
		},
	}
}

// claudeAdd returns the command with which Claude Code adds a server. It does
// not use the form with JSON, because batch files on Windows lose its quotes.
func claudeAdd(s Server, scope Scope, _ object) []string {
	if s.URL == "" {
		return append([]string{"claude", "mcp", "add", "--scope", string(scope), s.Name, "--", s.Command}, s.Args...)
	}
	argv := []string{"claude", "mcp", "add", "--transport", "http", "--scope", string(scope), s.Name, s.URL}
	if s.Token != "" {
		argv = append(argv, "--header", "Authorization: Bearer "+s.Token)
	}
	return argv
}

// editorHosts are the hosts that are part of an editor.
func editorHosts() []*Host {
	const code = "{config}/Code/User"
	return []*Host{
		{
			ID: "cursor", Name: "Cursor",
			traces: []place{"~/.cursor"}, commands: []string{"cursor", "cursor-agent"}, prompted: []string{"cursor-agent"},
			servers: map[Scope][]place{ScopeUser: {"~/.cursor/mcp.json"}, ScopeProject: {"{project}/.cursor/mcp.json"}},
			format:  commentedJSON, key: mcpServers, entry: usual("url"), hooks: cursorHooks(), notes: says("Restart Cursor."),
		},
		{
			ID: "vscode", Name: "VS Code", also: []string{"code"},
			traces: []place{code}, commands: []string{"code"},
			servers: map[Scope][]place{ScopeUser: {code + "/mcp.json"}, ScopeProject: {"{project}/.vscode/mcp.json"}},
			format:  commentedJSON, key: []string{"servers"}, entry: typed("stdio", "http"),
			own: &ownCommand{name: "code", scopes: []Scope{ScopeUser}, add: func(s Server, _ Scope, entry object) []string {
				text, _ := marshal(append(object{{"name", s.Name}}, entry...), "", "")
				return []string{"code", "--add-mcp", string(text)}
			}},
			borrows: true,
			notes: says("VS Code asks at the first start of the server.",
				"VS Code runs the hooks in Claude Code's settings: mcp-memory install claude-code writes them."),
		},
		{
			ID: "windsurf", Name: "Windsurf (Cascade)",
			traces: []place{"~/.codeium/windsurf", "~/.codeium/mcp_config.json"}, commands: []string{"windsurf"},
			servers: map[Scope][]place{ScopeUser: {"~/.codeium/windsurf/mcp_config.json", "~/.codeium/mcp_config.json"}},
			format:  commentedJSON, key: mcpServers, entry: usual("serverUrl"),
			notes: says("Press Refresh in the MCP panel. Windsurf's hooks show the model nothing, so none are written."),
		},
		{
			ID: "zed", Name: "Zed",
			traces: []place{"{dot}/zed"}, commands: []string{"zed", "zeditor"},
			servers: map[Scope][]place{ScopeUser: {"{dot}/zed/settings.json"}, ScopeProject: {"{project}/.zed/settings.json"}},
			format:  commentedJSON, key: []string{"context_servers"}, entry: zedEntry,
		},
		{
			ID: "cline", Name: "Cline",
			traces: []place{code + "/globalStorage/saoudrizwan.claude-dev", "~/.cline"}, commands: []string{"cline"},
			servers: map[Scope][]place{ScopeUser: {
				code + "/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
				"~/.cline/data/settings/cline_mcp_settings.json",
			}},
			format: commentedJSON, key: mcpServers, entry: clineEntry,
		},
		{
			ID: "roo", Name: "Roo Code", also: []string{"roo-code"},
			traces: []place{code + "/globalStorage/rooveterinaryinc.roo-cline", "{project}/.roo"},
			servers: map[Scope][]place{
				ScopeUser:    {code + "/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"},
				ScopeProject: {"{project}/.roo/mcp.json"},
			},
			format: commentedJSON, key: mcpServers, entry: rooEntry,
		},
		{
			ID: "kiro", Name: "Kiro",
			traces: []place{"~/.kiro"}, commands: []string{"kiro", "kiro-cli"},
			servers: map[Scope][]place{ScopeUser: {"~/.kiro/settings/mcp.json"}, ScopeProject: {"{project}/.kiro/settings/mcp.json"}},
			format:  commentedJSON, key: mcpServers, entry: usual("url"),
		},
	}
}

// otherHosts are all other hosts.
func otherHosts() []*Host {
	return []*Host{
		{
			ID: "claude-desktop", Name: "Claude Desktop",
			traces: []place{"{config}/Claude"}, servers: map[Scope][]place{ScopeUser: {"{config}/Claude/claude_desktop_config.json"}},
			key: mcpServers, entry: usual("url"),
			refuses: func(_ Machine, o Options) *memory.Error {
				if o.URL == "" {
					return nil
				}
				return memory.Errorf(memory.CodeInvalidArgument, "Claude Desktop's configuration has no servers over HTTP").
					WithHint("leave out --http, or add a custom connector in its settings")
			},
			notes: says("Quit and restart Claude Desktop."),
		},
		{
			ID: "goose", Name: "Goose", call: "mcp-memory", // Goose has its own extension memory
			traces: []place{"${XDG_CONFIG_HOME:-~/.config}/goose", "{dot}/Block/goose"}, commands: []string{"goose"},
			servers: map[Scope][]place{ScopeUser: {"windows|{dot}/Block/goose/config/config.yaml",
				"${XDG_CONFIG_HOME:-~/.config}/goose/config.yaml"}},
			format: yamlFile, key: []string{"extensions"}, entry: gooseEntry, files: gooseFiles,
			notes: says("Goose shows the model nothing of what hooks answer: they only save."),
		},
	}
}

// says returns notes that do not depend on options.
func says(lines ...string) func(Options) []string {
	return func(Options) []string { return lines }
}

// clineEntry returns an entry that names the transport only for HTTP.
func clineEntry(s Server) object {
	if s.URL != "" {
		return remote(s, "url", member{"type", "streamableHttp"})
	}
	return local(s)
}

// rooEntry returns an entry that names the transport only for HTTP.
func rooEntry(s Server) object {
	if s.URL != "" {
		return remote(s, "url", member{"type", "streamable-http"})
	}
	return local(s)
}
