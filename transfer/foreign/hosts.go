package foreign

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"mcp-memory/internal/plainfile"
)

// hostConfigs returns the paths where hosts keep the configuration of their MCP servers. The files
// may not exist.
func hostConfigs(m Machine) []string {
	paths := []string{
		m.under(".claude.json"), m.under(".cursor", "mcp.json"), m.under(".gemini", "settings.json"),
		filepath.Join(m.dir("CODEX_HOME", ".codex"), "config.toml"), m.under(".codeium", "windsurf", "mcp_config.json"),
		m.under(".config", "zed", "settings.json"), m.under(".config", "opencode", "opencode.json"),
		m.under(".config", "goose", "config.yaml"), m.under(".config", "Claude", "claude_desktop_config.json"),
		m.under("Library", "Application Support", "Claude", "claude_desktop_config.json"),
		m.under("AppData", "Roaming", "Claude", "claude_desktop_config.json"),
		m.under(".config", "Code", "User", "mcp.json"), m.under("Library", "Application Support", "Code", "User", "mcp.json"),
		m.under("AppData", "Roaming", "Code", "User", "mcp.json"),
	}
	if m.Work != "" {
		paths = append(paths, filepath.Join(m.Work, ".mcp.json"), filepath.Join(m.Work, ".cursor", "mcp.json"),
			filepath.Join(m.Work, ".vscode", "mcp.json"))
	}
	return paths
}

// maxConfig is how many bytes of a host's config are read. Some hosts keep whole conversations in
// it.
const maxConfig = 8 << 20

// memoryFile matches the setting MEMORY_FILE_PATH in JSON, JSONC, TOML and YAML.
var memoryFile = regexp.MustCompile(`["']?\bMEMORY_FILE_PATH\b["']?\s*[:=]\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"',}\]]+))`)

// memoryFilesIn returns the files of server-memory that a host's config names. Nothing else of the
// config is used.
func memoryFilesIn(config string, m Machine) (paths []string) {
	f, err := plainfile.Open(config)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return nil
	}
	for _, match := range memoryFile.FindAllStringSubmatch(string(text), -1) {
		path := match[2] + match[3]
		if match[1] != "" {
			path = strings.NewReplacer(`\\`, `\`, `\/`, `/`, `\"`, `"`).Replace(match[1])
		}
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = m.under(rest)
		}
		if filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	return paths
}
