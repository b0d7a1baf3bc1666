// Package testbinary builds the program for tests and measurements that start it as a process.
//
// Go's test cache knows which files of the module a test opened, but not what a compiler that it
// started has read. So after a change of the sources it would return the old result. Therefore a
// test gets the binary from [Binary.Path], which opens the directories of the sources too. That has
// to happen while tests run: what TestMain opens before [testing.M.Run] is not recorded.
package testbinary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// program is the package that is built.
const program = "mcp-memory/cmd/mcp-memory"

// Binary is the program, built when a test first asks for it. The zero value is ready for use.
type Binary struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// Path returns the path of the binary, which other users may execute too. The build tags are those
// of the first call. It fails the test if the program cannot be built.
func (b *Binary) Path(t testing.TB, tags string) string {
	t.Helper()
	b.once.Do(func() { b.err = b.build(tags) })
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}

// Remove deletes the binary, if one was built. TestMain calls it at the end.
func (b *Binary) Remove() error { return os.RemoveAll(b.dir) }

func (b *Binary) build(tags string) (err error) {
	if err := openSources(tags); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "mcp-memory-binary-"); err != nil {
		return err
	}
	if err := os.Chmod(b.dir, 0o755); err != nil {
		return err
	}
	b.path, err = Build(context.Background(), b.dir, tags)
	return err
}

// Build compiles the program as for a release, with build tags separated by commas, and returns the
// path of the binary in dir. The working directory has to be in the module.
//
// Most of that is to link it, which `go build` does anew each time. `go run` links once and keeps the
// program in Go's cache, by all that it is made from: what is run on it here is to copy it.
func Build(ctx context.Context, dir, tags string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, "mcp-memory"))
	if err != nil {
		return "", err
	}
	made := []string{"-ldflags", "-s -w", "-tags", tags}
	build := exec.CommandContext(ctx, "go", slices.Concat([]string{"run", "-exec", "cp"}, made, []string{program, path})...)
	if runtime.GOOS == "windows" { // it has no program that copies
		path += ".exe"
		build = exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", path}, made, []string{program})...)
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build mcp-memory: %w\n%s", err, out)
	}
	return path, nil
}

// sources is a template for `go list` that prints, for each package outside of the standard
// library, its module's go.mod, its directory, and the files that it embeds, which may be in
// directories below.
const sources = `{{if not .Standard}}{{with .Module}}{{.GoMod}}
{{end}}{{.Dir}}
{{$dir := .Dir}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{end}}`

// openSources opens what the program is built from. Of an opened directory the test cache records
// the size and time of every file.
func openSources(tags string) error {
	paths, err := sourcePaths(tags)
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// sourcePaths returns go.mod, go.sum and the directories of what is compiled and embedded, as far
// as they are in this module, with its patched copies of other modules. The directory of go.mod
// itself is left out, since git changes it all the time. What is outside cannot change without a
// change of go.mod.
func sourcePaths(tags string) ([]string, error) {
	mod, err := output("env", "GOMOD")
	if err != nil {
		return nil, err
	}
	lines, err := output("list", "-deps", "-tags", tags, "-f", sources, program)
	if err != nil {
		return nil, err
	}
	top := filepath.Dir(mod[0])
	paths := []string{filepath.Join(top, "go.sum")}
	for _, path := range lines {
		path = filepath.Clean(path)
		if !strings.HasPrefix(path, top+string(filepath.Separator)) {
			continue
		}
		info, err := os.Lstat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() && filepath.Base(path) != "go.mod" {
			path = filepath.Dir(path)
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// output returns the lines that the go command prints.
func output(args ...string) ([]string, error) {
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w\n%s", err, failed.Stderr)
		}
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' || r == '\r' }), nil
}
