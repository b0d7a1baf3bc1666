package hosts

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Machine is the computer, user and project for which hosts are looked up.
type Machine struct {
	OS      string // like runtime.GOOS
	Home    string // the user's home directory
	Project string // root directory of the project for ScopeProject
	Env     func(name string) string
	// Look returns the path of a command, like [exec.LookPath].
	Look func(command string) (string, error)
	// Run runs a command and returns what it wrote to stdout and stderr.
	Run func(ctx context.Context, argv []string) (output string, err error)
}

// place is the path of a file in a form for every system. It begins with one of
//   - ~ for the home directory,
//   - {project} for the project,
//   - {config} for the platform's directory for settings,
//   - {dot} for the same, but ~/.config on macOS,
//   - ${NAME:-place} for the directory that an environment variable names.
//
// A place with the prefix windows| is for Windows only.
type place string

// path returns the path of a place, or "" for an empty one.
func (m Machine) path(p place) string {
	if p == "" {
		return ""
	}
	p = place(strings.TrimPrefix(string(p), onWindows))
	first, rest, _ := strings.Cut(string(p), "/")
	if strings.HasPrefix(string(p), "${") {
		name, fallback, _ := strings.Cut(strings.TrimPrefix(string(p), "${"), ":-")
		fallback, rest, _ = strings.Cut(fallback, "}")
		dir := m.Env(name)
		if !filepath.IsAbs(dir) {
			dir = m.path(place(fallback))
		}
		return filepath.Join(dir, filepath.FromSlash(rest))
	}
	switch first {
	case "~":
		first = m.Home
	case "{project}":
		first = m.Project
	case "{config}":
		first = m.config()
	case "{dot}":
		first = m.dotConfig()
	}
	return filepath.Join(first, filepath.FromSlash(rest))
}

// config returns the platform's directory for settings of programs.
func (m Machine) config() string {
	if m.OS == "darwin" {
		return filepath.Join(m.Home, "Library", "Application Support")
	}
	return m.dotConfig()
}

// dotConfig returns the directory for settings of programs that use ~/.config
// on macOS, too.
func (m Machine) dotConfig() string {
	if m.OS == "windows" {
		if dir := m.Env("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(m.Home, "AppData", "Roaming")
	}
	if dir := m.Env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(m.Home, ".config")
}

const onWindows = "windows|"

// spot returns the place of a file of a scope.
func (m Machine) spot(scope Scope, path string) spot {
	if scope == ScopeProject {
		return spot{path, m.Project}
	}
	return spot{path: path}
}

// choose returns the path of the first place whose file exists, else of the
// first whose directory exists, else of the first.
func (m Machine) choose(all []place) string {
	places := slices.DeleteFunc(slices.Clone(all), func(p place) bool {
		return m.OS != "windows" && strings.HasPrefix(string(p), onWindows)
	})
	for _, p := range places {
		if _, err := os.Stat(m.path(p)); err == nil {
			return m.path(p)
		}
	}
	for _, p := range places {
		if info, err := os.Stat(filepath.Dir(m.path(p))); err == nil && info.IsDir() {
			return m.path(p)
		}
	}
	if len(places) == 0 {
		return ""
	}
	return m.path(places[0])
}

// program is how the name of this program's file begins.
const program = "mcp-memory"

// isProgram reports whether a command starts this program.
func isProgram(command string) bool {
	return strings.HasPrefix(path.Base(strings.ReplaceAll(command, `\`, "/")), program)
}

// shellLine returns a command line for the shell: for sh, and on Windows for
// PowerShell, cmd and Git's bash.
func (m Machine) shellLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if m.OS == "windows" {
			word = strings.ReplaceAll(word, `\`, "/")
		}
		words[i] = m.shellWord(word)
	}
	return strings.Join(words, " ")
}

func (m Machine) shellWord(word string) string {
	safe := word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:=@,", r))
	}) < 0
	switch {
	case safe:
		return word
	case m.OS == "windows":
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// shellWords splits a command line as [Machine.shellLine] or people write it
// into words.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case quote == 0 && r == '\\' && !strings.Contains(line, `:\`): // not in Windows paths
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}
