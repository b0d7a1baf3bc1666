package docstest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns what stands below a heading, up to the next of its level.
func section(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		t.Fatalf("there is no heading %q", heading)
	}
	level, _, _ := strings.Cut(heading, " ")
	inside, _, _ := strings.Cut(rest, "\n"+level+" ")
	return inside
}

// examples finds blocks of JSON.
var examples = regexp.MustCompile("(?s)```json\n(.*?)```")

func TestExamplesAreJSON(t *testing.T) {
	if !json.Valid([]byte(read(t, "claude_desktop_config.example.json"))) {
		t.Error("claude_desktop_config.example.json is not JSON")
	}
	found := 0
	for _, name := range []string{"README.md", "docs/deployment.md", "docs/hosts.md"} {
		for _, m := range examples.FindAllStringSubmatch(read(t, name), -1) {
			found++
			if !json.Valid([]byte(m[1])) {
				t.Errorf("%s has an example that is not JSON:\n%s", name, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no examples were found")
	}
}

// TestToolsOfTheExample wants the example to offer what the README says it does, and
// the README to say what each group of tools is for.
func TestToolsOfTheExample(t *testing.T) {
	var example struct {
		Servers map[string]struct{ Env map[string]string } `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(read(t, "claude_desktop_config.example.json")), &example); err != nil {
		t.Fatal(err)
	}
	offered := example.Servers["memory"].Env["MCP_MEMORY_TOOLS"]
	connect := section(t, read(t, "README.md"), "## Connect it to a host")
	if !strings.Contains(connect, "`"+offered+"`") {
		t.Errorf("the README does not say that the example offers %q", offered)
	}
	groups := regexp.MustCompile(`(?m)^### (\w+)$`)
	for _, m := range groups.FindAllStringSubmatch(output(t, "tools", "--tools", "all"), -1) {
		if !strings.Contains(connect, "`"+m[1]+"`") {
			t.Errorf("the README does not say what the group %s is for", m[1])
		}
	}
	if found := groups.FindAllString(output(t, "tools", "--tools", offered), -1); len(found) != len(strings.Split(offered, ",")) {
		t.Errorf("%s offers the groups %q", offered, found)
	}
}

// available finds the commands in the program's help.
var available = regexp.MustCompile(`(?m)^  ([a-z-]+) +[A-Z]`)

func TestEveryCommandIsInTheReadme(t *testing.T) {
	table := section(t, read(t, "README.md"), "## Command line")
	_, help, _ := strings.Cut(output(t, "help"), "Memory:")
	commands := available.FindAllStringSubmatch(help, -1)
	if len(commands) < 20 {
		t.Fatalf("found %d commands in the help", len(commands))
	}
	for _, m := range commands {
		if name := m[1]; name != "help" && !regexp.MustCompile("`"+name+"\\b").MatchString(table) {
			t.Errorf("the command %s is not in the README", name)
		}
	}
}

func TestEveryFolderIsInTheArchitecture(t *testing.T) {
	text := read(t, "docs/architecture.md")
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		code, _ := filepath.Glob(filepath.Join(top, e.Name(), "*.go"))
		listed := regexp.MustCompile(`(?m)^ *(\S+/  )?` + regexp.QuoteMeta(e.Name()) + `/ `)
		if len(code) > 0 && !listed.MatchString(text) {
			t.Errorf("docs/architecture.md does not list %s/", e.Name())
		}
	}
}

// TestWalks wants the three walks through the code to have no more steps than a
// reader can follow, each of which says where it is.
func TestWalks(t *testing.T) {
	text := read(t, "docs/architecture.md")
	for _, heading := range []string{"## A save over stdio", "## A recall", "## A compaction"} {
		steps := regexp.MustCompile(`(?m)^\d+\. .*$`).FindAllString(section(t, text, heading), -1)
		if len(steps) < 5 || len(steps) > 15 {
			t.Errorf("%s has %d steps, not 5 to 15", heading, len(steps))
		}
	}
}

// TestLinkedModules wants every module that is part of a binary to be named
// where its licence is.
func TestLinkedModules(t *testing.T) {
	text := section(t, read(t, "docs/dependencies.md"), "## What a binary contains")
	unnamed := map[string]string{} // and one way to build what contains it
	for tags, systems := range map[string][]string{"": {"linux", "darwin", "windows"}, "ncruces": {runtime.GOOS}, "otel": {runtime.GOOS}} {
		for _, system := range systems {
			cmd := exec.Command("go", "list", "-tags", tags, "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/mcp-memory")
			cmd.Dir = top
			cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOPROXY=off") // tests need no network
			out, err := cmd.Output()
			if err != nil && (tags != "" || system != runtime.GOOS) {
				continue // a module that this machine never needed is not on it
			} else if err != nil {
				t.Fatalf("go list: %v", err)
			}
			for module := range strings.FieldsSeq(string(out)) {
				if !strings.Contains(text, moduleName(module)) {
					unnamed[module] = "-tags '" + tags + "', " + system
				}
			}
		}
	}
	for module, build := range unnamed {
		t.Errorf("docs/dependencies.md does not say that a binary contains %s (%s)", module, build)
	}
}

// moduleName is how the document calls a module: by the end of its path,
// without the major version.
func moduleName(module string) string {
	if strings.HasPrefix(module, "golang.org/x/") {
		return strings.TrimPrefix(module, "golang.org/")
	}
	if regexp.MustCompile(`/v\d+$`).MatchString(module) {
		module = path.Dir(module)
	}
	return path.Base(module)
}
