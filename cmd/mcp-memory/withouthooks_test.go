package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWithoutHooks: in a host without hooks the model is asked to report, and what it reported
// is remembered once nothing more comes.
func TestWithoutHooks(t *testing.T) {
	m := newMachine(t)
	report := `"method":"tools/call","params":{"name":"context_append","arguments":{"session_id":"kitchen","messages":[{"role":"user","content":"We decided to release on Tuesdays."}]}}`
	for tools, asked := range map[string]bool{"core": false, "core,context,learning": true} {
		if text := string(m.answers([]string{report}, "serve", "--tools", tools)[0]); strings.Contains(text, "context_append") != asked {
			t.Errorf("with %s: %s", tools, text)
		}
	}
	released := func() bool { return strings.Contains(m.ok("list"), "release on Tuesdays") }
	if released() {
		t.Fatal("it was remembered at once")
	}
	host, in := io.Pipe()
	server := &Program{Args: []string{"serve"}, Stdin: host, Stdout: io.Discard, Stderr: io.Discard,
		Env: func(name string) string { return m.env[name] }, Clock: func() time.Time { return someDay.Add(time.Hour) }}
	ended := make(chan int, 1)
	go func() { ended <- server.Run(context.WithoutCancel(t.Context())) }()
	t.Cleanup(func() { in.Close(); <-ended })
	for range 300 {
		if released() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("it is never remembered")
}

// TestInstallWithoutHooks writes the tools into the host's entry, unless somebody chose others.
func TestInstallWithoutHooks(t *testing.T) {
	for name, c := range map[string]struct {
		host, args, config string
		want               bool
	}{
		"no hooks":       {"claude-desktop", "", "", true},
		"others chosen":  {"claude-desktop", "--tools core,todo", "", false},
		"others set":     {"claude-desktop", "", "tools: core,todo\n", false},
		"hooks":          {"cursor", "", "", false},
		"another's hook": {"vscode", "", "", false},
	} {
		m := newMachine(t)
		t.Setenv("PATH", t.TempDir())
		if c.config != "" {
			write(t, filepath.Join(m.dataDir(), "config.yaml"), c.config)
		}
		out := m.run("", append([]string{"install", c.host}, strings.Fields(c.args)...)...)
		written := false
		filepath.WalkDir(m.home, func(path string, entry os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".json") {
				text, _ := os.ReadFile(path)
				written = written || strings.Contains(string(text), "core,context,learning")
			}
			return nil
		})
		if out.code != exitDone || written != c.want || strings.Contains(out.stdout, "let the model report") != c.want {
			t.Errorf("%s: written %t, %+v", name, written, out)
		}
	}
}
