package docstest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDependencies compares docs/dependencies.md with go.mod, and test/TOOLS.md with what
// the scripts pin: every direct dependency has a row, and every row its version.
func TestDependencies(t *testing.T) {
	rows := dependencyRows(t)
	known := map[string]string{}
	for _, m := range required(t) {
		known[m.Path] = m.Version
		if version, ok := rows[m.Path]; !m.Indirect && !ok {
			t.Errorf("%s is a direct dependency without a row", m.Path)
		} else if ok && version != m.Version {
			t.Errorf("%s is %s in go.mod, %s in the document", m.Path, m.Version, version)
		}
	}
	for _, tool := range pinnedTools {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(tool.file)))
		if err != nil {
			t.Fatal(err)
		}
		m := tool.pin.FindSubmatch(text)
		if m == nil {
			t.Errorf("%s pins no version of %s", tool.file, tool.name)
			continue
		}
		known[tool.name] = string(m[1])
		if rows[tool.name] != string(m[1]) {
			t.Errorf("%s is %s in %s, %q in the document", tool.name, m[1], tool.file, rows[tool.name])
		}
	}
	for name := range rows {
		if _, ok := known[name]; !ok {
			t.Errorf("%s has a row but nothing needs it", name)
		}
	}
}

// pinnedTools are what only the scripts run.
var pinnedTools = []struct {
	name, file string
	pin        *regexp.Regexp
}{
	{"honnef.co/go/tools", ".ci/run", regexp.MustCompile(`staticcheck@(v[\d.]+)`)},
	{"@modelcontextprotocol/inspector", "test/inspector/package.json", regexp.MustCompile(`inspector": "([\d.]+)"`)},
	{"onnxruntime-node", "test/encoder/package.json", regexp.MustCompile(`onnxruntime-node": "([\d.]+)"`)},
	{"@huggingface/tokenizers", "test/encoder/package.json", regexp.MustCompile(`tokenizers": "([\d.]+)"`)},
	{"@modelcontextprotocol/server-memory", "test/imports/package.json", regexp.MustCompile(`server-memory": "([\d.]+)"`)},
	{"@modelcontextprotocol/server-memory", "test/peers/package.json", regexp.MustCompile(`server-memory": "([\d.]+)"`)},
	{"@modelcontextprotocol/conformance", "test/conformance/package.json", regexp.MustCompile(`conformance": "([\w.-]+)"`)},
	{"conformance-stable", "test/conformance/package.json",
		regexp.MustCompile(`conformance-stable": "npm:@modelcontextprotocol/conformance@([\w.-]+)"`)},
	{"@modelcontextprotocol/client", "test/sdk/package.json", regexp.MustCompile(`client": "([\d.]+)"`)},
	{"@modelcontextprotocol/sdk", "test/sdk/package.json", regexp.MustCompile(`sdk": "([\d.]+)"`)},
	{"github.com/goreleaser/goreleaser/v2", "build/release/make.go", regexp.MustCompile(`goreleaser/v2@(v[\d.]+)`)},
	{"@anthropic-ai/mcpb", "build/release/mcpb/package.json", regexp.MustCompile(`mcpb": "([\d.]+)"`)},
	{"@anthropic-ai/claude-code", "test/packages/package.json", regexp.MustCompile(`claude-code": "([\d.]+)"`)},
	{"@google/gemini-cli", "test/packages/package.json", regexp.MustCompile(`gemini-cli": "([\d.]+)"`)},
	{"@cyclonedx/cyclonedx-library", "test/packages/package.json", regexp.MustCompile(`cyclonedx-library": "([\d.]+)"`)},
	{"ajv", "test/packages/package.json", regexp.MustCompile(`ajv": "([\d.]+)"`)},
	{"github.com/modelcontextprotocol/registry", "test/packages/registry.sh", regexp.MustCompile(`registry@(v[\d.]+)`)},
	{"github.com/moby/buildkit", "test/packages/dockerfile/go.mod", regexp.MustCompile(`buildkit (v[\d.]+)`)},
	{"github.com/compose-spec/compose-go/v2", "test/manifests/go.mod", regexp.MustCompile(`compose-go/v2 (v[\d.]+)`)},
	{"k8s.io/api", "test/manifests/go.mod", regexp.MustCompile(`k8s.io/api (v[\d.]+)`)},
	{"@anthropic-ai/claude-code", "test/hosts/package.json", regexp.MustCompile(`claude-code": "([\d.]+)"`)},
	{"@openai/codex", "test/hosts/package.json", regexp.MustCompile(`codex": "([\d.]+)"`)},
	{"@google/gemini-cli", "test/hosts/package.json", regexp.MustCompile(`gemini-cli": "([\d.]+)"`)},
	{"opencode-linux-x64", "test/hosts/package.json", regexp.MustCompile(`opencode-linux-x64": "([\d.]+)"`)},
	{"@github/copilot", "test/hosts/package.json", regexp.MustCompile(`copilot": "([\d.]+)"`)},
	{"node", "test/node.sh", regexp.MustCompile(`node_pinned=([\d.]+)`)},
}

// row matches the start of a table's row: | `name` | version |.
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\S+) \\|")

func dependencyRows(t *testing.T) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(read(t, "docs/dependencies.md")+read(t, "test/TOOLS.md"), -1) {
		if _, twice := rows[m[1]]; twice {
			t.Errorf("%s has two rows", m[1])
		}
		rows[m[1]] = strings.TrimSpace(m[2])
	}
	return rows
}

type requirement struct {
	Path, Version string
	Indirect      bool
}

// required reads go.mod with the go command.
func required(t *testing.T) []requirement {
	t.Helper()
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var mod struct{ Require []requirement }
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	return mod.Require
}
