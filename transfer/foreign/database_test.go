package foreign_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer/foreign"
)

// The tables of other programs, as they document them; of engram also as an older version has them.
const (
	engramOld = `CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT, directory TEXT, started_at TEXT, ended_at TEXT, summary TEXT);
		CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, type TEXT, title TEXT, content TEXT, tool_name TEXT, project TEXT, scope TEXT DEFAULT 'project', topic_key TEXT,
			normalized_hash TEXT, revision_count INTEGER DEFAULT 1, duplicate_count INTEGER DEFAULT 1, last_seen_at TEXT, created_at TEXT, updated_at TEXT, deleted_at TEXT);
		CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, content TEXT, project TEXT, created_at TEXT);
		CREATE VIRTUAL TABLE observations_fts USING fts5(title, content, content='observations', content_rowid='id');`
	engramNew = engramOld +
		`ALTER TABLE observations ADD COLUMN sync_id TEXT; ALTER TABLE observations ADD COLUMN pinned INTEGER DEFAULT 0; ALTER TABLE observations ADD COLUMN expires_at TEXT; ALTER TABLE observations ADD COLUMN embedding BLOB;
		CREATE TABLE memory_relations (id INTEGER PRIMARY KEY, sync_id TEXT UNIQUE, source_id TEXT, target_id TEXT, relation TEXT, judgment_status TEXT);`
	engramRows = `INSERT INTO sessions VALUES ('s1', 'shop', '/home/ann/shop', '2026-02-01 09:00:00', '2026-02-01 10:00:00', 'Chose the queue.');
		INSERT INTO observations (session_id, type, title, content, project, created_at, updated_at) VALUES ('s1', 'decision', 'Queue', 'Kafka it is.', 'shop', '2026-02-01 09:30:00', '2026-02-01 09:30:00'), ('s1', 'decision', 'Queue', 'NATS it is.', 'shop', '2026-02-01 09:40:00', '2026-02-01 09:40:00');
		INSERT INTO user_prompts (session_id, content, project, created_at) VALUES ('s1', 'which queue?', 'shop', '2026-02-01 09:29:00');`
	claudeMemTables = `CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE, memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT, user_prompt TEXT, started_at TEXT, started_at_epoch INTEGER, status TEXT);
		CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
			prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, content_hash TEXT, merged_into_project TEXT);
		CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT, created_at_epoch INTEGER);
		CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT, created_at TEXT, created_at_epoch INTEGER);
		INSERT INTO sdk_sessions (content_session_id, memory_session_id, project) VALUES ('c1', 'm1', 'shop');
		INSERT INTO observations (memory_session_id, project, text, type, title, facts, narrative, concepts, files_read, created_at, created_at_epoch, content_hash, merged_into_project) VALUES
			('m1', 'shop-tree', NULL, 'decision', 'Queue is NATS', '["The port is 4222"]', 'NATS was chosen.', '["messaging"]', '["go.mod"]', '2026-04-01T08:00:00.000Z', 1775030400000, 'hash1', 'shop'),
			('m1', 'shop', 'only text', 'discovery', NULL, NULL, NULL, 'plain', NULL, '2026-04-01T08:00:01.000Z', 1775030401000, NULL, NULL),
			('m1', 'shop', NULL, 'discovery', 'Read go.mod', '[]', 'Read it.', NULL, '["go.mod"]', '2026-04-01T08:00:02.000Z', 1775030402000, NULL, NULL);
		INSERT INTO session_summaries (memory_session_id, project, request, learned, created_at, created_at_epoch) VALUES ('m1', 'shop', 'Choose', 'NATS is small', '2026-04-01T09:00:00.000Z', 1775034000000);
		INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch) VALUES ('c1', 1, 'which queue?', '2026-04-01T07:00:00.000Z', 1775026800000);`
	serviceTables = `CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL, tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT,
			deleted_at REAL, parent_id TEXT, version INTEGER, confidence REAL, last_accessed REAL, superseded_by TEXT);
		CREATE TABLE memory_graph (source_hash TEXT, target_hash TEXT, similarity REAL, connection_types TEXT, metadata TEXT, created_at REAL, relationship_type TEXT);
		CREATE VIRTUAL TABLE memory_embeddings USING vec0(content_embedding FLOAT[4]);
		INSERT INTO memories (content_hash, content, tags, memory_type, metadata, created_at, superseded_by, deleted_at) VALUES
			('new', 'The port is 443.', 'project:shop,net', 'note', '{}', 1775030500.0, NULL, NULL), ('old', 'The port is 80.', 'project:shop,net', 'note', '{}', 1775030400.25, 'new', NULL),
			('gone', 'Deleted.', '', NULL, NULL, 1775030400, NULL, 1775030600.0), ('cluster', 'A cluster.', 'x', 'compressed_cluster', '{}', 1775030400, NULL, NULL);
		INSERT INTO memory_graph VALUES ('new', 'old', 0.9, '[]', '{}', 0, 'fixes'), ('new', 'gone', 0.9, '[]', '{}', 0, 'related');`
	mem0Tables = `CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
		INSERT INTO history VALUES ('h1', 'm1', NULL, 'Likes tea', 'ADD', '2026-01-01T10:00:00-08:00', NULL, 0, 'ann', 'user'), ('h2', 'm1', 'Likes tea', 'Likes green tea', 'UPDATE', '2026-01-01T10:00:00-08:00', '2026-01-02T10:00:00-08:00', 0, 'ann', 'user'),
			('h3', 'm2', NULL, 'Is called Bob', 'ADD', '2026-01-01T10:00:00-08:00', NULL, 0, NULL, NULL), ('h4', 'm2', 'Is called Bob', NULL, 'DELETE', NULL, NULL, 1, NULL, NULL);`
)

