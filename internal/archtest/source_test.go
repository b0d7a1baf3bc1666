package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// source is a parsed file of the tree, whatever its build tags.
type source struct {
	path  string // slash-separated, from the module's directory
	test  bool
	lines int
	set   *token.FileSet
	file  *ast.File
	text  []string // its lines
}

// dir is the file's package path inside the module.
func (s source) dir() string {
	dir := filepath.ToSlash(filepath.Dir(s.path))
	return strings.TrimPrefix(dir, ".")
}

// at is where something stands, for a message.
func (s source) at(p token.Pos) string {
	return s.path + ":" + strconv.Itoa(s.set.Position(p).Line)
}

// sources parses every Go file below the module's directory.
func sources(t *testing.T) []source {
	t.Helper()
	top := root(t)
	var all []source
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "third_party"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		s := source{test: strings.HasSuffix(path, "_test.go"), set: token.NewFileSet()}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if s.file, err = parser.ParseFile(s.set, path, text, parser.ParseComments); err != nil {
			return err
		}
		s.text = strings.Split(string(text), "\n")
		rel, err := filepath.Rel(top, path)
		s.path, s.lines = filepath.ToSlash(rel), s.set.File(s.file.Pos()).LineCount()
		all = append(all, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSource runs every rule about source text over every file.
func TestSource(t *testing.T) {
	all := sources(t)
	for _, r := range []struct {
		name  string
		tests bool // test files too
		check func(t *testing.T, s source)
	}{
		{"file length", false, fileLength},
		{"function length", false, functionLength},
		{"line length", false, lineLength},
		{"no init", true, noInit},
		{"process", false, noProcess},
		{"opening", false, noOpening},
		{"documented", false, documented},
	} {
		t.Run(r.name, func(t *testing.T) {
			for _, s := range all {
				if r.tests || !s.test {
					r.check(t, s)
				}
			}
		})
	}
	t.Run("package comment", func(t *testing.T) { packageComments(t, all) })
	t.Run("hints for both", func(t *testing.T) { hintsForBoth(t, all) })
}

func fileLength(t *testing.T, s source) {
	if s.lines > maxFileLines {
		t.Errorf("%s has %d lines, more than %d: split it by what it does", s.path, s.lines, maxFileLines)
	}
}

func functionLength(t *testing.T, s source) {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
		if lines > maxFunctionLines {
			t.Errorf("%s: %s has %d lines, more than %d: split it", s.at(f.Pos()), f.Name.Name, lines, maxFunctionLines)
		}
	}
}

// lineLength looks for lines that are too wide, but for those that a literal alone makes so: a sentence, a pattern.
func lineLength(t *testing.T, s source) {
	quoted := map[int]int{} // width of the widest literal, by line
	ast.Inspect(s.file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok {
			first := s.set.Position(literal.Pos()).Line
			for i, line := range strings.Split(literal.Value, "\n") {
				quoted[first+i] = max(quoted[first+i], width(line))
			}
		}
		return true
	})
	for i, line := range s.text {
		if w := width(line); w > maxLineWidth && quoted[i+1] < w/2 {
			t.Errorf("%s:%d has %d columns, more than %d: break it", s.path, i+1, w, maxLineWidth)
		}
	}
}

// width is the columns of a line whose tabs are four.
func width(line string) int { return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t") }

func noInit(t *testing.T, s source) {
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			t.Errorf("%s: init hides what a program does; call a function from where it is needed", s.at(f.Pos()))
		}
	}
}

// noProcess looks for what only main may do.
func noProcess(t *testing.T, s source) {
	if !fits(s.dir(), hostPrograms) {
		s.uses(t, processNames, func(at, name string) {
			t.Errorf("%s: %s belongs to cmd: pass the value in, or return an error", at, name)
		})
	}
}

// noOpening looks for files that are opened whatever they are.
func noOpening(t *testing.T, s source) {
	if fits(s.dir(), forTests) {
		return
	}
	for path := s.path; path != "."; path = filepath.ToSlash(filepath.Dir(path)) {
		if openers[path] != "" {
			return
		}
	}
	s.uses(t, openNames, func(at, name string) {
		t.Errorf("%s: %s opens whatever is there: use internal/plainfile", at, name)
	})
}

// uses calls found for every use of some names of packages, with where it is and what it says.
func (s source) uses(t *testing.T, wanted map[string][]string, found func(at, name string)) {
	names := map[string]string{} // what the file calls an import → its path
	for _, i := range s.file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatalf("%s: %v", s.path, err)
		}
		if i.Name != nil {
			names[i.Name.Name] = path
		} else {
			names[filepath.Base(path)] = path
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && slices.Contains(wanted[names[x.Name]], selector.Sel.Name) {
			found(s.at(n.Pos()), x.Name+"."+selector.Sel.Name)
		}
		return true
	})
}

// packageComments wants one file of each package to say what it is for.
func packageComments(t *testing.T, all []source) {
	commented := map[string]bool{}
	for _, s := range all {
		if !s.test {
			commented[s.dir()] = commented[s.dir()] || s.file.Doc.Text() != ""
		}
	}
	for dir, ok := range commented {
		if !ok {
			t.Errorf("%s has no package comment: tell its idea, in doc.go or its main file", dir)
		}
	}
}
