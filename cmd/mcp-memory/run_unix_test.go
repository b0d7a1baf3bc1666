//go:build unix

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// A reader that has enough, as head, is no reason to complain.
func TestPipeIsClosed(t *testing.T) {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out.Close()
	defer in.Close()
	var stderr bytes.Buffer
	m := newMachine(t)
	p := Program{
		Args: []string{"licenses"}, Stdin: strings.NewReader(""), Stdout: in, Stderr: &stderr,
		Env: func(name string) string { return m.env[name] },
	}
	if code := p.Run(t.Context()); code != exitFailed || stderr.Len() > 0 {
		t.Errorf("exit %d, stderr %q", code, &stderr)
	}
}
