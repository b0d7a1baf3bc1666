// Command demo compiles the program, shows its progress, and runs its demo. `go run
// ./cmd/mcp-memory demo` does the same, but prints nothing while it compiles, which takes minutes
// the first time.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"
)

// slow are the packages that take long to compile, with the reason.
var slow = map[string]string{
	"modernc.org/sqlite/lib": "SQLite, translated to Go: the longest",
	"modernc.org/libc":       "the C library that SQLite needs",
}

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

// run compiles the program into a temporary directory, runs its demo, and returns the exit code of
// that.
func run(args []string) (code int, err error) {
	dir, err := os.MkdirTemp("", "mcp-memory-compiled-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program := filepath.Join(dir, "mcp-memory")
	if os.PathSeparator == '\\' {
		program += ".exe"
	}
	if err := compile(program); err != nil {
		return 0, err
	}
	demo := exec.Command(program, append([]string{"demo"}, args...)...)
	demo.Stdin, demo.Stdout, demo.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := demo.Run(); demo.ProcessState == nil {
		return 0, err
	}
	return demo.ProcessState.ExitCode(), nil
}

// compile builds the program and shows the progress.
func compile(program string) error {
	started := time.Now()
	fmt.Fprintln(os.Stderr,
		"Compiling mcp-memory: the first time some minutes, SQLite is part of it; later seconds. A package needs no compiler.")
	build := exec.Command("go", "build", "-v", "-o", program, "./cmd/mcp-memory")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	lines, err := build.StderrPipe()
	if err != nil {
		return err
	}
	if err := build.Start(); err != nil {
		return fmt.Errorf("%w: is Go installed, and this the top of the repository?", err)
	}
	others := follow(lines, os.Stderr, term.IsTerminal(int(os.Stderr.Fd())), started)
	if err := build.Wait(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, strings.Join(others, "\n"))
	}
	fmt.Fprintf(os.Stderr, "Compiled in %s.\n\n", time.Since(started).Round(time.Second))
	return nil
}

// follow reads the compiler's output, which has a line for each package that it begins with. On a
// terminal it shows how many they are, else only those that take long. It returns the lines that
// are no packages, such as errors.
func follow(lines io.Reader, out io.Writer, terminal bool, started time.Time) (others []string) {
	count := 0
	for scanner := bufio.NewScanner(lines); scanner.Scan(); {
		line := scanner.Text()
		if strings.ContainsAny(line, " \t:") || line == "" {
			others = append(others, line)
			if strings.HasPrefix(line, "go: downloading ") {
				fmt.Fprintln(out, line)
			}
			continue
		}
		count++
		note := ""
		if why := slow[line]; why != "" {
			note = " (" + why + ")"
		}
		switch {
		case terminal:
			fmt.Fprintf(out, "\r\x1b[K  %d packages, %s: %s%s", count, time.Since(started).Round(time.Second), line, note)
		case note != "":
			fmt.Fprintf(out, "  %s%s\n", line, note)
		}
	}
	if terminal && count > 0 {
		fmt.Fprint(out, "\r\x1b[K")
	}
	return others
}
