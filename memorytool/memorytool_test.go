package memorytool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mcp-memory/access"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/memorytool"
	"mcp-memory/workspace"
)

// rig is a data directory with a service over it.
type rig struct {
	*memorytool.Service
	t   testing.TB
	dir string
}

func newRig(t testing.TB, change ...func(*memorytool.Options)) rig {
	dir := t.TempDir()
	return rig{serviceAt(dir, change...), t, dir}
}

func serviceAt(dir string, change ...func(*memorytool.Options)) *memorytool.Service {
	o := memorytool.Options{Agent: "ann", Files: func(agent string) workspace.Memories { return testfiles.Open(dir, agent).Memories() },
		Log: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&o)
	}
	return memorytool.New(o)
}

// say makes a call without an identity and returns its text.
func (r rig) say(call string) (text string, failed bool) { return r.as(r.t.Context(), call) }

func (r rig) as(ctx context.Context, call string) (text string, failed bool) {
	r.t.Helper()
	var a struct {
		Content string `json:"content"`
		IsError bool   `json:"is_error"`
	}
	if err := json.Unmarshal(r.Call(ctx, "", []byte(call)), &a); err != nil {
		r.t.Fatal(err)
	}
	return a.Content, a.IsError
}

// says makes calls in their order and compares. What begins with "!" is an error.
func (r rig) says(steps ...[2]string) {
	r.t.Helper()
	for _, s := range steps {
		text, failed := r.say(s[0])
		if failed {
			text = "!" + text
		}
		if text != s[1] {
			r.t.Errorf("%s:\n got %q\nwant %q", s[0], text, s[1])
		}
	}
}

func (r rig) path(name string) string {
	return filepath.Join(testfiles.Path(testfiles.Open(r.dir, "ann")), filepath.FromSlash(name))
}

// put writes a file of the workspace, as a person would.
func (r rig) put(name, text string) {
	r.t.Helper()
	if err := errors.Join(testfiles.MkdirAll(filepath.Dir(r.path(name)), 0o700),
		testfiles.WriteFile(r.path(name), []byte(text), 0o600)); err != nil {
		r.t.Fatal(err)
	}
}

func (r rig) file(name string) string {
	data, err := testfiles.ReadFile(r.path(name))
	if err != nil {
		return "!" + errors.Unwrap(err).Error()
	}
	return string(data)
}

