package hosts

import (
	_ "embed"
	"strings"
)

// openCodePlugin is OpenCode's plugin, with a place for the command.
//
//go:embed opencode_plugin.js
var openCodePlugin string

// written is in a file that is ours alone, to say so.
const written = "mcp-memory: written by `mcp-memory install`, which overwrites changes"

// openCodeFiles returns the plugin through which OpenCode calls our hooks.
func openCodeFiles(s Server, scope Scope) []ownFile {
	dir := place("${XDG_CONFIG_HOME:-~/.config}/opencode/plugins")
	if scope == ScopeProject {
		dir = "{project}/.opencode/plugins"
	}
	command, _ := marshal(words(s.hook...), "", "") // cannot fail for strings
	return []ownFile{{
		place: dir + "/mcp-memory.js", comment: "// " + written,
		text: strings.Replace(openCodePlugin, "HOOK_COMMAND", string(command), 1),
	}}
}

// gooseFiles returns the files of the plugin through which Goose calls our
// hooks.
func gooseFiles(s Server, _ Scope) []ownFile {
	hooks := object{}
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PostToolUseFailure", "Stop", "SessionEnd"} {
		hooks = hooks.with(name, list{group(commandHandler(Machine{}, s, member{"timeout", 30}))})
	}
	about := object{{"name", program}, {"description", "Saves what was said in a session to the memory"}, {"hooks", "./hooks/hooks.json"}}
	return []ownFile{
		{place: "~/.agents/plugins/mcp-memory/plugin.json", text: pretty(about)},
		{place: "~/.agents/plugins/mcp-memory/hooks/hooks.json", text: pretty(object{{"description", written}, {hooksKey, hooks}})},
	}
}

// pretty returns an object as JSON on several lines.
func pretty(o object) string {
	text, _ := marshal(o, "", "  ") // cannot fail for what we put into it
	return string(text) + "\n"
}
