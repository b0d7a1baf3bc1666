//go:build unix

package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Of all tests: the built binary, and a home directory, which keeps the
// compiled WebAssembly of the other driver.
var binary, home string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcp-memory-process-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary, home = filepath.Join(dir, "mcp-memory"), filepath.Join(dir, "home")
	build := exec.Command("go", "build", "-tags", os.Getenv("MCP_MEMORY_TEST_TAGS"), "-o", binary, "mcp-memory/cmd/mcp-memory")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	// One test starts the binary as somebody else.
	for _, err := range []error{build.Run(), os.Mkdir(home, 0o700), os.Chmod(dir, 0o755)} {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}
