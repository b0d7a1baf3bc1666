package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"mcp-memory/internal/product"
)

// goreleaser is the pinned version of GoReleaser.
const goreleaser = "github.com/goreleaser/goreleaser/v2@v2.15.1"

// makeAll makes all packages for the given platforms in dist. With publish it also publishes them,
// for which HEAD must have the tag of this version.
func makeAll(top string, wanted []platform, publish bool) error {
	if publish {
		if err := readyToPublish(top); err != nil {
			return err
		}
	}
	out := filepath.Join(top, dist)
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	if _, err := mcpbTool(top); err != nil {
		return err
	}
	program, err := goreleaserProgram()
	if err != nil {
		return err
	}
	config, err := reduced(top, wanted)
	if err != nil {
		return err
	}
	made, err := commitTime(top)
	if err != nil {
		return err
	}
	env := append(os.Environ(), "RELEASE_OWNER="+product.Owner, "RELEASE_VERSION="+product.Version,
		"TAP_TOKEN="+os.Getenv("TAP_TOKEN"), "SOURCE_DATE_EPOCH="+strconv.FormatInt(made.Unix(), 10))
	args := []string{"release", "--clean", "--config", config}
	if publish {
		notes := filepath.Join(out, "notes.md")
		if err := releaseNotes(top, notes); err != nil {
			return err
		}
		args = append(args, "--release-notes", notes)
	} else {
		args = append(args, "--snapshot")
	}
	if err := inFolder(top, env, program, "check", "--config", config); err != nil {
		return err
	}
	if err := inFolder(top, env, program, args...); err != nil {
		return err
	}
	if err := npmMain(top); err != nil {
		return err
	}
	return writeServerJSON(top, wanted)
}

// readyToPublish returns an error that lists what is missing for a release, nil if nothing is.
func readyToPublish(top string) error {
	var missing []error
	if !product.Published() {
		missing = append(missing, errors.New("internal/product does not say who owns the repository (Owner)"))
	}
	tag, err := exec.Command("git", "-C", top, "describe", "--tags", "--exact-match", "HEAD").Output()
	if got, want := strings.TrimSpace(string(tag)), "v"+product.Version; err != nil || got != want {
		missing = append(missing, fmt.Errorf("the commit has the tag %q, want %q", got, want))
	}
	text, err := os.ReadFile(filepath.Join(top, "CHANGELOG.md"))
	if _, found := changes(string(text)); err != nil || !found {
		missing = append(missing, fmt.Errorf("CHANGELOG.md has no section [%s]", product.Version))
	}
	return errors.Join(missing...)
}

// changes returns the section of this version in the changelog.
func changes(changelog string) (section string, found bool) {
	_, rest, found := strings.Cut(changelog, "\n## ["+product.Version+"]")
	if !found {
		return "", false
	}
	_, section, _ = strings.Cut(rest, "\n") // the rest of the heading, which is the date
	section, _, _ = strings.Cut(section, "\n## [")
	return strings.TrimSpace(section), true
}

func releaseNotes(top, path string) error {
	text, err := os.ReadFile(filepath.Join(top, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	section, _ := changes(string(text))
	return os.WriteFile(path, []byte(section+"\n"), 0o644)
}

// reduced returns the path of GoReleaser's configuration: of the one in the repository, or of a
// copy with fewer platforms if not all are wanted.
func reduced(top string, wanted []platform) (string, error) {
	path := filepath.Join(top, ".goreleaser.yaml")
	if len(wanted) == len(platforms) {
		return path, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var config map[string]any
	if err := yaml.Unmarshal(text, &config); err != nil {
		return "", err
	}
	builds, _ := config["builds"].([]any)
	if len(builds) != 1 {
		return "", errors.New(".goreleaser.yaml has not one build")
	}
	var targets []string
	for _, p := range wanted {
		targets = append(targets, p.os+"_"+p.arch)
	}
	builds[0].(map[string]any)["targets"] = targets
	if !slices.ContainsFunc(wanted, func(p platform) bool { return p.os == "windows" }) {
		delete(config, "scoops") // it needs an archive for Windows
	}
	if text, err = yaml.Marshal(config); err != nil {
		return "", err
	}
	path = filepath.Join(top, dist, "goreleaser.yaml")
	return path, os.WriteFile(path, text, 0o644)
}

// commitTime returns when HEAD was committed, which becomes the time of every file that is made.
func commitTime(top string) (time.Time, error) {
	out, err := exec.Command("git", "-C", top, "log", "-1", "--format=%ct").Output()
	if err != nil {
		return time.Time{}, fmt.Errorf("git log: %w", err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// cacheDir returns the directory of downloaded and built tools. It can be deleted at any time.
func cacheDir() (string, error) {
	if dir := os.Getenv("MCP_MEMORY_CI_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "mcp-memory-ci"), err
}

// goreleaserProgram returns the path of GoReleaser, which it builds if it is not in the cache.
func goreleaserProgram() (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	_, version, _ := strings.Cut(goreleaser, "@")
	dir := filepath.Join(cache, "goreleaser-"+version)
	program := filepath.Join(dir, "goreleaser")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	fmt.Println("release: building", goreleaser, "(the first time; some minutes)")
	env := append(os.Environ(), "GOBIN="+dir, "CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOOS=", "GOARCH=")
	return program, inFolder(os.TempDir(), env, "go", "install", goreleaser)
}

// mcpbTool returns the path of the bundle tool's script for Node.js, which it installs if it is not
// in the cache.
func mcpbTool(top string) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	lock, err := os.ReadFile(filepath.Join(top, "build/release/mcpb/package-lock.json"))
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, fmt.Sprintf("mcpb-%.6x", sha256.Sum256(lock)))
	script := filepath.Join(dir, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js")
	if _, err := os.Stat(script); err == nil {
		return script, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(cache, "mcpb-part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	for _, name := range []string{"package.json", "package-lock.json"} {
		if err := copyFile(filepath.Join(top, "build/release/mcpb", name), filepath.Join(part, name), 0o644); err != nil {
			return "", err
		}
	}
	if err := inFolder(part, os.Environ(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
		return "", err
	}
	if err := os.Rename(part, dir); err != nil && !os.IsExist(err) {
		return "", err
	}
	return script, nil
}

// inFolder runs a command in a directory and shows its output.
func inFolder(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return nil
}

func copyFile(from, to string, mode os.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, mode)
}
