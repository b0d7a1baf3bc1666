// Command mcp-memory gives AI agents a memory that outlives the context
// window: an MCP server, and a command line over the same memory.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // calendars need time zones, which not every system has
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // see keepHeapSmall
	}
	// Writing to a host that hung up must not kill the process before its calls are done.
	signal.Ignore(syscall.SIGPIPE)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // it is ignored under nohup
		ends = append(ends, syscall.SIGHUP) // the terminal was closed
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	program := Program{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv,
	}
	code := program.Run(ctx)
	stop()
	os.Exit(code)
}
