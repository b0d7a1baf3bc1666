package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcp-memory/memory"
)

type saved struct {
	ID, Action, Category string
	Project              string
	SearchableBy         []string `json:"searchable_by"`
	SavedTo              []string `json:"saved_to"`
}

type recalled struct {
	Results []struct {
		ID, Content, Category, Kind, Project string
		Score                                float64
		Tags                                 []string
	}
	TotalTokens int `json:"total_tokens"`
}

func TestSaveRecallForget(t *testing.T) {
	m := newMachine(t)
	var cat saved
	m.read(&cat, "save", "My cat's name", "is Whiskerino.", "--tags", "pet,home", "--importance", "0.9", "--metadata", `{"page":7}`)
	if cat.Action != "created" || len(cat.ID) != 36 || len(cat.SearchableBy) != 2 || len(cat.SavedTo) != 2 {
		t.Errorf("saved %+v", cat)
	}
	if text := m.ok("save", "my cat's name is whiskerino"); !strings.Contains(text, "Already known as "+cat.ID) {
		t.Errorf("saving it again says %q", text)
	}
	m.ok("save", "The harbour closes at nine.")
	var answer recalled
	m.read(&answer, "recall", "What is", "my cat called?", "--limit", "1")
	if len(answer.Results) != 1 || answer.Results[0].ID != cat.ID || len(answer.Results[0].Tags) != 2 || answer.TotalTokens == 0 {
		t.Errorf("recalled %+v", answer)
	}
	if text := m.ok("recall", "harbour"); !strings.Contains(text, ".\n\nThe harbour closes at nine.\n  ") ||
		!strings.Contains(text, " · fact · ") {
		t.Errorf("recall prints %q", text)
	}
	if table := m.ok("recall", "harbour", "--explain"); !strings.Contains(table, "\n1. The harbour closes at nine.\n  First because it") {
		t.Errorf("recall --explain prints %q", table)
	}
	if text := m.ok("search", "harbour"); !strings.Contains(text, "The harbour closes") {
		t.Errorf("search prints %q", text)
	}
	if text := m.ok("recall", "?!"); text != "Nothing about this is remembered.\n" {
		t.Errorf("recalling punctuation prints %q", text)
	}
	var changed saved
	m.read(&changed, "update", cat.ID, "--content", "My cat's name is Whiskerino the Second.")
	if changed.Action != "superseded" || changed.ID == cat.ID {
		t.Errorf("updated %+v", changed)
	}
	var got struct {
		Records []struct {
			Content string
			History []struct{ ID string }
		}
		Missing []string
	}
	m.read(&got, "get", changed.ID, "nothing")
	if len(got.Records) != 1 || len(got.Records[0].History) != 2 || len(got.Missing) != 1 {
		t.Errorf("got %+v", got)
	}
	var forgotten struct {
		Forgotten int
		UndoID    string `json:"undo_id"`
	}
	m.read(&forgotten, "forget", changed.ID)
	m.ok("forget", "--undo", forgotten.UndoID)
	m.fails(exitFailed, "undone already", "forget", "--undo", forgotten.UndoID)
	var stats memory.Stats
	m.read(&stats, "stats")
	if stats.Records != 2 || stats.Superseded != 1 || stats.Archived != 0 || stats.Vectors == 0 || stats.Agent != "default" {
		t.Errorf("stats %+v", stats)
	}
	if text := m.ok("stats"); !strings.Contains(text, "2 live, 0 archived, 1 replaced") {
		t.Errorf("stats prints %q", text)
	}
}

func TestSaveFromStdin(t *testing.T) {
	m := newMachine(t)
	for _, args := range [][]string{{"save"}, {"save", "-"}} {
		text := "\nPiped by " + strings.Join(args, " ") + ",\nin two lines.\n\n"
		if r := m.run(text, args...); r.code != exitDone || !strings.HasPrefix(r.stdout, "Saved as ") {
			t.Fatalf("%v: %+v", args, r)
		}
		var answer recalled
		m.read(&answer, "recall", "piped in two lines", "--limit", "1")
		if len(answer.Results) != 1 || !strings.HasSuffix(answer.Results[0].Content, "in two lines.") {
			t.Errorf("%v: %+v", args, answer)
		}
	}
	if r := m.run(strings.Repeat("x", 33<<10), "save"); r.code != exitUsage || !strings.Contains(r.stderr, "too_large") {
		t.Errorf("33 KiB on stdin: %+v", r)
	}
	// A line's end is not content: what just fits is saved.
	if r := m.run(strings.Repeat("y", memory.MaxContentBytes)+"\n", "save"); r.code != exitDone {
		t.Errorf("32 KiB and a line's end on stdin: %+v", r)
	}
	if r := m.run("a\xffb", "save"); r.code != exitUsage || !strings.Contains(r.stderr, "UTF-8") {
		t.Errorf("not UTF-8 on stdin: %+v", r)
	}
}

