package foreign_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer/foreign"
)

var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// home is a user's folder with files, each written so many days ago.
func home(t *testing.T, files map[string]string, days int) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path, at := filepath.Join(dir, name), now.AddDate(0, 0, -days)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644),
			os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// talk reads conversations and returns them as lines: session, folder, role, text.
func talk(t *testing.T, targets []foreign.Target, o foreign.Options) (lines, skipped, bad []string) {
	t.Helper()
	o.Now = now
	err := foreign.Read(t.Context(), targets, foreign.Input{Options: o}, func(i foreign.Item) error {
		switch {
		case i.Bad != nil:
			bad = append(bad, i.Bad.Reason)
		case i.Skip != "":
			skipped = append(skipped, i.Skip)
		case i.Talk != nil:
			for _, turn := range i.Talk.Turns {
				lines = append(lines, strings.Join([]string{i.Talk.Session, i.Dir, string(turn.Role), turn.Content}, "|"))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, skipped, bad
}

// conversations is what reads those of a host, which may have other sources too.
func conversations(host string) foreign.Source {
	all := foreign.Named(host)
	return all[len(all)-1]
}

func claude(session, text string) string {
	return `{"type":"user","message":{"role":"user","content":"` + text + `"},"uuid":"` + session + text + `","sessionId":"` + session +
		`","cwd":"/w"}` + "\n"
}

// Every host's conversations are found where it keeps them, and nothing else there is read.
func TestTranscriptsAreFound(t *testing.T) {
	rollout := `{"type":"session_meta","payload":{"id":"c1","cwd":"/w"}}` + "\n" +
		`{"type":"response_item","payload":{"type":"message","role":"user","content":"hello"}}` + "\n"
	chat := `{"sessionId":"g1","projectHash":"h","startTime":"2026-03-01T10:00:00Z","messages":[{"id":"m","type":"user","content":"hello"}]}`
	for _, c := range []struct {
		program string
		files   map[string]string
		env     map[string]string
		want    []string
	}{
		{"claude-code", map[string]string{
			".claude/projects/-w/s1.jsonl": claude("s1", "hello"), ".claude/projects/-w/s1/subagents/agent-1.jsonl": claude("s1", "sub"),
			".claude/projects/-w/memory/x.jsonl":      claude("s9", "no"),
			".claude/projects/-w/sessions-index.json": "{}", ".claude/history.jsonl": claude("s8", "no"),
		}, nil, []string{"s1|/w|user|hello"}},
		{"claude-code", map[string]string{"elsewhere/projects/-w/s1.jsonl": claude("s1", "hello")},
			map[string]string{"CLAUDE_CONFIG_DIR": "~/elsewhere"}, []string{"s1|/w|user|hello"}},
		{"codex", map[string]string{".codex/sessions/2026/03/01/rollout-1.jsonl": rollout, ".codex/history.jsonl": rollout,
			".codex/archived_sessions/rollout-2.jsonl": strings.ReplaceAll(rollout, "c1", "c2")},
			nil, []string{"c1|/w|user|hello", "c2|/w|user|hello"}},
		{"gemini", map[string]string{".gemini/tmp/p1/chats/session-1.json": chat, ".gemini/tmp/p1/.project_root": "/w\n",
			".gemini/tmp/p1/chats/checkpoint.json": chat, ".gemini/tmp/p1/chats/g1/x.jsonl": chat,
			".gemini/tmp/p2/chats/session-2.json": strings.ReplaceAll(chat, "g1", "g2"),
			".gemini/projects.json":               `{"projects":{"/v":"p2"}}`}, nil, []string{"g1|/w|user|hello", "g2|/v|user|hello"}},
		{"copilot",
			map[string]string{".copilot/session-state/s1/events.jsonl": `{"type":"session.start","data":{"sessionId":"s1","context":{"cwd":"/w"}}}` + "\n" +
				`{"type":"user.message","id":"e","data":{"content":"hello"}}` + "\n",
				".copilot/session-state/s1/other.jsonl": "{}"}, nil, []string{"s1|/w|user|hello"}},
		{"cursor",
			map[string]string{".cursor/projects/w/agent-transcripts/chat1/chat1.jsonl": `{"role":"user","message":{"content":"hello"}}` + "\n",
				".cursor/chats/h/chat1/meta.json": `{"cwd":"/w"}`,
				".cursor/projects/w/mcp.jsonl":    "{}"}, nil, []string{"chat1|/w|user|hello"}},
	} {
		t.Run(c.program, func(t *testing.T) {
			dir := home(t, c.files, 2)
			m := foreign.Machine{Home: dir, OS: "linux", Env: func(name string) string { return c.env[name] }}
			targets, err := foreign.Targets(c.program, m)
			if err != nil {
				t.Fatal(err)
			}
			lines, skipped, bad := talk(t, targets, foreign.Options{})
			slices.Sort(lines)
			if !slices.Equal(lines, c.want) || len(skipped)+len(bad) > 0 {
				t.Errorf("%q, want %q; left out %q, bad %q", lines, c.want, skipped, bad)
			}
		})
	}
}

// Old conversations are left out where a folder is read, unless somebody asks for them.
func TestOldTranscripts(t *testing.T) {
	dir := home(t, map[string]string{"p/old.jsonl": claude("s1", "hello")}, 40)
	at := func(path string) []foreign.Target {
		return []foreign.Target{{Source: conversations("claude-code"), Path: path}}
	}
	for name, c := range map[string]struct {
		targets []foreign.Target
		o       foreign.Options
		want    int
	}{
		"by default": {at(dir), foreign.Options{}, 0},
		"since":      {at(dir), foreign.Options{Since: now.AddDate(0, 0, -50)}, 1},
		"all":        {at(dir), foreign.Options{All: true}, 1},
		"the file":   {at(filepath.Join(dir, "p/old.jsonl")), foreign.Options{}, 1},
	} {
		lines, skipped, _ := talk(t, c.targets, c.o)
		if len(lines) != c.want || len(skipped) != 1-c.want {
			t.Errorf("%s: %q, left out %q", name, lines, skipped)
		}
	}
}

// What is wrong with a transcript is told, and the rest is read.
func TestBrokenTranscripts(t *testing.T) {
	dir := home(t, map[string]string{"p/a.jsonl": claude("s1", "one") + "oops\n\x00\n" + claude("s1", "two") + `{"type":"us`,
		"p/b.jsonl": "", "p/c.jsonl": "\x1f\x8bno gzip"}, 1)
	lines, _, bad := talk(t, []foreign.Target{{Source: conversations("claude-code"), Path: dir}}, foreign.Options{})
	if len(lines) != 2 || len(bad) != 2 || !strings.Contains(bad[0], "2 lines cannot be read") || !strings.Contains(bad[1], "damaged") {
		t.Errorf("%q, bad %q", lines, bad)
	}
	stop := errors.New("the disk is full")
	err := foreign.Read(t.Context(), []foreign.Target{{Source: conversations("claude-code"), Path: dir}},
		foreign.Input{Options: foreign.Options{Now: now}}, func(foreign.Item) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("an error of who takes the items: %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	missing := foreign.Read(t.Context(), []foreign.Target{{Source: conversations("codex"), Path: filepath.Join(dir, "gone")}},
		foreign.Input{}, func(foreign.Item) error { return nil })
	if memory.CodeOf(missing) != memory.CodeUnavailable {
		t.Errorf("of nothing: %v", missing)
	}
}

// A file is recognised without being told whose it is.
func TestTranscriptsAreRecognised(t *testing.T) {
	dir := home(t, map[string]string{
		"a.jsonl": claude("s", "x"), "b.jsonl": `{"type":"session_meta","payload":{"id":"c"}}`,
		"c.json": `{"sessionId":"g","projectHash":"h","messages":[`,
	}, 0)
	for file, want := range map[string]string{"a.jsonl": "claude-code", "b.jsonl": "codex", "c.json": "gemini"} {
		sample, err := foreign.Look(t.Context(), filepath.Join(dir, file), nil)
		if err != nil {
			t.Fatal(err)
		}
		source, err := foreign.Recognise(sample)
		if err != nil || source.Name != want {
			t.Errorf("%s is of %s, %v", file, source.Name, err)
		}
	}
}
