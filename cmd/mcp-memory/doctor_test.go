package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// findings runs the doctor and returns what it finds, by check.
func (m *machine) findings(code int, args ...string) map[string]memory.Finding {
	m.t.Helper()
	r := m.run("", append([]string{"doctor", "--json"}, args...)...)
	var out struct {
		Healthy  bool
		Findings []memory.Finding
	}
	if r.code != code || json.Unmarshal([]byte(r.stdout), &out) != nil || out.Healthy != (code == exitDone) {
		m.t.Fatalf("doctor: %+v", r)
	}
	all := map[string]memory.Finding{}
	for _, f := range out.Findings {
		if f.Condition == memory.ConditionOK != (f.Advice == "") || f.Detail == "" {
			m.t.Errorf("%+v", f)
		}
		if known, ok := all[f.Check]; !ok || known.Condition == memory.ConditionOK {
			all[f.Check] = f
		}
	}
	return all
}

func TestDoctorOfHealthyStore(t *testing.T) {
	m := newMachine(t)
	m.store()
	found := m.findings(exitDone)
	for _, check := range []string{
		"version", "settings", "embedder", "directory", "file", "permissions", "log", "schema", "lock", "structure", "references",
		"counters", "text index", "vectors", "queue", "contents", "workspaces", "files",
	} {
		if found[check].Condition != memory.ConditionOK {
			t.Errorf("%s: %+v", check, found[check])
		}
	}
	if text := m.ok("doctor", "--repair"); !strings.Contains(text, "there is nothing that it could mend") {
		t.Errorf("doctor --repair prints %q", text)
	}
}

// A setting that only a server reads keeps it from starting, of which a host says nothing.
func TestDoctorReadsSettingsAsAServerDoes(t *testing.T) {
	m := newMachine(t)
	m.store()
	for key, value := range map[string]string{
		"MCP_MEMORY_CONTEXT_FLUSH": "abc", "MCP_MEMORY_TOOLS": "nope", "MCP_MEMORY_BACKUP_KEEP": "0", "MCP_MEMORY_EMBED_TIMEOUT": "30",
		"MCP_MEMORY_HTTP_RATE": "-1", "MCP_MEMORY_HTTP_STREAMS": "none",
		"MCP_MEMORY_SESSION_START_TOKENS": "0", "MCP_MEMORY_TIME_ZONE": "Mars/Base",
		"MCP_MEMORY_CATEGORIES": "[", "MCP_MEMORY_COMPACTION": "x",
		"MCP_MEMORY_SUPERSEDE": "x", "MCP_MEMORY_WEB_IDLE": "0s", "MCP_MEMORY_CONTEXT_COMPACT": "10",
		"MCP_MEMORY_LLM_URL": "nowhere", "MCP_MEMORY_AUTH_CLIENT_ID": "page", "MCP_MEMORY_AGENT": "a/b", "MCP_MEMORY_WORKSPACE_STORE": "x",
		"MCP_MEMORY_WORKSPACE_INCLUDE": "notes", "MCP_MEMORY_DATABASE_CITUS": "x",
		"MCP_MEMORY_AUDIT_KEEP": "-1h", "MCP_MEMORY_CONTEXT_RULES": "/gone.json",
	} {
		m.env[key] = value
		found := m.findings(exitFailed)
		if f := found["settings"]; f.Condition != memory.ConditionBroken {
			t.Errorf("%s=%s: %+v", key, value, f)
		}
		if f := found["files"]; f.Condition != memory.ConditionOK {
			t.Errorf("%s=%s: files are looked at no more: %+v", key, value, f)
		}
		delete(m.env, key)
	}
	if f := m.findings(exitDone)["settings"]; f.Condition != memory.ConditionOK {
		t.Errorf("without them %+v", f)
	}
}

