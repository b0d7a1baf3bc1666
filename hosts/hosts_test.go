package hosts

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/test/ramdisk"
)

// machine is an empty one, with claude's command, which edits the file as the real one does.
func machine(t testing.TB, system string) Machine {
	ramdisk.Use()
	home := t.TempDir()
	m := Machine{OS: system, Home: home, Project: filepath.Join(home, "work", "project")}
	env := map[string]string{}
	if system == "windows" {
		env["APPDATA"] = filepath.Join(home, "AppData", "Roaming")
	}
	m.Env = func(name string) string { return env[name] }
	m.Look = func(command string) (string, error) {
		if command == "claude" || strings.Contains(command, "/bin/mcp-memory") {
			return command, nil
		}
		return "", exec.ErrNotFound
	}
	m.Run = func(_ context.Context, argv []string) (string, error) { return "", runClaude(m, argv) }
	if err := os.MkdirAll(m.Project, 0o700); err != nil {
		t.Fatal(err)
	}
	return m
}

// runClaude is `claude mcp add` and `claude mcp remove`.
func runClaude(m Machine, argv []string) error {
	path := filepath.Join(m.Home, ".claude.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte(`{"userID": "u"}`), nil
	}
	var tree map[string]any
	if err = errors.Join(err, json.Unmarshal(text, &tree)); err != nil {
		return err
	}
	servers, _ := tree["mcpServers"].(map[string]any)
	if servers == nil {
		servers = map[string]any{}
	}
	name, entry := "", map[string]any(nil)
	switch line := strings.Join(argv, " "); {
	case strings.HasPrefix(line, "claude mcp add --scope user ") && argv[6] == "--":
		name, entry = argv[5], map[string]any{"type": "stdio", "command": argv[7], "args": argv[8:], "env": map[string]any{}}
	case strings.HasPrefix(line, "claude mcp add --transport http --scope user ") && argv[9] == "--header":
		key, value, _ := strings.Cut(argv[10], ": ")
		name, entry = argv[7], map[string]any{"type": "http", "url": argv[8], "headers": map[string]any{key: value}}
	case strings.HasPrefix(line, "claude mcp remove ") && strings.HasSuffix(line, " --scope user"):
		delete(servers, argv[3])
	default:
		return errors.New("unknown command")
	}
	if entry != nil && servers[name] != nil {
		return errors.New("already exists")
	}
	if entry != nil {
		servers[name] = entry
	}
	tree["mcpServers"] = servers
	text, err = json.MarshalIndent(tree, "", "  ")
	return errors.Join(err, os.WriteFile(path, text, 0o600))
}

func write(t testing.TB, path, text string) {
	before := time.Now().Add(-time.Hour) // an empty file is not just being saved
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o640),
		os.Chtimes(path, before, before)); err != nil {
		t.Fatal(err)
	}
}

// tree reads all files of hosts below a directory.
func tree(t testing.TB, dir string) map[string]string {
	files := layout(t, dir)
	maps.DeleteFunc(files, func(path, _ string) bool {
		return strings.HasSuffix(path, "/") || filepath.Base(path) == madeName
	})
	return files
}

