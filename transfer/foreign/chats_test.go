package foreign_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer/foreign"
)

const gptExport = `[{"id":"c1","title":"Tea","create_time":1772359200.5,"current_node":"n4","mapping":{
 "n0":{"id":"n0","message":null,"parent":null,"children":["n1"]},
 "n1":{"message":{"id":"m1","author":{"role":"system"},"content":{"content_type":"text","parts":["You are a model."]}},"parent":"n0"},
 "n2":{"message":{"id":"m2","author":{"role":"user"},"create_time":1772359201,"content":{"content_type":"multimodal_text","parts":[{"asset_pointer":"x"},"Which tea?"]}},"parent":"n1"},
 "n3":{"message":{"id":"m3","author":{"role":"assistant"},"content":{"content_type":"text","parts":["Black."]}},"parent":"n2"},
 "n4":{"message":{"id":"m4","author":{"role":"assistant"},"create_time":null,"recipient":"all","content":{"content_type":"text","parts":["Green."]}},"parent":"n5"},
 "n5":{"message":{"id":"m5","author":{"role":"assistant"},"recipient":"python","content":{"content_type":"text","parts":["print(1)"]}},"parent":"n2"}}},
 {"id":"loop","current_node":"a","mapping":{"a":{"parent":"b"},"b":{"parent":"a"}}}, 7]`

const claudeExport = `[{"uuid":"u1","name":"Tea","created_at":"2026-03-01T10:00:00Z","chat_messages":[
 {"uuid":"m1","sender":"human","text":"","content":[{"type":"text","text":"Which tea?"}],"created_at":"2026-03-01T10:00:01Z"},
 {"uuid":"m2","sender":"assistant","text":"placeholder","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Green."}]},
 {"uuid":"m3","sender":"human","text":"Thanks."}]}]`

// zipped is a zip of files, given as name and content in turn.
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func export(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readExport(t *testing.T, program, path string) (lines, bad []string, err error) {
	t.Helper()
	err = foreign.Read(t.Context(), []foreign.Target{{Source: conversations(program), Path: path}}, foreign.Input{},
		func(i foreign.Item) error {
			switch {
			case i.Bad != nil:
				bad = append(bad, i.Bad.Reason)
			case i.Talk != nil:
				for _, turn := range i.Talk.Turns {
					lines = append(lines, i.Talk.Session+"|"+turn.ExternalID+"|"+string(turn.Role)+"|"+turn.Content)
				}
				if i.At.IsZero() || i.Talk.Learn || i.Talk.Turns[0].SaidAt.IsZero() {
					t.Errorf("%+v", i)
				}
			default:
				lines = append(lines, string(i.Kind)+"|"+i.Content)
			}
			return nil
		})
	return lines, bad, err
}

// Exports are read as a file, as a zip in each of its forms, and in a folder.
func TestChats(t *testing.T) {
	gpt := []string{"episode|A conversation with ChatGPT: Tea", "chatgpt:c1|m2|user|Which tea?", "chatgpt:c1|m4|assistant|Green."}
	claude := []string{"episode|A conversation with Claude: Tea", "claude-ai:u1|m1|user|Which tea?", "claude-ai:u1|m2|assistant|Green.",
		"claude-ai:u1|m3|user|Thanks."}
	folder := filepath.Dir(export(t, "conversations-001.json", gptExport))
	for name, c := range map[string]struct {
		program, path string
		want          []string
		bad           int
	}{
		"chatgpt file": {"chatgpt", export(t, "mine.json", gptExport), gpt, 1},
		"chatgpt zip": {"chatgpt",
			export(t, "a.zip", zipped(t, "user.json", "{}", "conversations.json", gptExport, "chat.html", "<p>")), gpt, 1},
		"chatgpt parts": {"chatgpt",
			export(t, "a.zip", zipped(t, "conversations-000.json", gptExport, "conversations-001.json", "[]")), gpt, 1},
		"chatgpt folder": {"chatgpt", folder, gpt, 1},
		"claude.ai zip":  {"claude-ai", export(t, "a.zip", zipped(t, "conversations.json", claudeExport, "users.json", "[]")), claude, 0},
		"claude.ai inner": {"claude-ai",
			export(t, "a.zip", zipped(t, "conversations-000.zip", zipped(t, "conversations.json", claudeExport))), claude, 0},
		"cut off": {"claude-ai", export(t, "c.json", claudeExport[:len(claudeExport)-1]+`,{"uuid":`), claude, 1},
		"no list": {"claude-ai", export(t, "c.json", `{"a":1}`), nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			lines, bad, err := readExport(t, c.program, c.path)
			if err != nil || !slices.Equal(lines, c.want) || len(bad) != c.bad {
				t.Errorf("%q, bad %q, %v; want %q", lines, bad, err, c.want)
			}
		})
	}
}

// A zip that is no honest export is refused, whatever is in it.
func TestHostileExports(t *testing.T) {
	inner := zipped(t, "conversations.json", claudeExport)
	bomb := zipped(t, "conversations.json", `["`+strings.Repeat("x", 20<<20)+`"]`)
	for name, c := range map[string]struct{ content, mentions string }{
		"a way out":       {zipped(t, "../conversations.json", claudeExport), "leads out of it"},
		"an absolute one": {zipped(t, "/etc/conversations.json", claudeExport), "leads out of it"},
		"of Windows":      {zipped(t, `..\conversations.json`, claudeExport), "leads out of it"},
		"a bomb":          {bomb, "much more than an export"},
		"an inner bomb":   {zipped(t, "a.zip", bomb), "much more than an export"},
		"zips in zips":    {zipped(t, "a.zip", zipped(t, "b.zip", inner)), "a zip in a zip"},
		"cut off":         {inner[:len(inner)/2], "damaged or cut off"},
		"nothing in it":   {zipped(t, "users.json", "[]"), "no conversations.json in it"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := readExport(t, "claude-ai", export(t, "a.zip", c.content))
			if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.mentions) {
				t.Errorf("%v", err)
			}
		})
	}
}
