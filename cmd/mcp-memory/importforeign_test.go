package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcp-memory/internal/testbank"
	"mcp-memory/transfer"
)

// foreignFixtures are the test data of every program, of package foreign.
var foreignFixtures = map[string]string{
	"server-memory": "server-memory.jsonl", "engram": "engram.json", "claude-mem": "claude-mem.json",
	"mcp-memory-service": "mcp-memory-service.json", "mem0": "mem0.json",
	"agentmemory": "agentmemory.json", "basic-memory": "basic-memory",
	"claude-code": "claude-code", "codex": "codex", "obsidian": "obsidian", "markdown": "obsidian",
}

// foreignData is where they are; tests change their folder.
var foreignData, errForeignData = filepath.Abs(filepath.Join("..", "..", "transfer", "foreign", "testdata"))

func fixture(t *testing.T, name string) string {
	t.Helper()
	if errForeignData != nil {
		t.Fatal(errForeignData)
	}
	return filepath.Join(foreignData, name)
}

func (m *machine) importJSON(t *testing.T, args ...string) (r transfer.ForeignReport) {
	t.Helper()
	ran := m.run("", append([]string{"import", "--json"}, args...)...) // what is refused is named on stderr
	if err := json.Unmarshal([]byte(ran.stdout), &r); err != nil || ran.code != exitDone {
		t.Fatalf("%d, %v: %s%s", ran.code, err, ran.stdout, ran.stderr)
	}
	return r
}

// TestImportFromEachProgram: a plan that changes nothing, an import that does what the plan said, a
// second one that changes nothing, an undo that leaves nothing, and the same again.
func TestImportFromEachProgram(t *testing.T) {
	for program, data := range foreignFixtures {
		t.Run(program, func(t *testing.T) {
			m := newMachine(t)
			path := fixture(t, data)
			plan := m.importJSON(t, "--from", program, path, "--all", "--with-prompts", "--include-instructions", "--dry-run")
			if plan.Created == 0 {
				t.Fatalf("plan %+v", plan)
			}
			m.fails(exitFailed, "there is no memory", "stats")
			first := m.importJSON(t, "--from", program, path, "--all", "--with-prompts", "--include-instructions")
			if first.Created != plan.Created || first.Updated != plan.Updated || first.Turns != plan.Turns ||
				first.Refused != plan.Refused || first.LeftOut != plan.LeftOut || first.UndoID == "" {
				t.Errorf("plan %+v\nimport %+v", plan, first)
			}
			full := m.stats(t)
			second := m.importJSON(t, "--from", program, path, "--all", "--with-prompts", "--include-instructions")
			if second.Created+second.Updated+second.Revived != 0 || second.UndoID != "" || m.stats(t) != full {
				t.Errorf("the second import: %+v", second)
			}
			if out := m.ok("forget", "--undo", first.UndoID); !strings.HasPrefix(out, "Took back ") {
				t.Errorf("undo prints %q", out)
			}
			if s := m.stats(t); s.Records != 0 || s.Turns != 0 || s.Superseded != 0 {
				t.Errorf("after the undo the bank has %+v", s)
			}
			m.importJSON(t, "--from", program, path, "--all", "--with-prompts", "--include-instructions")
			if s := m.stats(t); s.Records != full.Records || s.Turns != full.Turns || s.Superseded != full.Superseded {
				t.Errorf("imported anew the bank has %+v, not %+v", s, full)
			}
		})
	}
}

// bankStats is what a bank counts.
type bankStats struct{ Records, Turns, Superseded, Archived int }

