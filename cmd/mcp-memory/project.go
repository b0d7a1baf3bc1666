package main

import (
	"cmp"
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

// projectFile is a file that names the project of its directory and of all directories below.
const projectFile = ".mcp-memory.yaml"

// projectTime is how long a start waits for the project of the working directory.
const projectTime = 200 * time.Millisecond

// place is the project of a directory.
type place struct {
	name string // name of the project, "" for none
	root string // the repository that gives the name, "" if none does
}

// localOwner precedes the name of a repository without a remote.
const localOwner = "local/"

// local reports whether the project is a repository without a remote.
func (p place) local() bool { return p.root != "" && p.name == localName(p.root) }

// localName returns the project of a repository without a remote.
func localName(root string) string { return localOwner + strings.ToLower(filepath.Base(root)) }

// findProjectInTime is [findProject] with a timeout, because the directory may be on a disk that
// does not answer. Then the error is [memory.CodeUnavailable]. To save as global instead would be
// wrong.
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

// findProject returns the project of a working directory: that of the nearest .mcp-memory.yaml, from
// there up the tree. Without one it is the owner/name of the nearest repository with a remote, so
// worktrees of a repository are one project, else local/ and the name of the nearest repository's
// directory, or none. The home directory is never a project, because a file or repository there
// would apply to everything below it.
func findProject(dir, home string) (place, error) {
	house, _ := os.Stat(home) // nil if there is no home directory
	var remote, local place   // the nearest repository with a remote, and without one
	for {
		if here, err := os.Stat(dir); err == nil && house != nil && os.SameFile(here, house) {
			break
		}
		at, err := projectOf(dir)
		switch {
		case err != nil || at.name != "" && at.root == "":
			return at, err
		case at.local():
			local = cmp.Or(local, at)
		default:
			remote = cmp.Or(remote, at)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return cmp.Or(remote, local), nil
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
		return place{}, nil // it belongs to somebody else
	case err != nil || more:
		return place{}, memory.Errorf(memory.CodeInvalidArgument, "%s is not a plain file of up to %d bytes in its directory", path,
			maxForeign).
			WithHint("remove it, or say --project NAME")
	}
	name, err := namedProject(path, text)
	return place{name: name}, err
}

// namedProject returns the project that a [projectFile] names. Only the line with the name is
// parsed as YAML, because a malicious file could take a parser minutes. Errors do not quote the
// file, because a link could make it any other file.
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

// gitConfig returns the git config of the repository that the .git of a directory belongs to, and
// the directory of that repository. .git is a directory, or in a worktree a file that points into
// the main repository. A config longer than [maxForeign] is cut, which keeps the remotes at its
// beginning. Both are "" if no config can be read.
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

// remoteName returns owner/name of the remote origin in a config, or of the first remote if there
// is no origin.
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
			continue // not a valid name for a project
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

// ownerAndName returns the last two parts of a remote's address in any form:
// https://host/owner/name.git, git@host:owner/name, /path/owner/name.
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
