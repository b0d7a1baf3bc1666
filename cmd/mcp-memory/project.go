package main

import (
	"bufio"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"mcp-memory/memory"
)

// projectFile names the project of the directory that it lies in and of all
// below.
const projectFile = ".mcp-memory.yaml"

// findProject resolves the project of a working directory: a .mcp-memory.yaml
// up the tree, else the owner/name of the git remote (worktrees of one
// repository are one project), else none. The home directory itself is never a
// project: a file or repository there would swallow everything below.
func findProject(dir, home string) (string, error) {
	house, _ := os.Stat(home) // nil if there is none
	for {
		if here, err := os.Stat(dir); err == nil && house != nil && os.SameFile(here, house) {
			return "", nil
		}
		name, err := projectOf(dir)
		if err != nil || name != "" {
			return name, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

func projectOf(dir string) (string, error) {
	path := filepath.Join(dir, projectFile)
	text, err := os.ReadFile(path)
	if err == nil {
		var file struct {
			Project string `yaml:"project"`
		}
		if err := yaml.Unmarshal(text, &file); err != nil {
			return "", memory.Errorf(memory.CodeInvalidArgument, "%s is not valid YAML: %s", path, err)
		}
		if file.Project == "" {
			return "", memory.Errorf(memory.CodeInvalidArgument, "%s names no project", path).WithHint("write a line such as project: my-project")
		}
		return file.Project, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", nil // unreadable: it cannot be ours
	}
	return remoteName(gitConfig(filepath.Join(dir, ".git"))), nil
}

// gitConfig finds the config of the repository that a .git belongs to: a
// directory, or in a worktree a file that points into the main repository.
func gitConfig(dotGit string) string {
	info, err := os.Stat(dotGit)
	if err != nil {
		return ""
	}
	if info.IsDir() {
		return filepath.Join(dotGit, "config")
	}
	text, err := os.ReadFile(dotGit)
	if err != nil {
		return ""
	}
	gitDir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(filepath.Dir(dotGit), gitDir)
	}
	if common, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		shared := strings.TrimSpace(string(common))
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(gitDir, shared)
		}
		return filepath.Join(shared, "config")
	}
	return filepath.Join(gitDir, "config")
}

// remoteName returns owner/name of the remote origin, else of the first one.
func remoteName(config string) string {
	f, err := os.Open(config)
	if err != nil {
		return ""
	}
	defer f.Close()
	section, first := "", ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.TrimSpace(key) != "url" || !strings.HasPrefix(section, "[remote ") {
			continue
		}
		name := ownerAndName(strings.TrimSpace(value))
		if section == `[remote "origin"]` {
			return name
		}
		if first == "" {
			first = name
		}
	}
	return first
}

// ownerAndName takes the last two parts of a remote's address, whatever form
// it has: https://host/owner/name.git, git@host:owner/name, /path/owner/name.
func ownerAndName(remote string) string {
	path := remote
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		path = u.Path
	} else if host, rest, ok := strings.Cut(remote, ":"); ok && !strings.Contains(host, "/") {
		path = rest
	}
	path = strings.TrimSuffix(strings.TrimRight(path, "/"), ".git")
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	if len(parts) > 2 {
		parts = parts[len(parts)-2:]
	}
	return strings.ToLower(strings.Join(parts, "/"))
}