func TestDatabases(t *testing.T) {
	judged := `INSERT INTO observations (session_id, type, title, content, project, created_at, updated_at) VALUES ('s1', 'config', 'Port', 'It is 4222.', 'shop', '2026-02-01 09:50:00', '2026-02-01 09:50:00'),
			('s1', 'config', 'Port', 'It is not 4222.', 'shop', '2026-02-01 09:55:00', '2026-02-01 09:55:00');
		INSERT INTO memory_relations VALUES (3, 'r3', 'obs-4', 'obs-3', 'contradicts', 'judged'), (4, 'r4', 'obs-4', 'obs-2', 'related', 'judged');
		UPDATE observations SET sync_id = 'obs-' || id; UPDATE observations SET pinned = 1, expires_at = '2027-01-01 00:00:00' WHERE id = 2;
		INSERT INTO memory_relations VALUES (1, 'r1', 'obs-2', 'obs-1', 'supersedes', 'judged'), (2, 'r2', 'obs-1', 'obs-9', 'conflicts_with', 'pending');`
	for name, c := range map[string]struct{ source, statements string }{
		"engram-old.db": {"engram", engramOld + engramRows},
		"engram-new.db": {"engram", engramNew + engramRows + judged}, "claude-mem.db": {"claude-mem", claudeMemTables},
		"mcp-memory-service.db": {"mcp-memory-service", serviceTables}, "mem0.db": {"mem0", mem0Tables},
	} {
		path := database(t, c.statements)
		wantItems(t, name, read(t, c.source, path, foreign.Options{Prompts: true}), path)
		sample, err := foreign.Look(t.Context(), path, open)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := foreign.Recognise(sample); err != nil || s.Name != c.source {
			t.Errorf("%s is recognised as %q, %v", name, s.Name, err)
		}
	}
}

// TestWrongFiles names what is wrong with a file, and what to do.
func TestWrongFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct{ source, path, want string }{
		"half migrated": {"engram", database(t, `CREATE TABLE observations (id INTEGER PRIMARY KEY, title TEXT)`),
			"half migrated: observations has no column content"},
		"another's": {"claude-mem", database(t, `CREATE TABLE other (id INTEGER)`), "no table observations"},
		"cut off": {"engram", file("cut.json", `{"observations":[{"id":1,"content":"x"},{"id":`),
			"is cut off, or no JSON, at byte"},
		"cut in an object":  {"agentmemory", file("cut2.json", `{"memories":[],"x":{"y":[`), "is cut off, or no JSON"},
		"no list":           {"mem0", file("number.json", `7`), "neither a list nor an object"},
		"nothing":           {"mem0", file("empty.json", ``), "is cut off, or no JSON"},
		"another's export":  {"engram", file("other.json", `{"things":[]}`), "it has no observations"},
		"service, no list":  {"mcp-memory-service", file("other2.json", `{"things":[]}`), "it has no memories"},
		"agent, no list":    {"agentmemory", file("other3.json", `{"things":[]}`), "it has no memories"},
		"claude, no list":   {"claude-mem", file("other4.json", `{"things":[]}`), "it has no observations"},
		"config of nothing": {"basic-memory", file("config.json", `{"projects":7}`), "names no projects"},
		"missing":           {"engram", filepath.Join(dir, "missing"), "cannot be read"},
		"missing folder":    {"obsidian", filepath.Join(dir, "missing"), "cannot be read"},
	} {
		_, err := tryRead(t, c.source, c.path, foreign.Options{})
		var known *memory.Error
		if !errors.As(err, &known) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := foreign.Recognise(foreign.Sample{Path: "x", Head: []byte("plain text")}); err == nil ||
		!strings.Contains(err.Error(), "--from engram") {
		t.Errorf("a text is recognised: %v", err)
	}
}

