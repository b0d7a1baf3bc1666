package upkeep

import (
	"os/exec"
	"path/filepath"
	"testing"
)

func TestCheckHosts(t *testing.T) {
	home, config, working := t.TempDir(), t.TempDir(), t.TempDir()
	files := HostConfigs(home, config, working)
	write(t, files[0], `{"mcpServers":{"memory":{"command":"/gone/mcp-memory","args":["--agent","a"]},"other":{"command":"/gone/other"}}}`)
	write(t, files[1], `{"projects":{"/x":{"mcpServers":{"memory":{"command":"mcp-memory"}}}}}`)
	write(t, files[5], "{\n// servers: \"command\"\n\"servers\": {\"m\": {\"command\": \"C:/gone//mcp-memory.exe\",},},}")
	write(t, files[6], "not JSON")
	write(t, files[7], "[mcp_servers.memory]\ncommand = \"/gone \\\"too\\\"/mcp-memory\"\n[mcp_servers.b]\ncommand = '/gone/mcp-memory'\n")
	found := CheckHosts(files, func(command string) (string, error) {
		if command == "mcp-memory" {
			return filepath.Join(home, command), nil
		}
		return "", exec.ErrNotFound
	})
	var said []string
	for _, f := range found {
		said = append(said, string(f.Condition)+" "+f.Detail)
	}
	for i, want := range []string{
		"warning " + files[0] + " starts /gone/mcp-memory, which cannot be found",
		"ok " + files[1] + " starts mcp-memory",
		"warning " + files[5] + " starts C:/gone//mcp-memory.exe, which cannot be found",
		"warning " + files[7] + ` starts /gone "too"/mcp-memory, which cannot be found`,
		"warning " + files[7] + " starts /gone/mcp-memory, which cannot be found",
	} {
		if i >= len(said) || said[i] != want {
			t.Fatalf("found %q, want %q as number %d", said, want, i)
		}
	}
	if found[0].Advice == "" || found[1].Advice != "" || len(found) != 5 {
		t.Errorf("%+v", found)
	}
}