func TestAgentsAndProjectsAreApart(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The launch code is sesame.", "--agent", "ann")
	m.ok("save", "The launch site is Kourou.", "--agent", "ann", "--project", "rocket")
	m.ok("save", "Oars are of ash.", "--agent", "ann", "--project", "boat")
	for _, test := range []struct {
		want int
		args []string
	}{
		{1, []string{"--agent", "ann"}}, {2, []string{"--agent", "ann", "--project", "rocket"}},
		{2, []string{"--agent", "ann", "--project", "boat"}},
		{3, []string{"--agent", "ann", "--project", "*"}}, {0, nil}, {0, []string{"--agent", "Ann"}}, {0, []string{"--project", "*"}},
	} {
		var answer recalled
		m.read(&answer, append([]string{"recall", "launch"}, test.args...)...)
		if len(answer.Results) != test.want {
			t.Errorf("%v: %+v", test.args, answer.Results)
		}
	}
}

// Where the embedding endpoint does not want us, a save still succeeds, and
// stderr says what is missing.
func TestSaveWithoutItsEndpoint(t *testing.T) {
	m := newMachine(t)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(endpoint.Close)
	m.env["MCP_MEMORY_EMBED_URL"], m.env["MCP_MEMORY_EMBED_MODEL"], m.env["MCP_MEMORY_EMBED_DIMENSIONS"] = endpoint.URL, "m", "8"
	r := m.run("", "save", "The harbour closes at nine.", "--json")
	if r.code != exitDone || !strings.Contains(r.stdout, `"created"`) || !strings.Contains(r.stderr, "its vector follows") {
		t.Errorf("%+v", r)
	}
	var stats memory.Stats
	m.read(&stats, "stats")
	if stats.Records != 1 || stats.VectorsQueued != 1 || stats.Vectors != 0 {
		t.Errorf("%+v", stats)
	}
}

func TestOnlyTheOwnerMayRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there are no such modes
	}
	m := newMachine(t)
	m.ok("save", "The harbour closes at nine.")
	files := 0
	err := filepath.Walk(m.dataDir(), func(path string, info os.FileInfo, err error) error {
		want := os.FileMode(0o600)
		if err == nil && info.IsDir() {
			want = 0o700
		}
		if files++; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil || files < 4 {
		t.Errorf("%d files, %v", files, err)
	}
}

// The server ends with its input, and stdout has nothing but the protocol.
func TestServe(t *testing.T) {
	m := newMachine(t)
	const in = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"The harbour closes at nine."}}}`
	for _, args := range [][]string{nil, {"serve"}, {"serve", "--log-level", "debug", "--log-format", "json"}} {
		r := m.run(in, args...)
		lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
		if r.code != exitDone || len(lines) != 2 || !strings.Contains(lines[0], "serverInfo") ||
			!strings.Contains(lines[1], `"structuredContent"`) {
			t.Errorf("%v: %+v", args, r)
		}
		if strings.Contains(r.stderr, "harbour") {
			t.Errorf("the log has memory text: %s", r.stderr)
		}
	}
	if text := m.ok("recall", "harbour"); !strings.Contains(text, "closes at nine") {
		t.Errorf("recall prints %q", text)
	}
}

// A line of a list begins like a flag: whoever saves one is told how, and that works.
func TestTextThatBeginsLikeAFlag(t *testing.T) {
	m := newMachine(t)
	for _, args := range [][]string{{"save", "- buy milk"}, {"save", "-5 degrees outside"}, {"recall", "--- milk"}} {
		m.fails(exitUsage, `behind --: mcp-memory `+args[0]+` -- "- milk"`, args...)
	}
	m.ok("save", "--tags", "list", "--", "- buy milk")
	if text := m.ok("recall", "--", "- milk"); !strings.Contains(text, "\n- buy milk\n") {
		t.Errorf("recall prints %q", text)
	}
	if r := m.run("", "stats", "-x"); r.code != exitUsage || strings.Contains(r.stderr, "behind") {
		t.Errorf("%+v", r) // no text is meant
	}
}
