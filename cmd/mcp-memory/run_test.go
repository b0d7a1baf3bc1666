package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/product"
	"mcp-memory/memory"
)

// machine is a computer with nothing on it but a home directory: what a run of
// the program sees of the world. The working directory of the test is in it.
type machine struct {
	t    *testing.T
	home string
	env  map[string]string
	now  time.Time // zero is [someDay]
}

// someDay is when tests take place that do not care.
var someDay = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// clock goes on by a second with each reading, if the test has set it.
func (m *machine) clock() time.Time {
	if m.now.IsZero() {
		return someDay
	}
	m.now = m.now.Add(time.Second)
	return m.now
}

// newMachine returns one whose settings leave out the sentence encoder, which would read every text
// that a test saves; TestCommandsReadSentences of test/process has it.
func newMachine(t *testing.T) *machine {
	t.Helper()
	home := t.TempDir()
	t.Chdir(t.TempDir())
	return &machine{t: t, home: home,
		env: map[string]string{"HOME": home, "USERPROFILE": home, "XDG_DATA_HOME": filepath.Join(home, "data"),
			"MCP_MEMORY_EMBED_LOCAL": tableName}}
}

// withOwnModel returns a machine that no setting tells which embedding model is used.
func withOwnModel(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	delete(m.env, "MCP_MEMORY_EMBED_LOCAL")
	return m
}

// dataDir is where the machine keeps its data unless a setting says otherwise.
func (m *machine) dataDir() string { return filepath.Join(m.home, "data", "mcp-memory") }

// ran is how a run ended.
type ran struct {
	code           int
	stdout, stderr string
}

// run starts the program, as main does, with text on stdin.
func (m *machine) run(stdin string, args ...string) ran {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	p := Program{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
		Env:   func(name string) string { return m.env[name] },
		Clock: m.clock,
	}
	debug.SetGCPercent(400) // as main does; a server that ran before has made it less
	code := p.Run(context.WithoutCancel(m.t.Context()))
	return ran{code, stdout.String(), stderr.String()}
}

// ok runs a command that has to succeed and says nothing on stderr.
func (m *machine) ok(args ...string) string {
	m.t.Helper()
	r := m.run("", args...)
	if r.code != exitDone || r.stderr != "" {
		m.t.Fatalf("%v: exit %d, stderr %q", args, r.code, r.stderr)
	}
	return r.stdout
}

// read runs a command with --json and reads its result.
func (m *machine) read(out any, args ...string) {
	m.t.Helper()
	if err := json.Unmarshal([]byte(m.ok(append(args, "--json")...)), out); err != nil {
		m.t.Fatalf("%v: %v", args, err)
	}
}

// fails runs a command that has to fail: nothing on stdout, and on stderr
// something that contains want.
func (m *machine) fails(code int, want string, args ...string) {
	m.t.Helper()
	r := m.run("", args...)
	if r.code != code || r.stdout != "" || !strings.Contains(r.stderr, want) || !strings.HasPrefix(r.stderr, "mcp-memory: ") {
		m.t.Errorf("%v: exit %d, stdout %q, stderr %q; want exit %d with %q", args, r.code, r.stdout, r.stderr, code, want)
	}
}

func TestEveryCodeHasAnExitCode(t *testing.T) {
	for _, code := range memory.Codes() {
		if exit := exitCodes[code]; exit != exitFailed && exit != exitUsage {
			t.Errorf("%s exits with %d", code, exit)
		}
	}
	if len(exitCodes) != len(memory.Codes()) {
		t.Error("there are codes that do not exist")
	}
}