// layout reads all files below a directory, and names the directories.
func layout(t testing.TB, dir string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			files[strings.TrimPrefix(path, dir)+"/"] = "a directory"
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func options(scope Scope) Options {
	return Options{Scope: scope, Command: "/opt/my apps/bin/mcp-memory"}
}

// fixtures are files as people have them, by format.
var fixtures = map[format][]string{
	strictJSON: {
		"", "{}", "{}\n", "{\n}\n", "  \n", `{"b":1}`, `{"b": 1, "hooks": {}}`,
		"{\n  \"mcpServers\": {},\n  \"hooks\": {\"SessionStart\": []}\n}\n",
		"{\r\n\t\"mcpServers\": {\r\n\t\t\"other\": {\"command\": \"x\"}\r\n\t}\r\n}\r\n",
		"\ufeff{\n    \"theme\": \"dark\",\n    \"hooks\": {\n        \"SessionStart\": [\n            {\"matcher\": \"startup\", \"hooks\": [{\"type\": \"command\", \"command\": \"other\"}]}\n        ]\n    }\n}",
		"{\n  \"version\": 1,\n  \"hooks\": {\"sessionStart\": [{\"command\": \"x\"}]}\n}\n",
	},
	commentedJSON: {
		"", "{}", "// mine\n{\n}\n", "{ // a\n  \"b\": 1, /* c */\n  // d\n}\n",
		"{\n  \"mcpServers\": { /* none */ },\n  \"servers\": {},\n}\n",
		"{\r\n  // servers: \"mcp-memory\"\r\n  \"context_servers\": {\r\n    \"other\": {\"command\": \"x\"}, // one\r\n  },\r\n  \"mcp\": {\"other\": {}}\r\n}\r\n",
		"{\"hooks\":{\"BeforeAgent\":[{\"hooks\":[{\"command\":\"x\"}]}], /* y */ }}",
	},
	tomlFile: {
		"", "# mine\n", "model = \"x\" # [mcp_servers.memory]\n\n[mcp_servers.other]\ncommand = 'y'\nargs = [\n  \"a]\", # b\n]\n",
		"a = 1\r\n[t]\r\nb = \"\"\"\r\n[mcp_servers.memory]\r\n\"\"\"",
		"[[list]]\nx = { y = \"#\" }\n\n\n", "\ufeffa.b.\"c d\" = 1",
	},
	yamlFile: {
		"", "# mine\nGOOSE_MODE: auto # a\n", "extensions:\n  memory:\n    type: builtin # theirs\n    enabled: true\n\n# end\nother: 1\n",
		"extensions: {}\n", "extensions:\nb: 1", "a: 1\r\nextensions:\r\n    x:\r\n        cmd: y\r\n",
	},
}

// TestInstallAndUninstall wants every host, on every system and in every scope, to have its files back, byte for byte,
// whatever was in them.
func TestInstallAndUninstall(t *testing.T) {
	for _, h := range All() {
		for _, system := range []string{"linux", "darwin", "windows"} {
			for _, scope := range h.Scopes() {
				t.Run(h.ID+"/"+system+"/"+string(scope), func(t *testing.T) {
					t.Parallel()
					for i, servers := range append([]string{"missing"}, fixtures[h.format]...) {
						if system == "linux" || i%4 == len(h.ID)%4 { // what is in a file is no matter of the system
							roundTrip(t, h, machine(t, system), scope, servers)
						}
					}
				})
			}
		}
	}
}

func roundTrip(t *testing.T, h *Host, m Machine, scope Scope, servers string) {
	path, hooks := m.choose(h.servers[scope]), ""
	if h.hooks != nil {
		hooks = m.choose(h.hooks.places[scope])
	}
	if servers != "missing" {
		write(t, path, servers)
		if hooks != "" && hooks != path {
			for i, text := range fixtures[h.hooks.format] {
				if i == len(servers)%len(fixtures[h.hooks.format]) {
					write(t, hooks, text)
				}
			}
		}
	}
	own := h.own != nil && h.own.only && scope == ScopeUser
	if own {
		write(t, path, `{"userID":"u"}`)
	}
	before := layout(t, m.Home)
	apply(t, h, m, options(scope), false)
	after := layout(t, m.Home)
	read, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%q: %v", servers, err)
	}
	entries, err := h.entries(read)
	if err != nil || len(ours(entries)) != 1 || ours(entries)[0].command != "/opt/my apps/bin/mcp-memory" {
		t.Fatalf("%q becomes %q with %v: %v", servers, read, entries, err)
	}
	if h.hooks != nil {
		text, err := os.ReadFile(hooks)
		parsed, err2 := parseJSON(text, h.hooks.format == strictJSON)
		if err != nil || err2 != nil {
			t.Fatalf("%q: %v %v", text, err, err2)
		}
		for _, e := range h.hooks.events {
			if own, err := ownHooks(parsed, e.name); err != nil || len(own) != 1 {
				t.Fatalf("%s has %d of our hooks in %s: %v", text, len(own), e.name, err)
			}
		}
	}
	if done := apply(t, h, m, options(scope), false); len(done) > 0 {
		t.Fatalf("%q: the second time %q", servers, done)
	}
	if got := layout(t, m.Home); !maps.Equal(got, after) {
		t.Fatalf("%q: the second time has changed %v to %v", servers, after, got)
	}
	apply(t, h, m, options(scope), true)
	got := layout(t, m.Home)
	if own { // the host writes the file as it likes
		got["/.claude.json"], before["/.claude.json"] = "", ""
	}
	if !maps.Equal(got, before) {
		t.Fatalf("%q: left %q, was %q", servers, got, before)
	}
	if done := apply(t, h, m, options(scope), true); len(done) > 0 {
		t.Fatalf("%q: uninstalled a second time: %q", servers, done)
	}
}

