package upkeep

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"mcp-memory/memory"
)

// HostConfigs are the files in which hosts keep what servers they start, below a
// home directory and a working directory; configuration is the platform's directory for
// it, such as ~/.config.
func HostConfigs(home, configuration, working string) []string {
	return []string{
		filepath.Join(configuration, "Claude", "claude_desktop_config.json"),
		filepath.Join(home, ".claude.json"),
		filepath.Join(working, ".mcp.json"),
		filepath.Join(home, ".cursor", "mcp.json"),
		filepath.Join(working, ".cursor", "mcp.json"),
		filepath.Join(configuration, "Code", "User", "mcp.json"),
		filepath.Join(working, ".vscode", "mcp.json"),
		filepath.Join(home, ".codex", "config.toml"),
	}
}

// program is what a command is called if it is this one, wherever it lies.
const program = "mcp-memory"

// CheckHosts looks whether the commands by which hosts start this program exist.
// find returns where a command without a directory is, as [exec.LookPath] does.
// Files that are not there are passed over.
func CheckHosts(files []string, find func(command string) (string, error)) []memory.Finding {
	var findings []memory.Finding
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		commands := commandsIn(string(text))
		if filepath.Ext(file) == ".toml" {
			commands = tomlCommands(string(text))
		}
		for _, command := range commands {
			if name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(command)), ".exe"); name != program {
				continue
			}
			f := memory.Finding{Check: "host", Condition: memory.ConditionOK, Detail: file + " starts " + command}
			if _, err := find(command); err != nil {
				f = memory.Finding{
					Check: "host", Condition: memory.ConditionWarning, Detail: file + " starts " + command + ", which cannot be found",
					Advice: "write the path of the program there; a host has another PATH than a shell",
				}
			}
			findings = append(findings, f)
		}
	}
	return findings
}

// commandsIn finds the commands of servers in JSON, in which there may be comments.
func commandsIn(text string) []string {
	var tree any
	if json.Unmarshal([]byte(withoutComments(text)), &tree) != nil {
		return nil
	}
	var commands []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			if command, ok := v["command"].(string); ok {
				commands = append(commands, command)
			}
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(tree)
	return commands
}

// jsonParts are a string, a comment, or a comma before a closing bracket.
var jsonParts = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(\s*[}\]])`)

func withoutComments(text string) string {
	return jsonParts.ReplaceAllStringFunc(text, func(part string) string {
		switch part[0] {
		case '/':
			return " "
		case ',':
			return part[1:]
		}
		return part
	})
}

// tomlCommand is a line of Codex' configuration.
var tomlCommand = regexp.MustCompile(`(?m)^\s*command\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')`)

func tomlCommands(text string) []string {
	var commands []string
	for _, m := range tomlCommand.FindAllStringSubmatch(text, -1) {
		command := m[2]
		if m[1] != "" {
			if json.Unmarshal([]byte(`"`+m[1]+`"`), &command) != nil {
				continue
			}
		}
		commands = append(commands, command)
	}
	return commands
}
