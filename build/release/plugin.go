package main

import (
	"encoding/json"

	"mcp-memory/hosts"
	"mcp-memory/internal/product"
)

// object is a JSON object.
type object = map[string]any

// hookFile returns the file with a host's hooks, as `mcp-memory install` writes it, but with a
// command line for the shell: that finds the program in PATH, also where npm installs it on
// Windows.
func hookFile(host string, line ...string) ([]byte, error) {
	h, err := hosts.Find(host)
	if err != nil {
		return nil, err
	}
	text, err := h.HookFile(append([]string{product.Name, "hook"}, line...)...)
	if err != nil {
		return nil, err
	}
	var tree object
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return jsonText(tree)
}

// manifest returns a plugin manifest with the fields of all of them and those in more.
func manifest(more object) object {
	m := object{
		"name": product.Name, "version": product.Version, "description": product.Description, "license": product.Licence,
		"author": object{"name": product.Authors}, "homepage": product.Home, "repository": product.Home,
		"keywords": []string{"memory", "mcp", "recall", "context"},
	}
	for key, value := range more {
		m[key] = value
	}
	return m
}

// pluginFiles returns the generated files of plugin/ and of the marketplace, by their paths.
//
// hooks/hooks.json is read by Claude Code, by VS Code and by others that adopted its format, so its
// command line names no host: the hook finds out who calls it. The manifests of Codex and Cursor
// refer to hook files of their own. Gemini CLI would read hooks/hooks.json too, but it has timeouts
// in milliseconds and other events, and warns of each that it does not know. So it has an extension
// of its own below gemini/.
func pluginFiles() (map[string][]byte, error) {
	server := object{"command": product.Name, "args": []string{"serve"}}
	servers := object{"mcpServers": object{"memory": server}}
	const portable = "https://agent-plugins.org/schemas/1.0.0/"
	trees := map[string]object{
		".claude-plugin/marketplace.json": {
			"name": product.Name, "owner": object{"name": product.Authors, "url": product.Home},
			"description": "The plugin of " + product.Name,
			"plugins": []any{object{
				"name": product.Name, "source": "./plugin", "description": product.Description, "version": product.Version,
				"category": "memory", "license": product.Licence, "homepage": product.Home,
			}},
		},
		"plugin/plugin.json": manifest(object{"$schema": portable + "plugin.schema.json"}),
		"plugin/mcp.json": {
			"$schema":    portable + "mcp.schema.json",
			"mcpServers": object{"memory": object{"type": "stdio", "command": product.Name, "args": []string{"serve"}}},
		},
		"plugin/.mcp.json":                  servers,
		"plugin/.claude-plugin/plugin.json": manifest(object{"displayName": product.Title}),
		"plugin/.codex-plugin/plugin.json": manifest(object{
			"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/codex.json"}),
		"plugin/.cursor-plugin/plugin.json": manifest(object{
			"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/cursor.json"}),
		"plugin/gemini/gemini-extension.json": {
			"name": product.Name, "version": product.Version, "description": product.Description,
			"mcpServers": object{"memory": server},
		},
	}
	files := map[string][]byte{}
	for _, h := range []struct {
		file, host string
		line       []string
	}{
		{"plugin/hooks/hooks.json", "claude-code", nil},
		{"plugin/hooks/codex.json", "codex", []string{"--host", "codex"}},
		{"plugin/hooks/cursor.json", "cursor", []string{"--host", "cursor"}},
		{"plugin/gemini/hooks/hooks.json", "gemini", []string{"--host", "gemini"}},
	} {
		text, err := hookFile(h.host, h.line...)
		if err != nil {
			return nil, err
		}
		files[h.file] = text
	}
	for name, tree := range trees {
		text, err := jsonText(tree)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}