// TestDirectories wants those that were there to stay, however empty, and those that were made to go, also
// where a second host has put something into them meanwhile.
func TestDirectories(t *testing.T) {
	cursor, err1 := Find("cursor")
	code, err2 := Find("vscode")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	m := machine(t, "linux")
	if err := os.Mkdir(filepath.Join(m.Home, ".cursor"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := layout(t, m.Home)
	apply(t, cursor, m, options(ScopeUser), false)
	apply(t, code, m, options(ScopeUser), false)
	write(t, filepath.Join(m.Home, ".config", "Code", "other"), "x") // somebody else's, in a directory that was made for us
	apply(t, cursor, m, options(ScopeUser), true)
	apply(t, code, m, options(ScopeUser), true)
	kept := layout(t, m.Home)
	if kept["/.cursor/"] == "" || kept["/.config/Code/other"] != "x" || kept["/.config/Code/User/"] != "" {
		t.Errorf("left %v", kept)
	}
	if err := os.RemoveAll(filepath.Join(m.Home, ".config")); err != nil {
		t.Fatal(err)
	}
	if got := layout(t, m.Home); !maps.Equal(got, before) {
		t.Errorf("left %v, was %v", got, before)
	}
}

// TestHooksWithoutCommand wants the hooks of Claude Code also where its command is not found, which alone may
// write the server; and out again.
func TestHooksWithoutCommand(t *testing.T) {
	h, err := Find("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, "linux")
	m.Look = func(string) (string, error) { return "", exec.ErrNotFound }
	before := layout(t, m.Home)
	plan, err := h.Install(m, options(ScopeUser))
	if err != nil {
		t.Fatal(err)
	}
	changes, err := plan.Preview()
	if refusal := new(Refusal); !errors.As(err, &refusal) || len(changes) != 2 || changes[0].Diff != "" || changes[1].Diff == "" ||
		!maps.Equal(layout(t, m.Home), before) {
		t.Errorf("would do %+v, %v", changes, err)
	}
	for n := range 2 {
		done, err := plan.Apply(t.Context())
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Snippet, "claude mcp add --scope user memory -- ") || len(done) != 1-n {
			t.Errorf("did %q, %v", done, err)
		}
	}
	if files := tree(t, m.Home); len(files) != 1 || !strings.Contains(files["/.claude/settings.json"], "hook --host claude-code") {
		t.Errorf("wrote %v", files)
	}
	apply(t, h, m, options(ScopeUser), true)
	if got := layout(t, m.Home); !maps.Equal(got, before) {
		t.Errorf("left %v", got)
	}
}

// ours are the entries that start this program.
func ours(all []serverEntry) (own []serverEntry) {
	for _, e := range all {
		if isProgram(e.command) {
			own = append(own, e)
		}
	}
	return own
}

func apply(t testing.TB, h *Host, m Machine, o Options, out bool) []string {
	t.Helper()
	plan, err := h.Install(m, o)
	if out {
		plan, err = h.Uninstall(m, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	done, err := plan.Apply(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// TestPaths pins where the files are on each system.
func TestPaths(t *testing.T) {
	for id, want := range map[string][3]string{
		"claude-desktop": {".config/Claude/claude_desktop_config.json", "Library/Application Support/Claude/claude_desktop_config.json",
			"AppData/Roaming/Claude/claude_desktop_config.json"},
		"vscode": {".config/Code/User/mcp.json", "Library/Application Support/Code/User/mcp.json",
			"AppData/Roaming/Code/User/mcp.json"},
		"zed":         {".config/zed/settings.json", ".config/zed/settings.json", "AppData/Roaming/zed/settings.json"},
		"goose":       {".config/goose/config.yaml", ".config/goose/config.yaml", "AppData/Roaming/Block/goose/config/config.yaml"},
		"opencode":    {".config/opencode/opencode.json", ".config/opencode/opencode.json", ".config/opencode/opencode.json"},
		"codex":       {".codex/config.toml", ".codex/config.toml", ".codex/config.toml"},
		"cursor":      {".cursor/mcp.json", ".cursor/mcp.json", ".cursor/mcp.json"},
		"claude-code": {".claude.json", ".claude.json", ".claude.json"},
	} {
		for i, system := range []string{"linux", "darwin", "windows"} {
			m := machine(t, system)
			h, err := Find(id)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.choose(h.servers[ScopeUser]); got != filepath.Join(m.Home, want[i]) {
				t.Errorf("%s on %s: %s", id, system, got)
			}
		}
	}
}

func TestEnvironmentMovesFiles(t *testing.T) {
	m := machine(t, "linux")
	dir := t.TempDir()
	m.Env = func(name string) string {
		return map[string]string{"CODEX_HOME": dir, "XDG_CONFIG_HOME": dir, "CLAUDE_CONFIG_DIR": "relative"}[name]
	}
	for p, want := range map[place]string{
		"${CODEX_HOME:-~/.codex}/config.toml":       filepath.Join(dir, "config.toml"),
		"{config}/Code/User/mcp.json":               filepath.Join(dir, "Code/User/mcp.json"),
		"${CLAUDE_CONFIG_DIR:-~/.claude}/x/y.json":  filepath.Join(m.Home, ".claude/x/y.json"),
		"${XDG_CONFIG_HOME:-~/.config}/opencode/oc": filepath.Join(dir, "opencode/oc"),
	} {
		if got := m.path(p); got != want {
			t.Errorf("%s is %s, want %s", p, got, want)
		}
	}
}

// TestRefuses wants a file that cannot be changed safely to be left as it is, with the text to put there.
func TestRefuses(t *testing.T) {
	cursor, codex, goose, claude := "cursor", "codex", "goose", "claude-code"
	for name, tt := range map[string]struct{ host, text, want string }{
		"no JSON":           {cursor, `{"a":`, "it is not JSON"},
		"an array":          {cursor, `[]`, "no JSON object"},
		"servers no object": {cursor, `{"mcpServers":[]}`, "mcpServers is no object"},
		"twice": {cursor, `{"mcpServers":{"memory":{"command":"mcp-memory"},"memory":{"command":"mcp-memory"}}}`,
			"is in it twice"},
		"another's": {cursor, `{"mcpServers":{"memory":{"command":"npx","args":["server-memory"]}}}`,
			"is taken by a server that is not this one"},
		"by hand": {cursor, `{"mcpServers":{"memory":{"command":"mcp-memory","env":{"MCP_MEMORY_AGENT":"x"}}}}`,
			"changed by hand"},
		"no TOML":    {codex, "a = \"x\n", "it is not TOML: line 1"},
		"inline":     {codex, "mcp_servers = { memory = { command = \"mcp-memory\" } }\n", "in another form"},
		"dotted":     {codex, "[mcp_servers]\nmemory.command = \"mcp-memory\"\n", "in another form"},
		"TOML twice": {codex, "[mcp_servers.memory]\ncommand = \"mcp-memory\"\n[mcp_servers.memory]\n", "is in it twice"},
		"TOML by hand": {codex, "[mcp_servers.memory]\ncommand = \"mcp-memory\"\nargs = [\"serve\", \"--agent\", \"x\"]\n",
			"changed by hand"},
		"TOML another's": {codex, "[mcp_servers.memory]\ncommand = \"x\"\n", "is taken"},
		"half a block":   {codex, tomlBegin + "\n[mcp_servers.memory]\ncommand = \"mcp-memory\"\n", "not in it once each"},
		"more in a block": {codex, tomlBegin + "\n[mcp_servers.memory]\ncommand = \"mcp-memory\"\n[other]\n" + tomlEnd + "\n",
			"more than our entry"},
		"no YAML":      {goose, "a: [\n", "it is not YAML"},
		"flow":         {goose, "extensions: {x: {cmd: y}}\n", "cannot be changed line by line"},
		"an anchor":    {goose, "extensions: &a\nx: *a\n", "cannot be changed line by line"},
		"a list":       {goose, "extensions:\n  - x\n", "is no mapping"},
		"YAML by hand": {goose, "extensions:\n  mcp-memory:\n    cmd: mcp-memory\n    args: [serve, --agent, x]\n", "changed by hand"},
		"hooks twice": {claude,
			`{"hooks":{"Stop":[{"hooks":[{"command":"mcp-memory hook"},{"command":"/x/mcp-memory hook --host y"}]}]}}`, "twice"},
		"comments":   {claude, "{ // mine\n}", "comments"},
		"the plugin": {claude, `{"enabledPlugins":{"mcp-memory@market":true}}`, "plugin mcp-memory@market"},
	} {
		m := machine(t, "linux")
		h, err := Find(tt.host)
		if err != nil {
			t.Fatal(err)
		}
		path := m.choose(h.servers[ScopeUser])
		if tt.host == claude {
			path = m.choose(h.hooks.places[ScopeUser])
		}
		write(t, path, tt.text)
		before := tree(t, m.Home)
		plan, err := h.Install(m, options(ScopeUser))
		if err == nil {
			_, err = plan.Apply(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || memory.CodeOf(err) != memory.CodeConflict {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		var refusal *Refusal
		if errors.As(err, &refusal) && (!strings.Contains(refusal.Snippet, "mcp-memory") || refusal.Path != path) {
			t.Errorf("%s: %+v", name, refusal)
		}
		if got := tree(t, m.Home); !maps.Equal(got, before) {
			t.Errorf("%s: %v became %v", name, before, got)
		}
	}
}

func TestReplace(t *testing.T) {
	for _, tt := range []struct{ host, text string }{
		{"cursor", `{"mcpServers":{"memory":{"command":"npx"}}}`},
		{"codex", "[mcp_servers.memory]\ncommand = \"npx\"\n[mcp_servers.memory.env]\nA = \"b\"\n[after]\n"},
		{"goose", "extensions:\n  mcp-memory:\n    cmd: npx\n  z:\n    cmd: y\n"},
	} {
		m := machine(t, "linux")
		h, _ := Find(tt.host)
		path := m.choose(h.servers[ScopeUser])
		write(t, path, tt.text)
		o := options(ScopeUser)
		o.Replace = true
		apply(t, h, m, o, false)
		text, _ := os.ReadFile(path)
		if entries, err := h.entries(text); err != nil || len(ours(entries)) != 1 || strings.Contains(string(text), "npx") {
			t.Errorf("%s: %s: %v", tt.host, text, err)
		}
		if backup, _ := os.ReadFile(path + BackupSuffix); string(backup) != tt.text {
			t.Errorf("%s: the copy is %q", tt.host, backup)
		}
	}
}

// TestMoved wants an entry and hooks of ours to follow the program, and what a person set beside to stay.
func TestMoved(t *testing.T) {
	for _, h := range All() {
		m := machine(t, "linux")
		o := options(ScopeUser)
		o.Command = "/old/mcp-memory"
		apply(t, h, m, o, false)
		if h.ID == "claude-code" {
			settings := filepath.Join(m.Home, ".claude/settings.json")
			text, _ := os.ReadFile(settings)
			write(t, settings, strings.Replace(string(text), `"timeout": 60`, `"timeout": 77, "statusMessage": "Remembering"`, 1))
		}
		apply(t, h, m, options(ScopeUser), false)
		for path, text := range tree(t, m.Home) {
			if strings.Contains(text, "/old/") {
				t.Errorf("%s still has the old path in %s:\n%s", h.ID, path, text)
			}
			if strings.HasSuffix(path, "settings.json") && h.ID == "claude-code" && !(strings.Contains(text, "77") && strings.Contains(text, `"statusMessage": "Remembering"`)) {
				t.Errorf("the timeout was changed back, or what somebody added was dropped:\n%s", text)
			}
		}
		apply(t, h, m, options(ScopeUser), true)
		if got := tree(t, m.Home); len(got) > 0 && h.ID != "claude-code" {
			t.Errorf("%s leaves %v", h.ID, got)
		}
	}
}

func TestOverHTTP(t *testing.T) {
	for _, h := range All() {
		m := machine(t, "linux")
		o := Options{Scope: ScopeUser, URL: "https://memory.example/mcp", Token: "s3cret"}
		plan, err := h.Install(m, o)
		if h.ID == "claude-desktop" {
			if memory.CodeOf(err) != memory.CodeInvalidArgument {
				t.Errorf("%s: %v", h.ID, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Apply(context.Background()); err != nil {
			t.Fatalf("%s: %v", h.ID, err)
		}
		files := tree(t, m.Home)
		if len(files) != 1 {
			t.Errorf("%s has written %v: hooks are for a bank on this machine", h.ID, files)
		}
		for path, text := range files {
			if !strings.Contains(text, o.URL) || !strings.Contains(text, "Bearer s3cret") {
				t.Errorf("%s: %s", h.ID, text)
			}
			if info, err := os.Stat(filepath.Join(m.Home, path)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: a file with a token is %v, %v", h.ID, info.Mode(), err)
			}
		}
		apply(t, h, m, o, false)
		apply(t, h, m, Options{Scope: ScopeUser, URL: o.URL}, true)
		if got := tree(t, m.Home); len(got) > 0 && h.ID != "claude-code" {
			t.Errorf("%s leaves %v", h.ID, got)
		}
	}
}

// TestFileCare covers links, modes, read-only files, and what is no file.
func TestFileCare(t *testing.T) {
	h, _ := Find("cursor")
	m := machine(t, "linux")
	path, real := filepath.Join(m.Home, ".cursor/mcp.json"), filepath.Join(m.Home, "dotfiles/cursor.json")
	write(t, real, "{}\n")
	write(t, filepath.Join(m.Home, ".cursor/x"), "")
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	apply(t, h, m, options(ScopeUser), false)
	info, err := os.Lstat(path)
	target, err2 := os.Stat(real)
	if err != nil || err2 != nil || info.Mode()&fs.ModeSymlink == 0 || target.Mode().Perm() != 0o640 {
		t.Fatalf("the link is %v, its file %v", info.Mode(), target.Mode())
	}
	apply(t, h, m, options(ScopeUser), true)
	if text, _ := os.ReadFile(real); string(text) != "{}\n" {
		t.Errorf("left %q", text)
	}
	refused := func(why string) {
		t.Helper()
		plan, err := h.Install(m, options(ScopeUser))
		if err == nil {
			_, err = plan.Apply(context.Background())
		}
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	if err := os.Chmod(real, 0o440); err != nil {
		t.Fatal(err)
	}
	refused("read-only")
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	refused("a link to nothing")
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	refused("it is no file")
}

// TestEditedBetween wants what a person writes after the installation to stay.
func TestEditedBetween(t *testing.T) {
	h, _ := Find("gemini")
	m := machine(t, "linux")
	path := filepath.Join(m.Home, ".gemini/settings.json")
	write(t, path, "{\n  // mine\n  \"ui\": {}\n}\n")
	apply(t, h, m, options(ScopeUser), false)
	text, _ := os.ReadFile(path)
	write(t, path, strings.Replace(string(text), "\"ui\": {}", "\"ui\": {\"theme\": 1}, // new", 1))
	apply(t, h, m, options(ScopeUser), true)
	if text, _ := os.ReadFile(path); string(text) != "{\n  // mine\n  \"ui\": {\"theme\": 1} // new,\n}\n" &&
		string(text) != "{\n  // mine\n  \"ui\": {\"theme\": 1} // new\n}\n" {
		t.Errorf("left %s", text)
	}
	if backup, _ := os.ReadFile(path + BackupSuffix); string(backup) != "{\n  // mine\n  \"ui\": {}\n}\n" {
		t.Errorf("the copy is %q", backup)
	}
}

// TestAnyJSONComesBack is the round trip over generated files.
func TestAnyJSONComesBack(t *testing.T) {
	m := machine(t, "linux")
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]string{"cursor", "gemini", "zed", "opencode", "droid", "vscode"}).Draw(t, "host")
		h, err := Find(id)
		if err != nil {
			t.Fatal(err)
		}
		text := anyJSON(t, h.format == commentedJSON)
		path := m.choose(h.servers[ScopeUser])
		if err := errors.Join(os.RemoveAll(m.Home), os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		plan, err := h.Install(m, options(ScopeUser))
		if err != nil {
			t.Fatal(err)
		}
		_, err = plan.Apply(context.Background())
		if plan, err2 := h.Uninstall(m, options(ScopeUser)); err2 != nil {
			t.Fatal(err2)
		} else if _, err2 := plan.Apply(context.Background()); err == nil && err2 != nil {
			t.Fatal(err2)
		}
		if left, _ := os.ReadFile(path); string(left) != text {
			t.Fatalf("%q comes back as %q (%v)", text, left, err)
		}
		if _, err := os.Stat(path + BackupSuffix); err == nil {
			t.Fatalf("%q: the copy is left", text)
		}
	})
}

// anyJSON draws an object with the names that matter, in any writing.
func anyJSON(t *rapid.T, comments bool) string {
	spaces := []string{"", " ", "\n", "\r\n", "\n\t", "  "}
	if comments {
		spaces = append(spaces, " // \"c\", {\n", "/* } */", "\n  // ours\n")
	}
	space := rapid.SampledFrom(spaces)
	var value func(depth int, object bool) string
	value = func(depth int, object bool) string {
		if !object {
			if kind := rapid.IntRange(0, 4).Draw(t, "kind"); kind > 1 || depth > 4 {
				return rapid.SampledFrom([]string{`1`, `"x // y"`, `true`, `null`, `"\"\\"`}).Draw(t, "value")
			} else if kind == 1 {
				object = true
			}
		}
		open, end := "[", "]"
		if object {
			open, end = "{", "}"
		}
		out := open
		count := rapid.IntRange(0, 3).Draw(t, "count")
		names := rapid.Permutation([]string{"mcpServers", "hooks", "servers", "a", "mcp", "SessionStart", "context_servers", "version"}).
			Draw(t, "names")
		for i := range count {
			out += space.Draw(t, "space")
			if object {
				out += `"` + names[i] + `"` + space.Draw(t, "space") + ":" + space.Draw(t, "space")
			}
			out += value(depth+1, false) + space.Draw(t, "space")
			if i < count-1 || comments && rapid.Bool().Draw(t, "trailing") {
				out += ","
			}
		}
		return out + space.Draw(t, "space") + end
	}
	return space.Draw(t, "space") + value(0, true) + space.Draw(t, "space")
}
