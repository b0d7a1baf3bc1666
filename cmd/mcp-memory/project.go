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

// place is a project that a directory belongs to.
type place struct {
	name string // of the project; empty for none
	root string // the repository that names it, "" if none does
}

// localOwner stands before the name of a repository without a remote.
const localOwner = "local/"

// local reports whether the project is a repository without a remote.
func (p place) local() bool { return p.root != "" && p.name == localName(p.root) }

// localName is the project of a repository as long as it has no remote.
func localName(root string) string { return localOwner + strings.ToLower(filepath.Base(root)) }

// findProjectInTime is [findProject] of a directory that may lie on a disk that
// does not answer: then the error is [memory.CodeUnavailable]. What is global to
// all projects would be the wrong guess.
func findProjectInTime(dir, home string) (place, error) {
	type answer struct {
		place
		err error
	}
	found := make(chan answer, 1)
	go func() {
		at, err := findProject(dir, home)
		found <- answer{at, err}
	}()
	select {
	case a := <-found:
		return a.place, a.err
	case <-time.After(projectTime):
		return place{}, memory.Errorf(memory.CodeUnavailable, "the project of the working directory cannot be found in time").
			WithHint("say --project NAME, or --project '' for none")
	}
}

// findProject resolves the project of a working directory: a .mcp-memory.yaml
// up the tree, else the owner/name of the git remote (worktrees of one
// repository are one project), else local/ and the name of the repository's directory, else
// none. The home directory itself is never a project: a file or repository there would
// swallow everything below.
func findProject(dir, home string) (place, error) {
	house, _ := os.Stat(home) // nil if there is none
	var local place           // the nearest repository without a remote
	for {
		if here, err := os.Stat(dir); err == nil && house != nil && os.SameFile(here, house) {
			return local, nil
		}
		at, err := projectOf(dir)
		if err != nil || at.name != "" && !at.local() {
			return at, err
		}
		if local.name == "" {
			local = at
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return local, nil
		}
		dir = parent
	}
}

func projectOf(dir string) (place, error) {
	path := filepath.Join(dir, projectFile)
	text, more, err := readForeign(dir, projectFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		config, root := gitConfig(dir)
		if name := remoteName(config); name != "" {
			return place{name, root}, nil
		}
		if name := localName(root); root != "" && memory.CheckText("project", name, memory.MaxNameBytes) == nil {
			return place{name, root}, nil
		}
		return place{}, nil
	case errors.Is(err, fs.ErrPermission):
		return place{}, nil // it cannot be ours
	case err != nil || more:
		return place{}, memory.Errorf(memory.CodeInvalidArgument, "%s is not a plain file of up to %d bytes in its directory", path,
			maxForeign).
			WithHint("remove it, or say --project NAME")
	}
	name, err := namedProject(path, text)
	return place{name: name}, err
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
// directory belongs, and the directory of the repository: .git is a directory, or in a worktree
// a file that points into the main repository. A config that is longer than [maxForeign] is cut:
// remotes stand at its beginning. Both are empty if there is none that can be read.
func gitConfig(dir string) (config, root string) {
	read := func(dir, name string) (string, bool) {
		text, _, err := readForeign(dir, name)
		return string(text), err == nil
	}
	pointer, isFile := read(dir, ".git")
	if !isFile {
		if config, _ = read(dir, ".git/config"); strings.TrimSpace(config) == "" {
			return "", ""
		}
		return config, dir
	}
	gitDir, ok := strings.CutPrefix(strings.TrimSpace(pointer), "gitdir: ")
	if !ok {
		return "", ""
	}
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(dir, gitDir)
	}
	root = dir
	if common, ok := read(gitDir, "commondir"); ok {
		shared := strings.TrimSpace(common)
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(gitDir, shared)
		}
		if gitDir = filepath.Clean(shared); filepath.Base(gitDir) == ".git" {
			root = filepath.Dir(gitDir)
		}
	}
	if config, _ = read(gitDir, "config"); strings.TrimSpace(config) == "" {
		return "", ""
	}
	return config, root
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
