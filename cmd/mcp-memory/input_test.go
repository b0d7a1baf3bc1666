package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestInterrupted ends commands that wait for input that does not come.
func TestInterrupted(t *testing.T) {
	m := newMachine(t)
	for args, want := range map[string]ran{
		"save -":      {exitFailed, "", "mcp-memory: interrupted\n"},
		"import -":    {exitFailed, "", "mcp-memory: interrupted\n"},
		"context -":   {exitFailed, "", "mcp-memory: interrupted\n"},
		"memory-tool": {exitDone, "", ""},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := io.Pipe()
		var stdout, stderr bytes.Buffer
		p := Program{
			Args: strings.Fields(args), Stdin: in, Stdout: &stdout, Stderr: &stderr,
			Env: func(name string) string { return m.env[name] }, Clock: m.clock,
		}
		code := make(chan int)
		go func() { code <- p.Run(ctx) }()
		if _, err := out.Write([]byte("\n")); err != nil { // it reads, and waits for more
			t.Fatal(err)
		}
		cancel()
		if got := (ran{<-code, stdout.String(), stderr.String()}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
		out.Close()
	}
}

func TestInputReadsAll(t *testing.T) {
	text := strings.Repeat("a line of text\n", 1000)
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)),
		"end with data": iotest.DataErrReader(strings.NewReader(text))} {
		got, err := io.ReadAll((&Program{Stdin: r}).input(t.Context()))
		if err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}
