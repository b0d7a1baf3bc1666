// Command generate writes internal/licenses/licenses.txt.gz, from the module
// cache. Run it from the module's top after a dependency has changed; with
// --check it only compares.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcp-memory/internal/licenses"
)

// file is what is generated, relative to the module's top.
const file = "internal/licenses/licenses.txt.gz"

// program is the program whose dependencies are listed.
const program = "./cmd/mcp-memory"

// builds are the platforms and build tags that link different modules.
var builds = func() (all []build) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, tags := range []string{"", "ncruces", "otel"} {
			all = append(all, build{system, tags})
		}
	}
	return all
}()

type build struct{ system, tags string }

// without are the texts for modules that carry no licence file.
var without = map[string]string{
	"github.com/asg017/sqlite-vec-go-bindings": "The module carries no licence. It is a binding of sqlite-vec (https://github.com/asg017/sqlite-vec), which is\n" +
		"Copyright (c) 2024 Alex Garcia, under the MIT licence or the Apache licence 2.0.",
	"github.com/santhosh-tekuri/jsonschema/v6": "Only names of the module are in the program (third_party/README.md); what is behind them is part of this project.",
}

func main() {
	check := flag.Bool("check", false, "only compare the file with what would be written")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	var all []module
	for _, b := range builds {
		linked, err := linkedModules(".", b)
		if err != nil {
			return err
		}
		all = append(all, linked...)
	}
	text, err := collect(all)
	if err != nil {
		return err
	}
	if check {
		if text != licenses.Text() {
			return fmt.Errorf("%s is not what `go run ./internal/licenses/generate` writes", file)
		}
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(text)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.FromSlash(file), out.Bytes(), 0o644)
}

// module is a module of which a package is linked, or a package of this project with a licence of
// its own.
type module struct {
	name     string // path and version
	dir      string // its directory
	packages []string
}

// linkedModules returns the modules whose packages a build links. top is the module's top directory
// or one below.
func linkedModules(top string, b build) ([]module, error) {
	cmd := exec.Command("go", "list", "-tags", b.tags, "-deps", "-f",
		"{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}\t{{.Main}}{{end}}", program)
	cmd.Dir, cmd.Stderr = top, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+b.system, "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules for %s, tags %q: %w", b.system, b.tags, err)
	}
	byName := map[string]*module{}
	var order []string
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 {
			continue
		}
		if f[4] == "true" {
			// A package of this project has a licence file of its own if it is made from others'
			// work.
			if _, err := os.Stat(filepath.Join(f[3], "LICENSE")); err == nil {
				name := filepath.ToSlash(strings.TrimPrefix(f[3], f[2]+string(filepath.Separator)))
				byName[name], order = &module{name: name, dir: f[3]}, append(order, name)
			}
			continue
		}
		name := f[0] + " " + f[1]
		m := byName[name]
		if m == nil {
			m = &module{name: name, dir: f[2]}
			byName[name], order = m, append(order, name)
		}
		m.packages = append(m.packages, f[3])
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	modules := []module{{name: "Go's standard library", dir: strings.TrimSpace(string(root))}}
	for _, name := range order {
		modules = append(modules, *byName[name])
	}
	return modules, nil
}

// collect returns the texts of all licences, without repeats, each with the names of the modules
// under it.
func collect(modules []module) (string, error) {
	users := map[string][]string{}
	for _, m := range modules {
		texts, err := m.licences()
		if err != nil {
			return "", err
		}
		for _, text := range texts {
			if !slices.Contains(users[text], m.name) {
				users[text] = append(users[text], m.name)
			}
		}
	}
	var texts []string
	for text, names := range users {
		slices.Sort(names)
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(slices.Compare(users[a], users[b]), cmp.Compare(a, b)) })
	var b strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", strings.Repeat("=", 80), strings.Join(users[text], "\n"), text)
	}
	return b.String(), nil
}

// licence matches the names of files with licences and notices.
var licence = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|copyright|patents)([-._].*)?$`)

// licences returns the licence texts of a module: those in its top directory, and those in the
// directories of linked packages and above them.
func (m module) licences() (texts []string, err error) {
	dirs := map[string]bool{m.dir: true}
	for _, dir := range m.packages {
		for ; strings.HasPrefix(dir, m.dir) && !dirs[dir]; dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
	}
	for dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !licence.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			texts = append(texts, tidy(string(text)))
		}
	}
	if name, _, _ := strings.Cut(m.name, " "); len(texts) == 0 {
		known, ok := without[name]
		if !ok {
			return nil, fmt.Errorf("%s has no licence: see what it is under, and name it in `without`", m.name)
		}
		texts = append(texts, known)
	}
	return texts, nil
}

// tidy removes differences of white space between copies of the same licence.
func tidy(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		lines = append(lines, strings.TrimRight(line, " \t\r\n\f"))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