// Each of these is found, and told what to do about.
func TestDoctorFinds(t *testing.T) {
	for name, c := range map[string]struct {
		check     string
		condition memory.Condition
		spoil     func(m *machine, path string)
		want      string
	}{
		"mode of the file": {"permissions", memory.ConditionWarning, func(m *machine, path string) { chmod(m.t, path, 0o644) }, "0644"},
		"mode of the directory": {"directory", memory.ConditionWarning, func(m *machine, path string) {
			chmod(m.t, m.dataDir(), 0o755)
		}, "0755"},
		"no database": {"file", memory.ConditionBroken, func(m *machine, path string) { remove(m.t, path) }, "missing"},
		"not a file": {"file", memory.ConditionBroken, func(m *machine, path string) { write(m.t, path, "Dear diary,\n") },
			"not a database"},
		"settings": {"settings", memory.ConditionBroken,
			func(m *machine, path string) { write(m.t, filepath.Join(m.dataDir(), upkeep.Config), "nonsense: 1\n") }, "nonsense"},
		"counters": {"counters", memory.ConditionBroken, bySQL(`UPDATE corpus_totals SET documents = 7`), "counted are 7"},
		"counts": {"counters", memory.ConditionBroken, bySQL(`UPDATE record_counts SET records = records + 1`),
			"are not counted as they are"},
		"text index": {"text index", memory.ConditionBroken, bySQL(`DELETE FROM memories_words`), "memories_words lacks 1"},
		"a stray": {"references", memory.ConditionBroken,
			bySQL(`INSERT INTO record_names (agent, external_id, id) VALUES ('default', 'x', 'y')`), "1 of record_names"},
		"content": {"contents", memory.ConditionBroken, bySQL(`UPDATE records SET content = 'The harbour closes at ten.'`),
			"not what was saved"},
		"a vector": {"vectors", memory.ConditionBroken, bySQL(`DELETE FROM records; DELETE FROM record_names`), "of what is not there"},
		"an index": {"structure", memory.ConditionBroken, overwriteIndex, "records_by_kind"},
		"a workspace": {"workspaces", memory.ConditionWarning, func(m *machine, path string) {
			write(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces, "bob"), "")
			remove(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces, "bob"))
			mkdir(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces, "bob"))
		}, "bob"},
		"a file": {"files", memory.ConditionWarning, func(m *machine, path string) {
			write(m.t, filepath.Join(m.dataDir(), upkeep.Workspaces, "default", "MEMORY.md"), "- caf\xe9\n")
		}, "not text in UTF-8"},
		"another time": {"former state", memory.ConditionWarning,
			func(m *machine, path string) { mkdir(m.t, filepath.Join(m.dataDir(), "before-repair-1")) }, "before-repair-1"},
		"older version": {"schema", memory.ConditionWarning, bySQL(`PRAGMA user_version = 14`), "version 14"},
		"a host": {"host", memory.ConditionWarning, func(m *machine, path string) {
			mkdir(m.t, filepath.Join(m.home, ".cursor"))
			write(m.t, filepath.Join(m.home, ".cursor", "mcp.json"), `{"mcpServers":{"memory":{"command":"/gone/mcp-memory"}}}`)
		}, "/gone/mcp-memory for Cursor, which cannot be found"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(name, "mode") {
				t.Skip("Windows has other permissions")
			}
			m := newMachine(t)
			path := m.store()
			c.spoil(m, path)
			code := exitDone
			if c.condition == memory.ConditionBroken {
				code = exitFailed
			}
			if f := m.findings(code)[c.check]; f.Condition != c.condition || !strings.Contains(f.Detail, c.want) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func bySQL(statement string) func(*machine, string) {
	return func(m *machine, path string) { raw(m.t, path, statement) }
}

// overwriteIndex takes entries out of an index behind SQLite's back.
func overwriteIndex(m *machine, path string) {
	raw(m.t, path,
		`PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'kind, event_at', 'kind, created_at') WHERE name = 'records_by_kind'`)
	raw(m.t, path, `UPDATE records SET created_at = created_at + 5 WHERE true`)
	raw(m.t, path,
		`PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'kind, created_at', 'kind, event_at') WHERE name = 'records_by_kind'`)
}

// Lines that the files lack are written by --repair.
func TestDoctorCompletesFiles(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "I like green tea.", "--pinned")
	m.ok("todo", "add", "Call the dentist")
	home := filepath.Join(m.dataDir(), upkeep.Workspaces, "default")
	remove(t, filepath.Join(home, "MEMORY.md"))
	remove(t, filepath.Join(home, ".mirror.json"))
	if f := m.findings(exitDone)["files"]; f.Condition != memory.ConditionWarning || !strings.Contains(f.Detail, "lacks 2 lines") ||
		!strings.Contains(f.Advice, "--repair") {
		t.Errorf("%+v", f)
	}
	if text := m.ok("doctor", "--repair"); !strings.Contains(text, "the files agree with the banks") {
		t.Errorf("doctor --repair prints %q", text)
	}
	content, err := os.ReadFile(filepath.Join(home, "MEMORY.md"))
	if err != nil || !strings.Contains(string(content), "- I like green tea. <!--") ||
		!strings.Contains(string(content), "- [ ] Call the dentist <!--") {
		t.Errorf("MEMORY.md: %v\n%s", err, content)
	}
	if f := m.findings(exitDone)["files"]; f.Condition != memory.ConditionOK {
		t.Errorf("%+v", f)
	}
}