// The examples and texts of the documentation of the tool, and of the tests of the
// helpers in the SDKs of the API.
func TestDocumentedExamples(t *testing.T) {
	const snippet = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
	r := newRig(t)
	r.says([][2]string{
		{`{"command":"view","path":"/memories"}`,
			"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories"},
		{`{"command":"create","path":"/memories/notes.txt","file_text":"Meeting notes:\n- Discussed project timeline\n- Next steps defined\n"}`, "File created successfully at: /memories/notes.txt"},
		{`{"command":"create","path":"/memories/notes.txt","file_text":"x"}`, "!Error: File /memories/notes.txt already exists"},
		{`{"command":"view","path":"/memories/notes.txt"}`,
			"Here's the content of /memories/notes.txt with line numbers:\n     1\tMeeting notes:\n     2\t- Discussed project timeline\n     3\t- Next steps defined"},
		{`{"command":"view","path":"/memories/notes.txt","view_range":[2,2]}`,
			"Here's the content of /memories/notes.txt with line numbers:\n     2\t- Discussed project timeline"},
		{`{"command":"view","path":"/memories/notes.txt","view_range":[2,-1]}`,
			"Here's the content of /memories/notes.txt with line numbers:\n     2\t- Discussed project timeline\n     3\t- Next steps defined"},
		{`{"command":"view","path":"/memories/nothing.txt"}`,
			"!The path /memories/nothing.txt does not exist. Please provide a valid path."},

		{`{"command":"create","path":"/memories/preferences.txt","file_text":"a\nb\nFavorite color: blue\nc\nd\ne"}`,
			"File created successfully at: /memories/preferences.txt"},
		{`{"command":"str_replace","path":"/memories/preferences.txt","old_str":"Favorite color: blue","new_str":"Favorite color: green"}`,
			snippet + "     1\ta\n     2\tb\n     3\tFavorite color: green\n     4\tc\n     5\td"},
		{`{"command":"str_replace","path":"/memories/preferences.txt","old_str":"pink","new_str":"x"}`,
			"!No replacement was performed, old_str `pink` did not appear verbatim in /memories/preferences.txt."},
		{`{"command":"str_replace","path":"/memories/preferences.txt","old_str":"e","new_str":"x"}`,
			"!No replacement was performed. Multiple occurrences of old_str `e` in lines: 3, 6. Please ensure it is unique"},
		{`{"command":"str_replace","path":"/memories/nothing","old_str":"e","new_str":"x"}`,
			"!Error: The path /memories/nothing does not exist. Please provide a valid path."},
		{`{"command":"str_replace","path":"/memories","old_str":"e","new_str":"x"}`,
			"!Error: The path /memories does not exist. Please provide a valid path."},

		{`{"command":"create","path":"/memories/todo.txt","file_text":"Line 1\nLine 2"}`,
			"File created successfully at: /memories/todo.txt"},
		{`{"command":"insert","path":"/memories/todo.txt","insert_line":2,"insert_text":"- Review memory tool documentation\n"}`,
			"The file /memories/todo.txt has been edited."},
		{`{"command":"insert","path":"/memories/todo.txt","insert_line":0,"insert_text":"First"}`,
			"The file /memories/todo.txt has been edited."},
		{`{"command":"insert","path":"/memories/todo.txt","insert_line":10,"insert_text":"x"}`,
			"!Error: Invalid `insert_line` parameter: 10. It should be within the range of lines of the file: [0, 4]"},
		{`{"command":"insert","path":"/memories/nothing","insert_line":0,"insert_text":"x"}`,
			"!Error: The path /memories/nothing does not exist"},

		{`{"command":"create","path":"/memories/deep/nested/file.txt","file_text":"Nested"}`,
			"File created successfully at: /memories/deep/nested/file.txt"},
		{`{"command":"view","path":"/memories/deep"}`,
			"Here're the files and directories up to 2 levels deep in /memories/deep, excluding hidden items and node_modules:\n6B\t/memories/deep\n6B\t/memories/deep/nested/\n6B\t/memories/deep/nested/file.txt"},
		{`{"command":"rename","old_path":"/memories/todo.txt","new_path":"/memories/done/todo.txt"}`,
			"Successfully renamed /memories/todo.txt to /memories/done/todo.txt"},
		{`{"command":"rename","old_path":"/memories/todo.txt","new_path":"/memories/x"}`,
			"!Error: The path /memories/todo.txt does not exist"},
		{`{"command":"rename","old_path":"/memories/notes.txt","new_path":"/memories/preferences.txt"}`,
			"!Error: The destination /memories/preferences.txt already exists"},
		{`{"command":"rename","old_path":"/memories/deep","new_path":"/memories/deeper/still"}`,
			"Successfully renamed /memories/deep to /memories/deeper/still"},
		{`{"command":"delete","path":"/memories/preferences.txt"}`, "Successfully deleted /memories/preferences.txt"},
		{`{"command":"delete","path":"/memories/preferences.txt"}`, "!Error: The path /memories/preferences.txt does not exist"},
		{`{"command":"delete","path":"/memories/done"}`, "Successfully deleted /memories/done"},
		{`{"command":"delete","path":"/memories"}`, "!Error: Cannot delete the /memories directory itself"},
		{`{"command":"view","path":"/memories"}`,
			"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n71B\t/memories\n6B\t/memories/deeper/\n6B\t/memories/deeper/still/\n65B\t/memories/notes.txt"},
	}...)
	if got := r.file("memories/deeper/still/nested/file.txt"); got != "Nested" {
		t.Errorf("%q", got)
	}
}

// A tool_use block is answered by a tool_result block.
func TestBlocks(t *testing.T) {
	r := newRig(t)
	got := string(r.Call(t.Context(), "",
		[]byte(`{"type":"tool_use","id":"toolu_01","name":"memory","input":{"command":"delete","path":"/memories/a"}}`)))
	if want := `{"type":"tool_result","tool_use_id":"toolu_01","content":"Error: The path /memories/a does not exist","is_error":true}`; got != want {
		t.Errorf("%s", got)
	}
	var out strings.Builder
	if err := r.Serve(t.Context(), strings.NewReader("\n{\"command\":\"view\",\"path\":\"/memories\"}\n\nno\n"), &out); err != nil ||
		strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%v: %s", err, out.String())
	}
	long := strings.Repeat(" ", memorytool.MaxLine+1)
	if err := r.Serve(t.Context(), strings.NewReader(long), &out); memory.CodeOf(err) != memory.CodeTooLarge {
		t.Errorf("a line that is too long: %v", err)
	}
}

