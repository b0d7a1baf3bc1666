package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// write writes a file, with the directories that it needs.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// setting returns the value and the origin that `settings` shows.
func (m *machine) setting(key string, args ...string) (value, origin string) {
	m.t.Helper()
	for line := range strings.Lines(m.ok(append([]string{"settings"}, args...)...)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != key {
			continue
		}
		if fields = fields[1 : len(fields)-1]; fields[0] == "flag" || fields[0] == "default" && len(fields) == 1 ||
			fields[0] == "config.yaml" {
			fields = append([]string{""}, fields...) // an empty value
		}
		return fields[0], strings.Join(fields[1:], " ")
	}
	m.t.Fatalf("settings shows no %s", key)
	return "", ""
}

func TestSettingsPrecedence(t *testing.T) {
	m := newMachine(t)
	steps := []struct {
		do            func()
		args          []string
		value, origin string
	}{
		{func() {}, nil, "default", "default"},
		{func() { write(t, filepath.Join(m.dataDir(), "config.yaml"), "agent: filed\n") }, nil, "filed", "config.yaml"},
		{func() { m.env["MCP_MEMORY_AGENT"] = "ambient" }, nil, "ambient", "MCP_MEMORY_AGENT"},
		{func() {}, []string{"--agent", "flagged"}, "flagged", "flag --agent"},
		{func() { m.env["MCP_MEMORY_AGENT"] = "" }, nil, "filed", "config.yaml"},
	}
	for _, s := range steps {
		s.do()
		if value, origin := m.setting("agent", s.args...); value != s.value || origin != s.origin {
			t.Errorf("agent is %q from %q, want %q from %q", value, origin, s.value, s.origin)
		}
	}
	// And it is what is used, not only what is shown.
	var stats memory.Stats
	m.ok("save", "x")
	m.read(&stats, "stats")
	if stats.Agent != "filed" {
		t.Errorf("stats of %q", stats.Agent)
	}
}

func TestConfigFile(t *testing.T) {
	m := newMachine(t)
	path := filepath.Join(m.dataDir(), "config.yaml")
	write(t, path, "# comment\nembed:\n  timeout: 5s\nsalience.half_life: 24h\ntools: core,soul\n")
	for key, want := range map[string]string{"embed.timeout": "5s", "salience.half_life": "24h", "tools": "core,soul"} {
		if value, origin := m.setting(key); value != want || origin != "config.yaml" {
			t.Errorf("%s is %q from %q", key, value, origin)
		}
	}
	for text, want := range map[string]string{
		"\ufeffagent: ann\n": "ann", "agent: ann\r\ntools: core\r\n": "ann",
		"agent:\n": "default", "embed:\n  # timeout: 5s\nagent: ann\n": "ann",
	} {
		write(t, path, text)
		if value, _ := m.setting("agent"); value != want {
			t.Errorf("%q gives the agent %q, want %q", text, value, want)
		}
	}
	write(t, path, "")
	m.ok("save", "x")
	for text, want := range map[string]string{
		"agnet: x\n":             `unknown setting "agnet"`,
		"embed:\n  modle: x\n":   `unknown setting "embed.modle"`,
		"data_dir: /elsewhere\n": `unknown setting "data_dir"`,
		"agent: [\n":             "not valid YAML",
		"- agent\n":              "not valid YAML",
		"agent: ../x\n":          `agent "../x" is not a name`,
		"log.level: loud\n":      `log.level is "loud"`,
	} {
		write(t, path, text)
		m.fails(exitUsage, want, "stats")
	}
	write(t, path, "agnet: x\n")
	m.fails(exitUsage, "`mcp-memory settings` lists", "stats")
}

// A host passes on what stands in its file, and no shell has a hand in it.
func TestPathsAreWrittenOut(t *testing.T) {
	m := newMachine(t)
	for _, key := range []string{"data_dir", "backup.dir", "context.rules"} {
		variable := "MCP_MEMORY_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		for given, want := range map[string]string{"~/mem": filepath.Join(m.home, "mem"), "~": m.home, "~ann/mem": "~ann/mem"} {
			m.env[variable] = given
			if value, _ := m.setting(key); value != want &&
				!(key == "data_dir" && filepath.IsAbs(value) && filepath.Base(filepath.Dir(value)) == "~ann") {
				t.Errorf("%s=%s is %q, want %q", variable, given, value, want)
			}
		}
		delete(m.env, variable)
	}
	if value, _ := m.setting("data_dir", "--data-dir", "some"); !filepath.IsAbs(value) {
		t.Errorf("the data directory is %q, which nobody knows where it is", value)
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	m := newMachine(t)
	m.env["MCP_MEMORY_EMBED_KEY"] = "sesame"
	text := m.ok("settings")
	if strings.Contains(text, "sesame") || !strings.Contains(text, "(set)") {
		t.Errorf("settings prints %s", text)
	}
	if help := m.ok("help"); strings.Contains(help, "embed-key") {
		t.Error("there is a flag for the key")
	}
}

