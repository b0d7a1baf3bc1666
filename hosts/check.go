package hosts

import (
	"fmt"
	"slices"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// Check is the name of the check in the findings of [Examine].
const Check = "host"

// Examine looks at the files of all hosts: whether the entries of our server
// name a program that exists, and whether our hooks are there twice or would
// not run. It also lists hosts on the machine that are not connected.
func Examine(m Machine) []memory.Finding {
	var findings []memory.Finding
	say := func(c memory.Condition, advice, format string, args ...any) {
		findings = append(findings, memory.Finding{Check: Check, Condition: c, Detail: fmt.Sprintf(format, args...), Advice: advice})
	}
	var without []string
	looked := map[string]bool{} // in the home directory both scopes have the same files
	for _, h := range All() {
		before := len(findings)
		for _, scope := range h.Scopes() {
			for _, p := range h.servers[scope] {
				if path := m.path(p); !looked[path] {
					looked[path] = true
					h.examineServers(m, m.spot(scope, path), say)
				}
			}
			if h.hooks == nil || len(h.hooks.places[scope]) == 0 {
				continue
			}
			if path := m.choose(h.hooks.places[scope]); !looked["hooks "+path] {
				looked["hooks "+path] = true
				h.examineHooks(m, m.spot(scope, path), say)
			}
		}
		if len(findings) == before && h.Found(m) {
			without = append(without, h.ID)
		}
	}
	if len(without) > 0 {
		say(memory.ConditionOK, "", "not connected (mcp-memory install HOST does it): %s", strings.Join(without, ", "))
	}
	examineClaude(m, say)
	return findings
}

// Connected returns the hosts whose files start this program for the user or
// the project, and those that are on the machine and do not start it.
func Connected(m Machine) (with, without []*Host) {
	for _, h := range All() {
		found := false
		for _, scope := range h.Scopes() {
			for _, p := range h.servers[scope] {
				h.examineServers(m, m.spot(scope, m.path(p)),
					func(c memory.Condition, _, _ string, _ ...any) { found = found || c == memory.ConditionOK })
			}
		}
		switch {
		case found:
			with = append(with, h)
		case h.Found(m):
			without = append(without, h)
		}
	}
	return with, without
}

// sayer adds a finding.
type sayer func(c memory.Condition, advice, format string, args ...any)

// examineServers looks at one file with entries of servers.
func (h *Host) examineServers(m Machine, at spot, say sayer) {
	path := at.path
	f, err := readFile(at)
	if err != nil || !f.there {
		return
	}
	entries, err := h.entries(f.text)
	if err != nil {
		say(memory.ConditionWarning, "mend it, or let "+h.Name+" make a new one", "%s (%s) cannot be read: %s", path, h.Name, err)
		return
	}
	var ours []string
	for _, e := range entries {
		if !isProgram(e.command) {
			continue
		}
		if !slices.Contains(ours, e.name) {
			ours = append(ours, e.name)
		}
		if _, err := m.Look(e.command); err != nil {
			say(memory.ConditionWarning,
				"run mcp-memory install "+h.ID+", which writes the path of the program; a host has another PATH than a shell",
				"%s starts %s for %s, which cannot be found", path, e.command, h.Name)
			continue
		}
		say(memory.ConditionOK, "", "%s starts %s for %s", path, e.command, h.Name)
	}
	if len(ours) > 1 {
		say(memory.ConditionWarning, "remove one of them", "%s starts the memory for %s as %s", path, h.Name,
			strings.Join(ours, " and as "))
	}
}

// serverEntry is a server in a host's file.
type serverEntry struct{ name, command string }

// entries lists the servers in a file. For Claude Code it includes those under
// "projects".
func (h *Host) entries(src []byte) ([]serverEntry, error) {
	switch h.format {
	case tomlFile:
		keys, err := scanTOML(src)
		var all []serverEntry
		for _, k := range keys {
			if !k.header && len(k.path) == 3 && k.path[0] == tomlServers && k.path[2] == "command" {
				all = append(all, serverEntry{k.path[1], tomlString(src[k.value:k.end])})
			}
		}
		return all, err
	case yamlFile:
		tree, err := decodeYAML(src)
		return entriesUnder(tree, h.key), err
	}
	t, err := parseJSON(src, h.format == strictJSON)
	if err != nil {
		return nil, err
	}
	tree, _ := t.decode(&t.root).(map[string]any)
	all := entriesUnder(tree, h.key)
	projects, _ := tree["projects"].(map[string]any)
	for _, project := range projects {
		if inside, ok := project.(map[string]any); ok {
			all = append(all, entriesUnder(inside, h.key)...)
		}
	}
	return all, nil
}

// entriesUnder lists the servers in the object at a path.
func entriesUnder(tree map[string]any, path []string) []serverEntry {
	for _, name := range path {
		tree, _ = tree[name].(map[string]any)
	}
	var all []serverEntry
	for name, v := range tree {
		if entry, ok := v.(map[string]any); ok {
			all = append(all, serverEntry{name, commandOf(entry)})
		}
	}
	slices.SortFunc(all, func(a, b serverEntry) int { return strings.Compare(a.name, b.name) })
	return all
}

// examineHooks looks at one file with hooks.
func (h *Host) examineHooks(m Machine, at spot, say sayer) {
	path := at.path
	f, err := readFile(at)
	if err != nil || !f.there {
		return
	}
	t, err := parseJSON(f.text, false)
	if err != nil {
		return // examineServers reports it, or the file is not ours
	}
	count, missing, twice := 0, 0, ""
	for _, event := range eventsOf(t) {
		own, err := ownHooks(t, event)
		if err != nil {
			continue
		}
		if len(own) > 1 {
			twice = event
		}
		count += len(own)
		for _, o := range own {
			program := hookProgram(t.decode(&o.handler))
			if _, err := m.Look(program); err != nil {
				missing++
				say(memory.ConditionWarning, "run mcp-memory install "+h.ID, "%s runs %s for %s, which cannot be found", path,
					program, event)
			}
		}
	}
	switch {
	case twice != "":
		say(memory.ConditionWarning, "remove one of them", "%s runs our hook twice for %s", path, twice)
	case missing > 0 || count == 0:
	default:
		say(memory.ConditionOK, "", "%s runs our hook for %d events of %s", path, count, h.Name)
		if h.ID == "codex" {
			examineTrust(m, path, count, say)
		}
	}
}

// examineTrust checks whether a person has marked the hooks as trusted, which
// Codex stores in its configuration. count is the number of our hooks.
func examineTrust(m Machine, hooks string, count int, say sayer) {
	src, err := plainfile.Read(m.path("${CODEX_HOME:-~/.codex}/config.toml"), maxConfig)
	if err != nil {
		src = nil
	}
	keys, err := scanTOML(src)
	if err != nil {
		return
	}
	trusted := 0
	for _, k := range keys {
		switch {
		case k.header || len(k.path) < 2:
		case k.path[0] == "features" && k.path[1] == hooksKey && string(src[k.value:k.end]) == "false":
			say(memory.ConditionWarning, "set it to true", "Codex' hooks are switched off: features.hooks is false")
			return
		case len(k.path) == 4 && k.path[0] == hooksKey && k.path[1] == "state" && strings.HasPrefix(k.path[2], hooks+":") &&
			k.path[3] == "trusted_hash":
			trusted++
		}
	}
	if trusted < count {
		say(memory.ConditionWarning,
			"start codex in a terminal and approve them (\"Hooks need review\"); until then they are silently left out",
			"Codex has %d of %d hooks in %s marked as trusted", trusted, count, hooks)
	}
}

// examineClaude looks for settings that switch Claude Code's hooks off, and for
// hooks that both a settings file and our plugin have.
func examineClaude(m Machine, say sayer) {
	user := m.path("${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json")
	for _, path := range []string{user, m.path("{project}/.claude/settings.json"), m.path("{project}/.claude/settings.local.json"),
		managedClaude(m)} {
		src, err := plainfile.Read(path, maxConfig)
		if err != nil {
			continue
		}
		tree, _ := decodeJSON(src).(map[string]any)
		for _, key := range []string{"disableAllHooks", "allowManagedHooksOnly"} {
			if tree[key] == true {
				say(memory.ConditionWarning, "take it out, or save and recall by the tools only",
					"%s has %s: Claude Code runs no hook of ours", path, key)
			}
		}
	}
	src, err := plainfile.Read(user, maxConfig)
	if err != nil || enabledPlugin(user) == "" {
		return
	}
	if t, err := parseJSON(src, false); err == nil {
		if own, _ := ownHooks(t, "SessionStart"); len(own) > 0 {
			say(memory.ConditionWarning, "mcp-memory uninstall claude-code, or uninstall the plugin",
				"Claude Code has our hooks twice: in %s and by the plugin %s", user, enabledPlugin(user))
		}
	}
}

// managedClaude returns the path of an organisation's settings for Claude Code.
func managedClaude(m Machine) string {
	switch m.OS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}