func TestRefusedCommandLines(t *testing.T) {
	m := newMachine(t)
	const nowhere = "01900000-0000-7000-8000-000000000000"
	for _, test := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, `unknown command "frob"`, []string{"frob"}},
		{exitUsage, "unknown flag: --frob", []string{"--frob"}},
		{exitUsage, "unknown flag: --frob", []string{"recall", "x", "--frob"}},
		{exitUsage, "unknown flag: --embed-key", []string{"--embed-key", "secret", "stats"}},
		{exitUsage, "flag needs an argument: --agent", []string{"stats", "--agent"}},
		{exitUsage, "QUERY is missing", []string{"recall"}},
		{exitUsage, "QUERY is missing", []string{"search"}},
		{exitUsage, "ID is missing", []string{"get"}},
		{exitUsage, "ID is missing", []string{"update"}},
		{exitUsage, "extra", []string{"version", "extra"}},
		{exitUsage, "extra", []string{"stats", "extra"}},
		{exitUsage, "extra", []string{"serve", "extra"}},
		{exitUsage, "TEXT is empty", []string{"save", " "}},
		{exitUsage, "QUERY is empty", []string{"recall", ""}},
		{exitUsage, "TEXT is empty", []string{"save"}},
		{exitUsage, "TEXT is empty", []string{"save", "-"}},
		{exitUsage, "too_large: content is 33792 bytes", []string{"save", strings.Repeat("x", 33<<10)}},
		{exitUsage, "TEXT is not valid UTF-8", []string{"save", "a\xffb"}},
		{exitUsage, "--tags is not valid UTF-8", []string{"save", "x", "--tags", "a,\xff"}},
		{exitUsage, "QUERY is not valid UTF-8", []string{"recall", "a\xffb"}},
		{exitUsage, "contains a NUL", []string{"save", "a\x00b"}},
		{exitUsage, "importance is 2 (a number from 0 to 1)", []string{"save", "x", "--importance", "2"}},
		{exitUsage, `importance is the string "high"`, []string{"save", "x", "--importance", "high"}},
		{exitUsage, "2026-02-30", []string{"save", "x", "--occurred-at", "2026-02-30"}},
		{exitUsage, "metadata is a list (an object)", []string{"save", "x", "--metadata", "[]"}},
		{exitUsage, "not valid JSON", []string{"save", "x", "--metadata", "{"}},
		{exitUsage, "limit is 0 (an integer from 1 to 100)", []string{"recall", "x", "--limit", "0"}},
		{exitUsage, "limit is 101", []string{"search", "x", "--limit", "101"}},
		{exitUsage, "one of fact", []string{"recall", "x", "--kinds", "facts"}},
		{exitUsage, "nothing to forget is named", []string{"forget"}},
		{exitUsage, "needs confirm", []string{"forget", "x", "--permanent"}},
		{exitFailed, "none of the ids is there", []string{"forget", nowhere}},
		{exitFailed, "nothing to undo", []string{"forget", "--undo", nowhere}},
		{exitFailed, "there is no memory", []string{"update", nowhere, "--content", "x"}},
		{exitFailed, "there is no memory", []string{"save", "x", "--supersedes", nowhere}},
		{exitUsage, `agent "../x" is not a name`, []string{"stats", "--agent", "../x"}},
		{exitUsage, "project", []string{"save", "x", "--project", strings.Repeat("p", 257)}},
		{exitUsage, `no tool or group "diray" (did you mean diary?`, []string{"tools", "--tools", "diray"}},
		{exitUsage, `no tool or group "diray"`, []string{"serve", "--tools", "diray"}},
		{exitUsage, "log.level is", []string{"stats", "--log-level", "loud"}},
		{exitUsage, "log.format is", []string{"stats", "--log-format", "xml"}},
		{exitUsage, "salience.half_life is", []string{"stats", "--salience-half-life", "-1h"}},
		{exitUsage, "embed.timeout is",
			[]string{"stats", "--embed-url", "http://127.0.0.1:1/v1", "--embed-dimensions", "8", "--embed-timeout", "soon"}},
		{exitUsage, "embed.dimensions is", []string{"stats", "--embed-url", "http://127.0.0.1:1/v1", "--embed-dimensions", "many"}},
		{exitUsage, "no model", []string{"stats", "--embed-url", "http://127.0.0.1:1/v1"}},
		{exitUsage, "dimensions", []string{"stats", "--embed-url", "http://127.0.0.1:1/v1", "--embed-model", "m"}},
	} {
		m.fails(test.code, test.want, test.args...)
	}
	var stats memory.Stats
	m.read(&stats, "stats")
	if stats.Records != 0 || stats.Archived != 0 {
		t.Errorf("something was written: %+v", stats)
	}
}

// A command line that cannot be understood points to the help; other mistakes
// have their own hint.
func TestUsageErrorsPointToHelp(t *testing.T) {
	m := newMachine(t)
	if r := m.run("", "frob"); !strings.HasSuffix(r.stderr, "\nTry: mcp-memory --help\n") {
		t.Errorf("stderr %q", r.stderr)
	}
	if help := m.ok("help"); !strings.Contains(help, "Usage:") || !strings.Contains(help, "recall") {
		t.Errorf("help is %q", help)
	}
}

func TestAbout(t *testing.T) {
	m := newMachine(t)
	var about map[string]any
	m.read(&about, "version")
	for _, key := range []string{"version", "go", "platform", "driver", "schema_version"} {
		if about[key] == nil || about[key] == "" {
			t.Errorf("version says no %s: %v", key, maps.Collect(maps.All(about)))
		}
	}
	if text := m.ok("version"); !strings.HasPrefix(text, "mcp-memory "+product.Version) || strings.Count(text, "\n") != 1 {
		t.Errorf("version prints %q", text)
	}
	notices := m.ok("licenses")
	for _, whose := range []string{"all-MiniLM-L6-v2", "wordfreq", "WordNet", "tiktoken", "github.com/mark3labs/mcp-go"} {
		if !strings.Contains(notices, whose) {
			t.Errorf("licenses says nothing of %s", whose)
		}
	}
	core := m.ok("tools")
	for _, tool := range []string{"memory_save", "memory_recall", "memory_search", "memory_get", "memory_update", "memory_forget",
		"add_to_longterm_memory"} {
		if !strings.Contains(core, "| `"+tool+"` |") {
			t.Errorf("tools prints no %s", tool)
		}
	}
	if one := m.ok("tools", "--tools", "memory_get"); strings.Count(one, "| `memory_") != 1 {
		t.Errorf("tools --tools memory_get prints %q", one)
	}
	if files, _ := filepath.Glob(filepath.Join(m.home, "*")); len(files) != 0 {
		t.Errorf("asking about the program has made %v", files)
	}
}