// No path leads out of the folder or behind its back, and what it would lead to stays.
func TestPathsStayInside(t *testing.T) {
	testfiles.OnDisk(t)
	r := newRig(t)
	r.put("AGENTS.md", "rules")
	r.put("memories/a.md", "mine")
	r.put("learnings/errors.md", "errors")
	outside := filepath.Join(t.TempDir(), "secret.txt")
	for _, err := range []error{
		testfiles.WriteFile(outside, []byte("secret"), 0o600), os.Symlink(outside, r.path("memories/link")),
		os.Symlink("../AGENTS.md", r.path("memories/near")),
		os.Symlink(filepath.Dir(outside), r.path("memories/folder")), os.Symlink("..", r.path("memories/up")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{
		"/memories/../AGENTS.md", "/memories/a/../../AGENTS.md", "/memories/..",
		"/memories/%2e%2e/AGENTS.md", "/memories/%2E%2e%2fAGENTS.md", "/memories/..%2fAGENTS.md",
		"/memories/..\\\\AGENTS.md", "/memories/%252e%252e/AGENTS.md", "/memoriesAGENTS.md", "/etc/passwd", "memories/a.md",
		"", "/memories/.hidden", "/memories/a\\nb.md", "/memories/a\\u202eb.md", "/memories/a\\u0085b.md", "/memories/x/.git/config",
		"/memories/link", "/memories/near", "/memories/folder/secret.txt", "/memories/folder/new.txt", "/memories/up/AGENTS.md",
		"/memories/up/learnings/mine.md", "/memories/up/learnings/errors.md",
		"/memories/up/new.md", "/memories/./a.md", "/memories/con", "/memories/a:b", "/memories/a\\u0000b",
		"/memories/" + strings.Repeat("x", 300), "/memories/1/2/3/4/5/6/7/8/9/10",
	}
	for _, path := range paths {
		for _, call := range []string{
			`{"command":"view","path":"%s"}`, `{"command":"create","path":"%s","file_text":"x"}`,
			`{"command":"str_replace","path":"%s","old_str":"e","new_str":"x"}`,
			`{"command":"insert","path":"%s","insert_line":0,"insert_text":"x"}`, `{"command":"delete","path":"%s"}`,
			`{"command":"rename","old_path":"%s","new_path":"/memories/got"}`,
			`{"command":"rename","old_path":"/memories/a.md","new_path":"%s"}`,
		} {
			call := fmt.Sprintf(call, path)
			if text, failed := r.say(call); !failed || strings.Contains(text, "secret") && !strings.Contains(path, "secret") {
				t.Errorf("%s: %s", call, text)
			}
		}
	}
	if text, failed := r.say(`{"command":"delete","path":"/memories/1"}`); !failed {
		t.Error(text)
	}
	for name, want := range map[string]string{"AGENTS.md": "rules", "memories/a.md": "mine", "learnings/errors.md": "errors"} {
		if got := r.file(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if data, err := testfiles.ReadFile(outside); string(data) != "secret" {
		t.Errorf("%q, %v", data, err)
	}
	if entries, err := testfiles.ReadDir(filepath.Dir(outside)); len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// What is no text, too large, closed or badly asked for changes nothing.
func TestBadInput(t *testing.T) {
	testfiles.OnDisk(t)
	r := newRig(t)
	r.put("memories/binary.bin", "\x00\xff")
	r.put("memories/sub/large.md", strings.Repeat("x", 1<<20+1))
	r.put("memories/lines.md", strings.Repeat("\n", 1_000_001))
	r.put("memories/closed.md", "closed")
	if err := os.Chmod(r.path("memories/closed.md"), 0o400); err != nil {
		t.Fatal(err)
	}
	huge, err := json.Marshal(strings.Repeat("y", 1<<20+1))
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string]string{
		`{"command":"view","path":"/memories/binary.bin"}`:                                           "Error: memories/binary.bin in the workspace is not text in UTF-8",
		`{"command":"delete","path":"/memories/binary.bin"}`:                                         "Error: memories/binary.bin in the workspace is not text in UTF-8",
		`{"command":"view","path":"/memories/sub/large.md"}`:                                         "at most 1048576 are read",
		`{"command":"delete","path":"/memories/sub"}`:                                                "at most 1048576 are read",
		`{"command":"view","path":"/memories/lines.md"}`:                                             "File /memories/lines.md exceeds maximum line limit of 999,999 lines.",
		`{"command":"create","path":"/memories/huge.md","file_text":` + string(huge) + `}`:           "at most 1048576 are kept",
		`{"command":"create","path":"/memories/zero.md","file_text":"a\u0000b"}`:                     "zero byte",
		`{"command":"create","path":"/memories/folder/","file_text":"a"}`:                            "path of a folder",
		`{"command":"create","path":"/memories/closed.md/x","file_text":"a"}`:                        "closed.md is a file",
		`{"command":"str_replace","path":"/memories/closed.md","old_str":"closed","new_str":"open"}`: "read-only",
		`{"command":"delete","path":"/memories/closed.md"}`:                                          "read-only",
		`{"command":"str_replace","path":"/memories/closed.md","old_str":"","new_str":"open"}`:       "did not appear",
		`{"command":"view","path":"/memories/closed.md","view_range":[2,1]}`:                         "Invalid `view_range`",
		`{"command":"view","path":"/memories/closed.md","view_range":[1]}`:                           "Invalid `view_range`",
		`{"command":"view","path":7}`:                                                                "`path` is a number",
		`{"command":"insert","path":"/memories/closed.md","insert_text":"x"}`:                        "insert needs `path`, `insert_line` and `insert_text`",
		`{"command":"rename","old_path":"/memories/closed.md"}`:                                      "rename needs",
		`{"command":"rename","old_path":"/memories/sub","new_path":"/memories/sub/below"}`:           "already exists",
		`{"command":"shred","path":"/memories"}`:                                                     "Unknown command: shred",
		`[]`:                                                                                         "not a JSON object",
		`{"input":3}`:                                                                                "not a JSON object",
		``:                                                                                           "not a JSON object",
	} {
		if text, failed := r.say(call); !failed || !strings.Contains(text, want) {
			t.Errorf("%.100s:\n got %.200q\nwant %q", call, text, want)
		}
	}
	if got := r.file("memories/binary.bin") + r.file("memories/closed.md"); got != "\x00\xffclosed" {
		t.Errorf("%q", got)
	}
	if got := r.file("memories/huge.md") + r.file("memories/zero.md"); !strings.HasPrefix(got, "!no such file") {
		t.Errorf("%.100q", got)
	}
}

// Every change can be taken back, the last first, until nothing is there.
func TestUndo(t *testing.T) {
	r := newRig(t)
	for _, call := range []string{
		`{"command":"create","path":"/memories/a/one.md","file_text":"one\r\ntwo\r\n"}`,
		`{"command":"create","path":"/memories/a/b/two.md","file_text":"2"}`,
		`{"command":"insert","path":"/memories/a/one.md","insert_line":1,"insert_text":"between"}`,
		`{"command":"str_replace","path":"/memories/a/one.md","old_str":"two"}`,
		`{"command":"rename","old_path":"/memories/a","new_path":"/memories/c"}`, `{"command":"delete","path":"/memories/c"}`,
	} {
		if text, failed := r.say(call); failed {
			t.Fatal(text)
		}
	}
	m := testfiles.Open(r.dir, "ann").Memories()
	list, err := m.Changes(t.Context(), 100)
	if err != nil || len(list) != 6 || list[0].Command != "delete" || list[0].Files() != 2 || list[1].Files() != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := m.Undo(t.Context(), list[3].ID); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("out of order: %v", err)
	}
	want := []map[string]string{
		{"c/one.md": "one\r\nbetween\r\n\r\n", "c/b/two.md": "2", "a/one.md": "!"},
		{"a/one.md": "one\r\nbetween\r\n\r\n", "a/b/two.md": "2", "c/one.md": "!"},
		{"a/one.md": "one\r\nbetween\r\ntwo\r\n"}, {"a/one.md": "one\r\ntwo\r\n"}, {"a/b/two.md": "!"}, {"a/one.md": "!"},
	}
	for i, c := range list {
		if _, err := m.Undo(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		for name, text := range want[i] {
			if got := r.file("memories/" + name); got != text && !(text == "!" && strings.HasPrefix(got, "!")) {
				t.Errorf("after the undo of %s, %s: %q", c.Command, name, got)
			}
		}
	}
	again, err := m.Changes(t.Context(), 1)
	if err != nil || again[0].Undoes != list[5].ID {
		t.Fatalf("%+v, %v", again, err)
	}
	if _, err := m.Undo(t.Context(), again[0].ID); err != nil || r.file("memories/a/one.md") != "one\r\ntwo\r\n" {
		t.Errorf("undo of an undo: %v, %q", err, r.file("memories/a/one.md"))
	}
	r.put("memories/a/one.md", "a person's")
	if _, err := m.Undo(t.Context(), list[5].ID); memory.CodeOf(err) != memory.CodeConflict || r.file("memories/a/one.md") != "a person's" {
		t.Errorf("over a person's: %v", err)
	}
	for _, id := range []string{"", "99", "../../x", "x"} {
		if _, err := m.Undo(t.Context(), id); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// Of several at once none loses what another wrote, and each name is made once.
func TestManyAtOnce(t *testing.T) {
	r := newRig(t)
	r.says([2]string{`{"command":"create","path":"/memories/list.md","file_text":""}`, "File created successfully at: /memories/list.md"})
	const each = 10
	made := make([]int, 4)
	var group sync.WaitGroup
	for i := range made {
		group.Go(func() {
			one := rig{serviceAt(r.dir), t, r.dir}
			for j := range each {
				if text,
					failed := one.say(fmt.Sprintf(`{"command":"insert","path":"/memories/list.md","insert_line":0,"insert_text":"%d-%d"}`,
					i, j)); failed {
					t.Error(text)
				}
				if _, failed := one.say(fmt.Sprintf(`{"command":"create","path":"/memories/%d.md","file_text":"%d"}`, j, i)); !failed {
					made[i]++
				}
			}
		})
	}
	group.Wait()
	if got := strings.Count(r.file("memories/list.md"), "\n"); got != each*len(made) {
		t.Errorf("%d lines", got)
	}
	if made[0]+made[1]+made[2]+made[3] != each {
		t.Errorf("made %v", made)
	}
}

type auditor struct{ entries []string }

func (a *auditor) Begin(ctx context.Context, tool, request string) context.Context {
	a.entries = append(a.entries, tool)
	return ctx
}

func (a *auditor) End(_ context.Context, code string) error {
	a.entries[len(a.entries)-1] += " " + code
	return nil
}

// A token sees the files of its own agent, may be for reading only, and what it changes
// is noted.
func TestIdentities(t *testing.T) {
	var audit auditor
	r := newRig(t, func(o *memorytool.Options) { o.Audit = &audit })
	const call = `{"command":"create","path":"/memories/a.md","file_text":"x"}`
	as := func(i access.Identity) context.Context { return access.With(t.Context(), i) }
	for _, one := range []struct {
		who   access.Identity
		fails string
	}{
		{access.Identity{Agent: "bob"}, ""}, {access.Identity{Agent: "bob"}, "already exists"},
		{access.Identity{Agent: "ann", ReadOnly: true}, "may only read"},
		{access.Identity{Agent: "ann", Projects: []string{"p"}}, "restricted to projects"},
	} {
		if text, failed := r.as(as(one.who), call); failed != (one.fails != "") || !strings.Contains(text, one.fails) {
			t.Errorf("%+v: %s", one.who, text)
		}
	}
	if text, failed := r.as(as(access.Identity{Agent: "ann", ReadOnly: true}), `{"command":"view","path":"/memories"}`); failed ||
		strings.Contains(text, "a.md") {
		t.Errorf("another's: %s", text)
	}
	if got := fmt.Sprint(audit.entries); got != "[memory_tool_create  memory_tool_create invalid_argument memory_tool_create forbidden memory_tool_create forbidden]" {
		t.Error(got)
	}
	closed := rig{serviceAt(r.dir, func(o *memorytool.Options) { o.ReadOnly = true }), t, r.dir}
	if text, failed := closed.say(call); !failed || !strings.Contains(text, "can only be read") {
		t.Error(text)
	}
}
