package docstest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/server"
	"mcp-memory/tools"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
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
	short := section(t, read(t, "README.md"), "## Reference in short")
	if !strings.Contains(short, "`"+offered+"`") {
		t.Errorf("the README does not say that the example offers %q", offered)
	}
	groups := regexp.MustCompile(`(?m)^### (\w+)$`)
	for _, m := range groups.FindAllStringSubmatch(output(t, "tools", "--tools", "all"), -1) {
		if !strings.Contains(short, "`"+m[1]+"`") {
			t.Errorf("the README does not say what the group %s is for", m[1])
		}
	}
	if found := groups.FindAllString(output(t, "tools", "--tools", offered), -1); len(found) != len(strings.Split(offered, ",")) {
		t.Errorf("%s offers the groups %q", offered, found)
	}
}

// available finds the commands in the program's help.
var available = regexp.MustCompile(`(?m)^  ([a-z-]+) +[A-Z]`)

func TestEveryCommandIsInTheManual(t *testing.T) {
	manual := read(t, "docs/cli.md")
	_, help, _ := strings.Cut(output(t, "help"), "Memory:")
	commands := available.FindAllStringSubmatch(help, -1)
	if len(commands) < 20 {
		t.Fatalf("found %d commands in the help", len(commands))
	}
	for _, m := range commands {
		if name := m[1]; name != "help" && !strings.Contains(manual, "\n### "+name+"\n") {
			t.Errorf("the command %s is not in docs/cli.md", name)
		}
	}
}

// TestEveryHostIsInTheTables wants the README and docs/hosts.md to have the hosts
// that install knows.
func TestEveryHostIsInTheTables(t *testing.T) {
	_, after, _ := strings.Cut(output(t, "install", "--help"), "\nHosts: ")
	line, _, _ := strings.Cut(after, ".\n")
	hosts := strings.Split(line, ", ")
	if len(hosts) < 10 {
		t.Fatalf("install names the hosts %q", hosts)
	}
	tables := map[string]string{
		"README.md":     section(t, read(t, "README.md"), "## Set it up"),
		"docs/hosts.md": section(t, read(t, "docs/hosts.md"), "## Each host"),
	}
	for name, table := range tables {
		for _, host := range hosts {
			if !regexp.MustCompile("(?m)^\\| [^|]*`" + host + "`").MatchString(table) {
				t.Errorf("%s has no row of the host %s", name, host)
			}
		}
	}
}

// TestLengthOfTheReadme wants it to stay what somebody reads to the end.
func TestLengthOfTheReadme(t *testing.T) {
	if lines := strings.Count(read(t, "README.md"), "\n"); lines > 220 {
		t.Errorf("README.md has %d lines, more than 220: what is looked up belongs into docs/reference.md", lines)
	}
}

// TestEveryDocumentIsInTheReadme wants each to be found from there.
func TestEveryDocumentIsInTheReadme(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	readme := read(t, "README.md")
	for _, file := range files {
		if name := "docs/" + filepath.Base(file); !strings.Contains(readme, "("+name+")") {
			t.Errorf("README.md does not link to %s", name)
		}
	}
}

// TestEveryCodeIsInTheReference wants the table of errors to have all of them.
func TestEveryCodeIsInTheReference(t *testing.T) {
	table := section(t, read(t, "docs/reference.md"), "## Exit status and errors")
	for _, code := range memory.Codes() {
		if !strings.Contains(table, "| `"+string(code)+"` |") {
			t.Errorf("the code %s is not in docs/reference.md", code)
		}
	}
}

// asked finds the variables of the environment that code asks for by name.
var asked = regexp.MustCompile(`[eE]nv\("([A-Z_]+)"\)`)

// TestEveryVariableIsInTheReference wants the environment to hold no surprise.
func TestEveryVariableIsInTheReference(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(top, "cmd", "mcp-memory", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	settings, found := section(t, read(t, "docs/reference.md"), "## Settings"), map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(text), -1) {
			if found[m[1]] = true; !strings.HasSuffix(file, "_test.go") && !regexp.MustCompile("`"+m[1]+"[`=]").MatchString(settings) {
				t.Errorf("%s asks for %s, which is not in docs/reference.md", file, m[1])
			}
		}
	}
	if len(found) < 5 {
		t.Errorf("found only the variables %v", found)
	}
}

// TestLimits compares the numbers of the table with those that are kept.
func TestLimits(t *testing.T) {
	table := section(t, read(t, "docs/reference.md"), "## Limits")
	for _, row := range []string{
		"content of a memory | " + size(memory.MaxContentBytes),
		"metadata of a memory | " + size(memory.MaxMetadataBytes),
		"a query | " + size(memory.MaxQueryBytes),
		fmt.Sprintf("tags of a memory, each of them | %d, %s", memory.MaxTags, size(memory.MaxTagBytes)),
		"name of a project, external id, speaker or session | " + size(memory.MaxNameBytes),
		"title of a to-do or event | " + size(memory.MaxTitleBytes),
		"a message of a conversation | " + size(memory.MaxTurnBytes),
		fmt.Sprintf("messages of one call, lines of one batch of an import | %d", memory.MaxBatch),
		fmt.Sprintf("ids of one call; elements of any other list | %d", memory.MaxIDs),
		fmt.Sprintf("results of a search | %d, %d by default", recall.MaxLimit, recall.DefaultLimit),
		fmt.Sprintf("a procedure: steps, prerequisites, all its text | %d, %d, %s", memory.MaxSteps, memory.MaxPrerequisites,
			size(memory.MaxProcedureBytes)),
		fmt.Sprintf("own categories, examples of each, each text | %d, %d, %s", memory.MaxCategories, memory.MaxCategoryExamples,
			size(memory.MaxCategoryTextBytes)),
		fmt.Sprintf("occurrences of events in one answer | %d", planning.MaxOccurrences),
		"a message of the protocol, a line of an import, a Markdown note | " + size(server.DefaultMaxLine),
		fmt.Sprintf("a call of a tool | %.0f s", tools.DefaultTimeout.Seconds()),
	} {
		if !strings.Contains(table, "| "+row+" |") {
			t.Errorf("docs/reference.md does not say: %s", row)
		}
	}
	if jsonl.MaxLineBytes != server.DefaultMaxLine || notes.MaxBytes != server.DefaultMaxLine {
		t.Error("a line of an import, a note and a message have limits of their own")
	}
}

// size shows bytes as the documents do.
func size(bytes int) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
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
	text := read(t, "internal/licenses/README.md")
	unnamed := map[string]string{} // and one way to build what contains it
	for tags, systems := range map[string][]string{"": {"linux", "darwin", "windows"}, "ncruces": {runtime.GOOS}, "otel": {runtime.GOOS}} {
		for _, system := range systems {
			cmd := exec.Command("go", "list", "-tags", tags, "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}",
				"./cmd/mcp-memory")
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
		t.Errorf("internal/licenses/README.md does not say that a binary contains %s (%s)", module, build)
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