// The window in messages, in the form in which hosts that configure agents have it.
func TestMemoryWindowOfAgents(t *testing.T) {
	m := newMachine(t)
	path := filepath.Join(m.dataDir(), "config.yaml")
	for text, want := range map[string]string{
		"agents:\n  defaults:\n    memory_window: 20  # Consolidate after 20 messages\n": "20",
		"agents:\n  defaults:\n    memory_window: 0  # Disable consolidation\n":          "0",
		"agents.defaults.memory_window: 100\n":                                           "100",
		"memory_window: 30\n":                                                            "30",
		"agent: ann\n":                                                                   "50",
	} {
		write(t, path, text)
		if value, _ := m.setting("memory_window"); value != want {
			t.Errorf("%q gives a window of %s, want %s", text, value, want)
		}
	}
	write(t, path, "")
	m.ok("save", "x")
	for text, want := range map[string]string{
		"agents:\n  defaults:\n    memory_windov: 20\n":                   `unknown setting "agents.defaults.memory_windov"`,
		"agents:\n  ann:\n    memory_window: 20\n":                        `unknown setting "agents.ann.memory_window"`,
		"agents:\n  memory_window: 20\n":                                  `unknown setting "agents.memory_window"`,
		"memory_window: 9\nagents:\n  defaults:\n    memory_window: 20\n": "which are one setting",
		"agents:\n  defaults:\n    memory_window: many\n":                 `memory_window is "many"`,
	} {
		write(t, path, text)
		m.fails(exitUsage, want, "context", "status", "s")
	}
}

// The reference table lists every setting once, with the flags that do not follow from its name.
func TestSettingsReference(t *testing.T) {
	m := newMachine(t)
	table := m.ok("settings", "--markdown")
	if !strings.Contains(table, "| `time.zone` (`--user-time-zone`) |") {
		t.Error("the table does not name the flag of time.zone")
	}
	for _, s := range knownSettings {
		if strings.Count(table, "| `"+s.key+"`") != 1 || s.help == "" {
			t.Errorf("%s is not there once", s.key)
		}
		if s.secret != strings.Contains(table, "| `"+s.key+"` (no flag) |") {
			t.Errorf("%s: the table is wrong about a flag", s.key)
		}
	}
}

func TestDataDirSetting(t *testing.T) {
	m := newMachine(t)
	flagged, ambient := filepath.Join(t.TempDir(), "a", "b"), t.TempDir()
	m.ok("save", "x", "--data-dir", flagged)
	m.env["MCP_MEMORY_DATA_DIR"] = ambient
	m.ok("save", "x")
	m.env["MCP_MEMORY_DATA_DIR"] = ""
	m.ok("save", "x")
	for _, dir := range []string{flagged, ambient, m.dataDir()} {
		if _, err := os.Stat(filepath.Join(dir, databaseName)); err != nil {
			t.Error(err)
		}
	}
	write(t, filepath.Join(flagged, "config.yaml"), "agent: ann\n")
	if value, _ := m.setting("agent", "--data-dir", flagged); value != "ann" {
		t.Errorf("the agent is %q: config.yaml is not read from --data-dir", value)
	}
}

func TestDefaultDataDir(t *testing.T) {
	home := t.TempDir()
	env := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	own := map[string][]string{
		"darwin": {"Library", "Application Support"}, "windows": {"AppData"},
	}[runtime.GOOS]
	if own == nil {
		own = []string{".local", "share"}
	}
	own = append(append([]string{home}, own...), "mcp-memory")
	base := map[string]string{"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": filepath.Join(home, "AppData")}
	for xdg, want := range map[string]string{
		"":                         filepath.Join(own...),
		"relative":                 filepath.Join(own...), // to be ignored, as the XDG specification says
		filepath.Join(home, "xdg"): filepath.Join(home, "xdg", "mcp-memory"),
	} {
		base["XDG_DATA_HOME"] = xdg
		if got, err := defaultDataDir(env(base)); err != nil || got != want {
			t.Errorf("XDG_DATA_HOME=%q: %q, %v; want %q", xdg, got, err, want)
		}
	}
	if _, err := defaultDataDir(env(nil)); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("without a home: %v", err)
	}
	m := newMachine(t)
	m.env = map[string]string{}
	m.fails(exitUsage, "no home directory to keep data in (set --data-dir or MCP_MEMORY_DATA_DIR)", "stats")
}

// A desktop application may pass on the form's own name for what was left empty.
func TestUnfilledForm(t *testing.T) {
	m := newMachine(t)
	m.env["MCP_MEMORY_DATA_DIR"] = "${user_config.data_dir}"
	m.env["MCP_MEMORY_AGENT"] = "${user_config.agent}"
	if value, origin := m.setting("data_dir"); value != m.dataDir() || origin != "default" {
		t.Errorf("data_dir is %q from %q", value, origin)
	}
	if value, origin := m.setting("agent"); value != "default" || origin != "default" {
		t.Errorf("agent is %q from %q", value, origin)
	}
	other := filepath.Join(m.home, "${user_config.data_dir}") // somebody's own directory of that name
	m.env["MCP_MEMORY_DATA_DIR"] = other
	if value, _ := m.setting("data_dir"); value != other {
		t.Errorf("data_dir is %q", value)
	}
}
