package passages

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// Bounds of what is read. A vault of ten years has some thousands of notes.
const (
	maxFiles = 20_000
	maxFile  = 1 << 20
	maxTotal = 200 << 20
	maxDepth = 32
)

// root is a folder and what of it is read.
type root struct {
	path    string
	rows    *rows    // of a workspace in a database, which has no path
	prefix  string   // of the names that are shown, with a slash at its end
	pattern []string // of names below it, by folders; "**" is any number of them. nil is all text files
	own     bool     // a workspace: its names are shown as they are from there
}

// found is a file that a walk came by.
type found struct {
	root *root
	name string // below the root, with slashes
	info fs.FileInfo
}

// shown is the name by which a result is known: below the workspace, else in full.
func (f found) shown() string {
	if f.root.own {
		return f.root.prefix + f.name
	}
	return filepath.Join(f.root.path, filepath.FromSlash(f.name))
}

// textual are the endings of files that are text whatever a pattern says.
var textual = []string{".md", ".markdown", ".txt"}

// CheckPattern returns [memory.CodeInvalidArgument] for a pattern of a setting that
// can mean no file: one that is not a full path, or has a bracket without an end.
func CheckPattern(pattern string) error {
	wrong := memory.Errorf(memory.CodeInvalidArgument, "%q is no pattern of files", pattern).
		WithHint("a full path with *, ** and ?, such as ~/notes/**/*.md")
	if !filepath.IsAbs(pattern) || !utf8.ValidString(pattern) {
		return wrong
	}
	for name := range strings.SplitSeq(filepath.ToSlash(pattern), "/") {
		if _, err := path.Match(name, ""); err != nil {
			return wrong
		}
	}
	return nil
}

// rootOf is what a pattern names: the folder before its first wildcard, and the
// rest. A pattern without one is a folder or a file.
func rootOf(pattern string) *root {
	names := strings.Split(strings.TrimRight(filepath.ToSlash(pattern), "/"), "/")
	n := slices.IndexFunc(names, func(name string) bool { return strings.ContainsAny(name, `*?[\`) })
	if n < 0 {
		if info, err := os.Stat(pattern); err != nil || info.IsDir() {
			return &root{path: pattern}
		}
		n = len(names) - 1
	}
	return &root{path: filepath.FromSlash(strings.Join(names[:n], "/") + "/"), pattern: names[n:]}
}

// walk lists the files of some roots in order, and how many were left out because
// of the bounds. Links are not followed, except that a root may be one; hidden
// names, and folders that hold what programs fetched, are passed by. What may not be
// read is passed by as well.
func walk(ctx context.Context, roots []*root) (list []found, left int) {
	total := int64(0)
	take := func(f found) {
		if f.info.Size() > maxFile || len(list) >= maxFiles || total+f.info.Size() > maxTotal {
			left++
			return
		}
		total += f.info.Size()
		list = append(list, f)
	}
	var inside func(r *root, folder string, depth int)
	inside = func(r *root, folder string, depth int) {
		entries, err := os.ReadDir(filepath.Join(r.path, filepath.FromSlash(folder)))
		if err != nil || ctx.Err() != nil {
			return
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), ".") || !utf8.ValidString(e.Name()):
			case e.IsDir():
				if e.Name() != "node_modules" && depth < maxDepth && mayHold(r.pattern, name) {
					inside(r, name, depth+1)
				}
			case e.Type().IsRegular() && r.wants(name):
				info, err := e.Info()
				if err != nil || !info.Mode().IsRegular() {
					continue
				}
				take(found{r, name, info})
			}
		}
	}
	for _, r := range roots {
		if r.rows == nil {
			inside(r, ".", 0)
			continue
		}
		for _, f := range r.rows.list(ctx) {
			if r.wants(f.Name) {
				take(found{r, f.Name, workspace.InfoOf(f)})
			}
		}
	}
	return list, left
}

// wants reports whether a file of the root is read.
func (r *root) wants(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	switch {
	case r.own && strings.Contains(path.Base(name), workspace.ConflictMark):
		return false
	case r.own && strings.HasPrefix(name, workspace.MemoriesFolder+"/"):
		return true // an agent chose the name; what is no text has no passages
	case r.pattern == nil:
		return slices.Contains(textual, ending)
	case !matches(r.pattern, strings.Split(name, "/")):
		return false
	}
	// A pattern that ends in a wildcard does not mean pictures.
	wanted := path.Ext(r.pattern[len(r.pattern)-1])
	return wanted != "" && !strings.ContainsAny(wanted, "*?[") || slices.Contains(textual, ending)
}

// matches compares names from the outermost folder on.
func matches(pattern, names []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(names) + 1 {
				if matches(pattern[1:], names[i:]) {
					return true
				}
			}
			return false
		}
		if len(names) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], names[0]); err != nil || !ok {
			return false
		}
		pattern, names = pattern[1:], names[1:]
	}
	return len(names) == 0
}

// mayHold reports whether a folder can hold what a pattern means.
func mayHold(pattern []string, folder string) bool {
	if pattern == nil {
		return true
	}
	for i, name := range strings.Split(folder, "/") {
		if i >= len(pattern)-1 {
			return pattern[min(i, len(pattern)-1)] == "**"
		}
		if pattern[i] == "**" {
			return true
		}
		if ok, err := path.Match(pattern[i], name); err != nil || !ok {
			return false
		}
	}
	return true
}
