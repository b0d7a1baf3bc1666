//go:build unix

package process

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"mcp-memory/internal/testbinary"
	"mcp-memory/test/ramdisk"
)

// Of all tests: the built binary, and a home directory, which keeps the
// compiled WebAssembly of the other driver.
var (
	binary testbinary.Binary
	home   string
)

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == answering {
		os.Exit(answerByScript(os.Args[2], os.Args[3], os.Args[4]))
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ramdisk.Use()
	dir, err := os.MkdirTemp("", "mcp-memory-home-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	home = dir
	defer os.RemoveAll(dir)
	defer binary.Remove()
	// Under nohup the signal is ignored, and so it would be by each server that is
	// started: one that is heard here is not passed on as ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	if err := beside(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// beside lets more tests run at once than there are processors, unless -parallel says how many: half
// of their time they wait for what the program does in its own time.
func beside() error {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
}