// TestRepair: the old file is kept byte for byte, what can be read is in the new one,
// found again, and what cannot is named.
func TestRepair(t *testing.T) {
	m := newMachine(t)
	path := m.store()
	for i := range 40 {
		m.ok("save", strings.Repeat("Ferry "+string(rune('a'+i%26))+" leaves. ", 40))
	}
	raw(t, path,
		`DELETE FROM memories_words WHERE rowid % 2 = 0; UPDATE corpus_totals SET documents = 1; UPDATE record_counts SET records = 1;
		UPDATE records SET content = 'Ferry x has sunk.' WHERE seq = (SELECT max(seq) FROM records)`)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte("The harbour closes at nine.")) // before that, where the row lay when there were fewer
	if at < 0 {
		t.Fatal("there is no such text")
	}
	page := text[at/4096*4096:][:4096]
	copy(page, bytes.Repeat([]byte{0xa5}, 4096))
	write(t, path, string(text))
	m.findings(exitFailed)

	user, err := upkeep.Enter(t.Context(), m.dataDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	m.fails(exitFailed, "in use by another process", "doctor", "--repair")
	if err := user.Leave(); err != nil {
		t.Fatal(err)
	}
	report := m.ok("doctor", "--repair")
	if !strings.Contains(report, "1 page could not be read") || !strings.Contains(report, "lost: record ") ||
		strings.Count(report, "\nnot what was saved: record ") != 1 {
		t.Errorf("doctor --repair prints %q", report)
	}
	kept, err := filepath.Glob(filepath.Join(m.dataDir(), "before-repair-*", databaseName))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	if before, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(before, text) {
		t.Errorf("the old file is not as it was, %v", err)
	}
	found := m.findings(exitFailed)
	for check, f := range found {
		if f.Condition == memory.ConditionBroken && check != "contents" {
			t.Errorf("after the repair: %+v", f)
		}
	}
	if f := found["former state"]; f.Condition != memory.ConditionWarning {
		t.Errorf("%+v", f)
	}
	if text := m.ok("recall", "ferry"); !strings.Contains(text, "leaves") {
		t.Errorf("recall prints %q", text)
	}
}

// What was saved instead of a changed text nobody knows: a repair says so and does not fail, and whoever corrects it, says that it is
// right, or forgets it is asked no more.
func TestChangedTextIsLeftToPeople(t *testing.T) {
	for name, c := range map[string]struct {
		ends [][]string // what is done with its ID
		want memory.Condition
	}{
		"corrected":       {[][]string{{"update", "ID", "--content", "The harbour closes at nine."}}, memory.ConditionWarning},
		"right":           {[][]string{{"update", "ID", "--content", "The Harbour closes at nine."}}, memory.ConditionWarning},
		"forgotten":       {[][]string{{"forget", "ID"}}, memory.ConditionWarning},
		"erased":          {[][]string{{"forget", "ID", "--permanent", "--confirm"}}, memory.ConditionOK},
		"erased in steps": {[][]string{{"forget", "ID"}, {"forget", "ID", "--permanent", "--confirm"}}, memory.ConditionOK},
		"something else":  {[][]string{{"update", "ID", "--importance", "0.9"}}, memory.ConditionBroken},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			path := m.store()
			var found struct{ Results []struct{ ID string } }
			m.read(&found, "recall", "harbour")
			id := found.Results[0].ID
			bySQL(`UPDATE records SET content = 'The Harbour closes at nine.' WHERE id = '`+id+`'`)(m, path)
			if f := m.findings(exitFailed)["contents"]; f.Condition != memory.ConditionBroken ||
				!strings.Contains(f.Advice, "`update ID --content TEXT`") {
				t.Errorf("%+v", f)
			}
			if f := m.findings(exitDone, "--repair")["contents"]; f.Condition != memory.ConditionWarning ||
				!strings.Contains(f.Detail, id) {
				t.Errorf("repair: %+v", f)
			}
			for _, args := range c.ends {
				for i, arg := range args {
					if arg == "ID" {
						args[i] = id
					}
				}
				m.ok(args...)
			}
			code := exitDone
			if c.want == memory.ConditionBroken {
				code = exitFailed
			}
			if f := m.findings(code)["contents"]; f.Condition != c.want {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Whoever looks at a memory that is not what was saved is told.
func TestDamagedIsTold(t *testing.T) {
	m := newMachine(t)
	path := m.store()
	var found struct{ Results []struct{ ID string } }
	m.read(&found, "recall", "harbour")
	bySQL(`UPDATE records SET content = 'The harbour closes at ten.'`)(m, path)
	for _, args := range [][]string{{"get", found.Results[0].ID}, {"recall", "harbour"}, {"list"}, {"list", "--json"}} {
		if got := m.ok(args...); !strings.Contains(got, "damaged") {
			t.Errorf("%q prints %s", args, got)
		}
	}
}

// A database of a newer program, or of another one, is not damaged: nobody is told to repair it, and
// nobody can.
func TestDoctorOfOthersDatabases(t *testing.T) {
	songs := strings.Repeat(`INSERT INTO songs VALUES (hex(randomblob(500)));`, 30)
	for name, c := range map[string]struct {
		spoil func(m *machine, path string)
		check string
		want  string
	}{
		"newer": {bySQL(fmt.Sprintf(`PRAGMA user_version = %d`, sqlite.SchemaVersion()+1)), "schema", "update mcp-memory"},
		"of another program": {func(m *machine, path string) {
			remove(m.t, path)
			raw(m.t, path, `CREATE TABLE songs (title TEXT);`+songs)
		}, "schema", "choose another data directory"},
		"a text": {func(m *machine, path string) { write(m.t, path, strings.Repeat("Dear diary,\n", 4000)) }, "file", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			path := m.store()
			c.spoil(m, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := m.findings(exitFailed)[c.check]
			if f.Condition != memory.ConditionBroken || !strings.Contains(f.Advice, c.want) ||
				c.want != "" && strings.Contains(f.Advice, "--repair") {
				t.Errorf("%+v", f)
			}
			m.fails(exitFailed, cmp.Or(c.want, "nothing in the file is of a database of this program"), "doctor", "--repair")
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}