// TestFind finds the data of each program where it lies, and nothing where there is nothing.
func TestFind(t *testing.T) {
	home := t.TempDir()
	machine := foreign.Machine{Home: home, OS: "linux", Work: filepath.Join(home, "work"), Env: func(string) string { return "" }}
	if _, err := foreign.Targets(foreign.Auto, machine); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("found in an empty home: %v", err)
	}
	if _, err := foreign.Targets("engram", machine); memory.CodeOf(err) != memory.CodeNotFound ||
		!strings.Contains(fmt.Sprint(err), "import --from engram PATH") {
		t.Errorf("found in an empty home: %v", err)
	}
	graph := filepath.Join(home, "graph.jsonl")
	for name, text := range map[string]string{
		".engram/engram.db": "", ".claude-mem/claude-mem.db": "", ".mem0/history.db": "",
		".basic-memory/config.json": "", ".local/share/mcp-memory/sqlite_vec.db": "", ".local/share/mcp-memory/memory.db": "",
		".claude/projects/x/memory/MEMORY.md": "", ".codex/memories/MEMORY.md": "", "graph.jsonl": "", "other.jsonl": "",
		".npm/_npx/abc/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl": "",
		".claude.json":       fmt.Sprintf(`{"mcpServers":{"m":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"],"env":{"MEMORY_FILE_PATH":%q}}}}`, graph),
		"work/.mcp.json":     `{"mcpServers":{"m":{"env":{"MEMORY_FILE_PATH":"~/missing.jsonl"}}}}`,
		".codex/config.toml": "[mcp_servers.m.env]\nMEMORY_FILE_PATH = '" + filepath.Join(home, "other.jsonl") + "'\n",
	} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	targets, err := foreign.Targets(foreign.Auto, machine)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, target := range targets {
		rel, _ := filepath.Rel(home, target.Path)
		got = append(got, target.Source.Name+" "+filepath.ToSlash(rel))
	}
	want := `engram .engram/engram.db
claude-mem .claude-mem/claude-mem.db
mcp-memory-service .local/share/mcp-memory/sqlite_vec.db
mem0 .mem0/history.db
server-memory .npm/_npx/abc/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl
server-memory graph.jsonl
server-memory other.jsonl
basic-memory .basic-memory/config.json
claude-code .claude
codex .codex
claude-code .claude/projects`
	if strings.Join(got, "\n") != want {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestBasicMemoryConfig reads the projects of a config in both of its forms.
func TestBasicMemoryConfig(t *testing.T) {
	notes := copied(t, "basic-memory")
	config := filepath.Join(t.TempDir(), "config.json")
	text := fmt.Sprintf(`{"projects":{"main":{"path":%q},"old":%q,"lost":"/nowhere/at/all"},"default_project":"main"}`, notes,
		filepath.Join(notes, "specs"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, i := range read(t, "basic-memory", config, foreign.Options{}) {
		if i.Bad != nil {
			counts["bad"]++
		} else {
			counts[i.Project]++
		}
	}
	if counts["main"] < 5 || counts["old"] != counts["main"] || counts["bad"] != 2 {
		t.Errorf("read %v", counts)
	}
	sample, err := foreign.Look(t.Context(), config, open)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := foreign.Recognise(sample); err != nil || s.Name != "basic-memory" {
		t.Errorf("recognised as %q, %v", s.Name, err)
	}
}
