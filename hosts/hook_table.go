package hosts

import (
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// commandHandler returns a handler with a command line for the shell.
func commandHandler(m Machine, s Server, more ...member) object {
	return append(object{{"type", "command"}, {"command", m.shellLine(s.hook)}}, more...)
}

// inGroups returns a group with one handler, which has a timeout in seconds.
func inGroups(m Machine, s Server, e hookEvent) object {
	return group(commandHandler(m, s, member{"timeout", e.timeout}))
}

// preToolUse is the event before a tool is used. changingTools is the matcher
// for the tools for which our hook is called then.
const preToolUse, changingTools = "PreToolUse", "Bash|Edit|MultiEdit|Write"

// claudeEvents are the events of Claude Code, which several hosts have adopted.
var claudeEvents = []hookEvent{
	{"SessionStart", 10, false}, {"UserPromptSubmit", 5, false}, {preToolUse, 5, false}, {"PreCompact", 60, false},
	{"PostToolUseFailure", 30, true}, {"Stop", 60, true}, {"SessionEnd", 10, false},
}

// some returns the events of Claude Code with these names.
func some(names ...string) []hookEvent {
	var all []hookEvent
	for _, name := range names {
		for _, e := range claudeEvents {
			if e.name == name {
				all = append(all, e)
			}
		}
	}
	return all
}

func claudeHooks() *hookFile {
	return &hookFile{
		places: map[Scope][]place{
			ScopeUser: {"${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json"}, ScopeProject: {"{project}/.claude/settings.json"},
		},
		events: claudeEvents,
		element: func(m Machine, s Server, e hookEvent) object {
			handler := commandHandler(m, s)
			if m.OS == "windows" && strings.Contains(s.hook[0], " ") { // no line works in all shells
				handler = object{{"type", "command"}, {"command", s.hook[0]}, {"args", words(s.hook[1:]...)}}
			}
			if e.background {
				handler = handler.with("async", true)
			}
			if e.name == preToolUse {
				return append(object{{"matcher", changingTools}}, group(handler.with("timeout", e.timeout))...)
			}
			return group(handler.with("timeout", e.timeout))
		},
	}
}

func codexHooks() *hookFile {
	return &hookFile{
		places:  map[Scope][]place{ScopeUser: {"${CODEX_HOME:-~/.codex}/hooks.json"}, ScopeProject: {"{project}/.codex/hooks.json"}},
		events:  append(some("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"), hookEvent{"PostToolUse", 10, false}),
		element: inGroups,
	}
}

func droidHooks() *hookFile {
	return &hookFile{
		places:  map[Scope][]place{ScopeUser: {"~/.factory/settings.json"}, ScopeProject: {"{project}/.factory/settings.json"}},
		format:  commentedJSON,
		events:  some("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"),
		element: inGroups,
	}
}

func devinHooks() *hookFile {
	return &hookFile{
		places:  map[Scope][]place{ScopeUser: {"{dot}/devin/config.json"}},
		events:  some("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
		element: inGroups,
	}
}

func geminiHooks() *hookFile {
	return &hookFile{
		places: map[Scope][]place{ScopeUser: {"~/.gemini/settings.json"}, ScopeProject: {"{project}/.gemini/settings.json"}},
		format: commentedJSON,
		events: []hookEvent{
			{"SessionStart", 10, false}, {"BeforeAgent", 5, false}, {"AfterTool", 10, false},
			{"AfterAgent", 60, false}, {"PreCompress", 60, false}, {"SessionEnd", 10, false},
		},
		element: func(m Machine, s Server, e hookEvent) object {
			return group(commandHandler(m, s, member{"name", program}, member{"timeout", 1000 * e.timeout})) // milliseconds
		},
	}
}

func cursorHooks() *hookFile {
	return &hookFile{
		places:  map[Scope][]place{ScopeUser: {"~/.cursor/hooks.json"}, ScopeProject: {"{project}/.cursor/hooks.json"}},
		format:  commentedJSON,
		version: true,
		events: []hookEvent{
			{name: "sessionStart"}, {name: "beforeSubmitPrompt"}, {name: "postToolUseFailure"},
			{name: "afterAgentResponse"}, {name: "preCompact"}, {name: "stop"}, {name: "sessionEnd"},
		},
		element: func(m Machine, s Server, _ hookEvent) object { // the unit of timeouts varies
			return object{{"command", m.shellLine(s.hook)}}
		},
	}
}

func copilotHooks() *hookFile {
	return &hookFile{
		places:  map[Scope][]place{ScopeUser: {"${COPILOT_HOME:-~/.copilot}/hooks/mcp-memory.json"}},
		version: true,
		events: []hookEvent{
			{"sessionStart", 10, false}, {"userPromptSubmitted", 5, false}, {"postToolUseFailure", 10, false},
			{"preCompact", 60, false}, {"agentStop", 60, false}, {"sessionEnd", 10, false},
		},
		element: func(m Machine, s Server, e hookEvent) object { // the payload has no event
			line := m.shellLine(append(s.hook[:len(s.hook):len(s.hook)], e.name))
			windows := line
			if strings.HasPrefix(line, `"`) {
				windows = "& " + line
			}
			return object{{"type", "command"}, {"bash", line}, {"powershell", windows}, {"timeoutSec", e.timeout}}
		},
	}
}

// pluginEnabled returns an error if our plugin is enabled, because it brings
// the same server and hooks. With Options.NoHooks it returns nil.
func pluginEnabled(m Machine, o Options) *memory.Error {
	for _, p := range []place{"${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json", "{project}/.claude/settings.json"} {
		if id := enabledPlugin(m.path(p)); id != "" && !o.NoHooks {
			return memory.Errorf(memory.CodeConflict, "the plugin %s is enabled in %s and brings the same server and hooks: both would run",
				id, m.path(p)).
				WithHint("claude plugin uninstall %s, or leave it at the plugin", id)
		}
	}
	return nil
}

// enabledPlugin returns the id of our plugin if the settings file at path
// enables it, or "".
func enabledPlugin(path string) string {
	src, err := plainfile.Read(path, maxConfig)
	if err != nil {
		return ""
	}
	tree, _ := decodeJSON(src).(map[string]any)
	plugins, _ := tree["enabledPlugins"].(map[string]any)
	for id, on := range plugins {
		if name, _, _ := strings.Cut(id, "@"); name == program && on == true {
			return id
		}
	}
	return ""
}

func claudeNotes(o Options) []string {
	if o.Scope == ScopeProject {
		return []string{"Claude Code asks once whether the servers of .mcp.json may be started."}
	}
	return []string{"Start a new session of Claude Code; /mcp and /hooks show the server and the hooks."}
}

func codexNotes(o Options) []string {
	if !o.withHooks() {
		return []string{"Start a new session of Codex; /mcp shows the server."}
	}
	return []string{
		"Codex runs hooks only after you have trusted them: start codex, it says \"Hooks need review\"; approve them there. Until then they are silently left out, also by codex exec.",
	}
}

func geminiNotes(o Options) []string {
	if o.Scope == ScopeProject {
		return []string{"Gemini CLI starts the servers of a project, and runs its hooks, once you trust the folder."}
	}
	return []string{"Start a new session of Gemini CLI. It starts servers in trusted folders only; /mcp shows the server."}
}
