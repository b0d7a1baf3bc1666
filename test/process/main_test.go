//go:build unix

package process

import (
	"fmt"
	"os"
	"testing"

	"mcp-memory/internal/testbinary"
)

// Of all tests: the built binary, and a home directory, which keeps the
// compiled WebAssembly of the other driver.
var (
	binary testbinary.Binary
	home   string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcp-memory-home-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	home = dir
	defer os.RemoveAll(dir)
	defer binary.Remove()
	return m.Run()
}
