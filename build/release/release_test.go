package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"mcp-memory/internal/product"
)

const top = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTreeFiles wants what is committed to be as internal/product and hosts say.
func TestTreeFiles(t *testing.T) {
	if err := treeFiles(top, true); err != nil {
		t.Error(err)
	}
	files, err := pluginFiles()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		var tree object
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if version, ok := tree["version"].(string); ok && version != product.Version {
			t.Errorf("%s says version %s", name, version)
		}
	}
	var hooks struct{ Hooks map[string]any }
	if err := json.Unmarshal(files["plugin/hooks/hooks.json"], &hooks); err != nil || hooks.Hooks["SessionStart"] == nil ||
		hooks.Hooks["Stop"] == nil {
		t.Errorf("the hooks of Claude Code are %v, %v", hooks.Hooks, err)
	}
}

// TestTreeFilesAreCompared wants a file that differs to be named, and left alone.
func TestTreeFilesAreCompared(t *testing.T) {
	tree := t.TempDir()
	if err := copyFile(filepath.Join(top, "plugin", skill), filepath.Join(tree, "plugin", skill), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := treeFiles(tree, false); err != nil {
		t.Fatal(err)
	}
	if err := treeFiles(tree, true); err != nil {
		t.Error(err)
	}
	changed := filepath.Join(tree, "plugin", "plugin.json")
	if err := os.WriteFile(changed, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := treeFiles(tree, true); err == nil || !strings.Contains(err.Error(), ": plugin/plugin.json;") {
		t.Errorf("of a changed file it says %v", err)
	}
	if text, err := os.ReadFile(changed); err != nil || string(text) != "{}" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// TestPlatforms wants GoReleaser to build for what the rest is made for.
func TestPlatforms(t *testing.T) {
	var config struct {
		Builds []struct{ Targets []string }
	}
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range platforms {
		want = append(want, p.os+"_"+p.arch)
	}
	if len(config.Builds) != 1 || !slices.Equal(config.Builds[0].Targets, want) {
		t.Errorf("GoReleaser builds %v, want %v", config.Builds, want)
	}
	if some, err := parsePlatforms("windows/arm64,linux/amd64"); err != nil || len(some) != 2 || some[0].program() != "mcp-memory.exe" {
		t.Errorf("two platforms are %v, %v", some, err)
	}
	if _, err := parsePlatforms("plan9/amd64"); err == nil {
		t.Error("it makes packages for Plan 9")
	}
}

// TestRepeated wants the files that are written by hand and repeat what the
// program is called to say the same.
func TestRepeated(t *testing.T) {
	docker := read(t, "deploy/Dockerfile")
	for _, line := range []string{"ARG OWNER=" + product.Owner, "ARG VERSION=" + product.Version} {
		if !strings.Contains(docker, line+"\n") {
			t.Errorf("deploy/Dockerfile has no line %s", line)
		}
	}
	if !regexp.MustCompile(`marketplace add ` + product.Owner + `/mcp-memory`).MatchString(read(t, "plugin/README.md")) {
		t.Errorf("plugin/README.md does not name %s", product.Owner)
	}
	if n := len(product.Description); n > 100 {
		t.Errorf("the description has %d characters, the registry takes 100", n)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(product.Version) {
		t.Errorf("%q is no version", product.Version)
	}
}

// TestNotReadyToPublish wants what is missing to be said all at once.
func TestNotReadyToPublish(t *testing.T) {
	tree := t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "CHANGELOG.md"), []byte("# Changelog\n\n## [Unreleased]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := readyToPublish(tree)
	if err == nil {
		t.Fatal("a tree without a tag can be published")
	}
	wants := []string{"the tag", "CHANGELOG.md has no section"}
	if !product.Published() {
		wants = append(wants, "Owner")
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("it does not miss %q: %v", want, err)
		}
	}
}

func TestChanges(t *testing.T) {
	section, found := changes("# Changelog\n\n## [Unreleased]\n\n- new\n\n## [" + product.Version +
		"] - 2027-01-01\n\n- first\n\n## [0.0.1]\n\n- old\n")
	if !found || section != "- first" {
		t.Errorf("the section is %q, %v", section, found)
	}
	if _, found := changes("## [Unreleased]\n"); found {
		t.Error("a section was found that is not there")
	}
}

// TestSettle wants a bundle to be the same whenever it was packed, and its
// program executable.
func TestSettle(t *testing.T) {
	var made [][]byte
	for _, packed := range []time.Time{time.Unix(1e9, 0), time.Unix(1.7e9, 0)} {
		dir := t.TempDir()
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		header := zip.FileHeader{Name: "server/mcp-memory", Modified: packed, Method: zip.Deflate}
		header.SetMode(0o755)
		f, err := w.CreateHeader(&header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("program")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		if err := os.WriteFile(from, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := settle(from, to); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, text)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("two bundles of the same files differ")
	}
	r, err := zip.NewReader(bytes.NewReader(made[0]), int64(len(made[0])))
	if err != nil || len(r.File) != 1 || r.File[0].Mode() != 0o755 {
		t.Errorf("the bundle has %v, %v", r.File, err)
	}
}

// TestSBOM lists what this test itself is linked from.
func TestSBOM(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sbom.json")
	if err := writeSBOM(own, path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Components []component }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list.Components, func(c component) bool {
		return strings.HasPrefix(c.PURL, "pkg:golang/github.com/goccy/go-yaml@v") && len(c.Hashes) == 1
	}) {
		t.Errorf("the list has no go-yaml: %v", list.Components)
	}
}
