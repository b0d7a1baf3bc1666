package main

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"mcp-memory/memory"
)

// projectFile names the project of the directory that it lies in and of all
// below.
const projectFile = ".mcp-memory.yaml"

// projectTime is how long a start waits for the working directory to say which
// project it is.
const projectTime = 200 * time.Millisecond

// findProjectInTime is [findProject] of a directory that may lie on a disk that
// does not answer: then the error is [memory.CodeUnavailable]. What is global to
// all projects would be the wrong guess.
func findProjectInTime(dir, home string) (string, error) {
	type answer struct {
		name string
		err  error
	}
	found := make(chan answer, 1)
	go func() {
		name, err := findProject(dir, home)
		found <- answer{name, err}
	}()
	select {
	case a := <-found:
		return a.name, a.err
	case <-time.After(projectTime):
		return "", memory.Errorf(memory.CodeUnavailable, "the project of the working directory cannot be found in time").
			WithHint("say --project NAME, or --project '' for none")
	}
}

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
	text, more, err := readForeign(dir, projectFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return remoteName(gitConfig(dir)), nil
	case errors.Is(err, fs.ErrPermission):
		return "", nil // it cannot be ours
	case err != nil || more:
		return "", memory.Errorf(memory.CodeInvalidArgument, "%s is not a plain file of up to %d bytes in its directory", path, maxForeign).
			WithHint("remove it, or say --project NAME")
	}
	return namedProject(path, text)
}

// namedProject reads the line of a [projectFile] that names the project. Only
// this line is YAML to us: the rest may be what takes a parser minutes. What
// the file says is in no error, it may be another file's text.
func namedProject(path string, text []byte) (string, error) {
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\uFEFF")) {
		value, ok := strings.CutPrefix(line, "project:")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		var file struct {
			Project string `yaml:"project"`
		}
		unreadable := len(value) > 4*memory.MaxNameBytes || value != "" && strings.ContainsAny(value[:1], "[{&*!|>") ||
			yaml.Unmarshal([]byte("project: "+value), &file) != nil
		name, err := memory.NormalProject(file.Project)
		if unreadable || err != nil {
			return "", memory.Errorf(memory.CodeInvalidArgument, "%s is not valid YAML, or its project is not a name", path).
				WithHint("write a line such as project: my-project")
		}
		if name == memory.AllProjects {
			return "", memory.Errorf(memory.CodeInvalidArgument, "%s names all projects, which a directory may not", path).
				WithHint("write a line such as project: my-project, or say --project '*'")
		}
		if name != "" {
			return name, nil
		}
	}
	return "", memory.Errorf(memory.CodeInvalidArgument, "%s names no project", path).WithHint("write a line such as project: my-project")
}

// gitConfig returns the config of the repository to which the .git of a
// directory belongs: a directory, or in a worktree a file that points into the
// main repository. A config that is longer than [maxForeign] is cut: remotes
// stand at its beginning. It is empty if there is none that can be read.
func gitConfig(dir string) string {
	read := func(dir, name string) (string, bool) {
		text, _, err := readForeign(dir, name)
		return string(text), err == nil
	}
	pointer, isFile := read(dir, ".git")
	if !isFile {
		text, _ := read(dir, ".git/config")
		return text
	}
	gitDir, ok := strings.CutPrefix(strings.TrimSpace(pointer), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(dir, gitDir)
	}
	if common, ok := read(gitDir, "commondir"); ok {
		shared := strings.TrimSpace(common)
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(gitDir, shared)
		}
		gitDir = shared
	}
	text, _ := read(gitDir, "config")
	return text
}

// remoteName returns owner/name of the remote origin in a config, else of the
// first one.
func remoteName(config string) string {
	section, first := "", ""
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.TrimSpace(key) != "url" || !strings.HasPrefix(section, "[remote ") {
			continue
		}
		name := ownerAndName(strings.TrimSpace(value))
		if name == memory.AllProjects || memory.CheckText("project", name, memory.MaxNameBytes) != nil {
			continue // no name of a project
		}
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