func (m *machine) stats(t *testing.T) (s bankStats) {
	t.Helper()
	if err := json.Unmarshal([]byte(m.ok("stats", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestImportFromAsksForWhatItFound(t *testing.T) {
	m := newMachine(t)
	m.fails(exitFailed, "nothing was found of any program that is known", "import", "--from", "auto")
	m.fails(exitFailed,
		"nothing of engram was found (name the file or folder: import --from engram PATH; it reads its engram.db in ~/.engram or ENGRAM_DATA_DIR, or", "import", "--from", "engram")
	text, err := os.ReadFile(fixture(t, "server-memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	graph := filepath.Join(m.home, "graph.jsonl")
	write(t, graph, string(text))
	config,
		err := json.Marshal(map[string]any{"mcpServers": map[string]any{"m": map[string]any{"env": map[string]string{"MEMORY_FILE_PATH": graph}}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(m.home, ".claude.json"), string(config))
	r := m.run("", "import", "--from", "auto")
	if r.code != exitFailed || !strings.Contains(r.stderr, "Would import 8 memories.") ||
		!strings.Contains(r.stderr, "nothing was imported (--yes imports all of it") ||
		!strings.Contains(r.stderr, "graph.jsonl, line 3: it is torn, or no JSON") {
		t.Errorf("%d, %q and %q", r.code, r.stdout, r.stderr)
	}
	out := m.run("", "import", "--from", "auto", "--yes").stdout
	if !regexp.MustCompile(`^Imported 8 memories\.\nno project: 8 new, 1 already there, 5 refused\nTo take all of it back: mcp-memory undo [0-9a-f-]{36}\n$`).MatchString(out) {
		t.Errorf("printed %q", out)
	}
}

// Whoever forgets --from is told whose file it is; a broken file of one's own is nobody's.
func TestImportOfAnotherProgramsFile(t *testing.T) {
	m := newMachine(t)
	for source, data := range map[string]string{"server-memory": "server-memory.jsonl", "engram": "engram.json",
		"claude-mem": "claude-mem.json"} {
		file := fixture(t, data)
		m.fails(exitFailed, fmt.Sprintf("it is of %s: mcp-memory import --from %s %s", source, source, file), "import", file)
	}
	broken := filepath.Join(m.home, "facts.jsonl")
	write(t, broken, "{\"content\":\n")
	m.fails(exitFailed, "mend the line and import the file again", "import", broken)
}

// A file that is not what somebody takes it for is no success; a folder may be empty.
func TestImportFromAFileOfNothing(t *testing.T) {
	m := newMachine(t)
	for name, text := range map[string]string{"gemini": "not a transcript\n", "mem0": `{"mapping":{}}`, "chatgpt": "[]",
		"server-memory": "torn\n", "copilot": `{}`} {
		file := filepath.Join(m.home, name+".json")
		write(t, file, text)
		for _, how := range []string{"--yes", "--dry-run"} {
			if r := m.run("", "import", "--from", name, file, how); r.code != exitFailed ||
				!strings.Contains(r.stderr, "has nothing of "+name+" that can be read") ||
				!strings.Contains(r.stdout, "mport 0 memories") && !strings.Contains(r.stdout, "mported 0 memories") {
				t.Errorf("%s %s: %+v", name, how, r)
			}
		}
	}
	empty := filepath.Join(m.home, "empty")
	mkdir(t, empty)
	m.ok("import", "--from", "markdown", empty)
}

// TestImportFromDryRunMakesNothing wants a plan before there is a memory to leave no trace of one.
func TestImportFromDryRunMakesNothing(t *testing.T) {
	m := newMachine(t)
	t.Setenv("TMPDIR", t.TempDir())
	for range 2 {
		if r := m.importJSON(t, "--from", "engram", fixture(t, "engram.json"), "--dry-run"); r.Created == 0 {
			t.Fatalf("%+v", r)
		}
		for _, dir := range []string{m.dataDir(), os.Getenv("TMPDIR")} {
			if left, err := os.ReadDir(dir); len(left) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the dry run has made %v in %s (%v)", left, dir, err)
			}
		}
	}
}

func TestImportFromProjects(t *testing.T) {
	m := newMachine(t)
	m.ok("--project", "acme/shop", "save", "The shop sells tea.")
	r := m.run("", "import", "--from", "engram", fixture(t, "engram.json"), "--dry-run")
	if !strings.Contains(r.stdout, `Shop and acme/shop are likely one project: --project-map "Shop=acme/shop"`) ||
		!strings.Contains(r.stdout, "project Shop: 2 new, 1 left out\n  - Chose the queue.\n") ||
		!strings.Contains(r.stdout, "left out: 1 deleted there") {
		t.Errorf("%q and %q", r.stdout, r.stderr)
	}
	report := m.importJSON(t, "--from", "engram", fixture(t, "engram.json"), "--project-map", "Shop=acme/shop", "--project-map",
		"shop=acme/shop", "--since", "2026-02-02")
	if len(report.Projects) != 2 || report.Projects[1].Project != "acme/shop" || report.Projects[1].New != 1 ||
		report.Why["older than wanted"] != 3 {
		t.Errorf("%+v", report)
	}
}

func TestImportFromRefuses(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "Something.")
	db := filepath.Join(m.home, "their.db")
	their, err := testbank.OpenFile(db)
	if err == nil {
		_,
			err = their.Exec(`CREATE TABLE observations (id INTEGER PRIMARY KEY, topic_key TEXT); CREATE TABLE user_prompts (id INTEGER PRIMARY KEY)`)
	}
	if err == nil {
		err = their.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, `there is no program "emacs" to import from: auto, engram`, []string{"--from", "emacs"}},
		{exitUsage, "--dry-run goes with --from", []string{"--dry-run", db}},
		{exitUsage, "name a file or folder, or a program with --from", nil},
		{exitUsage, "--format does not go with --from", []string{"--from", "engram", "--format", "facts"}},
		{exitUsage, `--since is "tomorrow"`, []string{"--from", "engram", "--since", "tomorrow"}},
		{exitUsage, `--project-map "x" is not OLD=NEW`, []string{"--from", "engram", "--project-map", "x"}},
		{exitUsage, `is no name of a project`, []string{"--from", "engram", "--project-map", "x=*"}},
		{exitUsage, "is this program's own database", []string{"--from", "auto", filepath.Join(m.dataDir(), databaseName)}},
		{exitFailed, "half migrated: observations has no column content", []string{"--from", "auto", db}},
		{exitUsage, "is no folder, which is what obsidian has", []string{"--from", "obsidian", db}},
		{exitUsage, "is no file, which is what engram has", []string{"--from", "engram", m.home}},
		{exitUsage, "is of no program that is known", []string{"--from", "auto", m.home}},
		{exitFailed, "cannot be read", []string{"--from", "auto", filepath.Join(m.home, "missing")}},
	} {
		m.fails(c.code, c.want, append([]string{"import"}, c.args...)...)
	}
}
