package foreign_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/internal/golden"
	"mcp-memory/memory"
	"mcp-memory/transfer/foreign"
)

// written is when every file of the test data was.
var written = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// copied returns a copy of a file or folder of the test data, of a known time.
func copied(t testing.TB, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "data", name)
	from := filepath.Join("testdata", name)
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o700); err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, rel), text, 0o600)
		}
		if err == nil {
			err = os.Chtimes(filepath.Join(to, rel), written, written)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// database makes one of statements, and closes it.
func database(t testing.TB, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "their.db")
	db, err := sqlite.OpenDriver("file:" + path)
	if err == nil {
		_, err = db.Exec(statements)
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func open(ctx context.Context, path string) (foreign.Database, error) {
	return sqlite.OpenForeign(ctx, path)
}

func source(t testing.TB, name string) foreign.Source {
	t.Helper()
	all := foreign.Named(name)
	if len(all) == 0 {
		t.Fatalf("there is no source %s", name)
	}
	return all[0]
}

func read(t testing.TB, name, path string, o foreign.Options) []foreign.Item {
	t.Helper()
	items, err := tryRead(t, name, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func tryRead(t testing.TB, name, path string, o foreign.Options) (items []foreign.Item, err error) {
	t.Helper()
	err = foreign.Read(t.Context(), []foreign.Target{{Source: source(t, name), Path: path}}, foreign.Input{Open: open, Options: o},
		func(i foreign.Item) error { items = append(items, i); return nil })
	return items, err
}

// shown is an item as the test data has it.
func shown(i foreign.Item, root string) string {
	if i.Bad != nil {
		return fmt.Sprintf("BAD %s: %s\n", strings.ReplaceAll(filepath.ToSlash(i.Bad.Place), filepath.ToSlash(root), "DATA"), i.Bad.Reason)
	}
	var b strings.Builder
	line := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "0" && text != "[]" && text != "map[]" && text != "false" {
			fmt.Fprintf(&b, "  %s: %s\n", name, strings.ReplaceAll(text, "\n", "\n      "))
		}
	}
	moment := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	fmt.Fprintf(&b, "%s\n", i.Key)
	line("skip", i.Skip)
	line("project", i.Project)
	line("dir", i.Dir)
	line("kind", i.Kind)
	line("category", i.Category)
	line("tags", i.Tags)
	line("importance", i.Importance)
	line("pinned", i.Pinned)
	line("at", moment(i.At))
	line("until", moment(i.ValidUntil))
	line("follows", i.Follows)
	line("review", i.Review)
	if len(i.Origin) > 0 {
		origin, _ := json.Marshal(i.Origin)
		line("origin", string(origin))
	}
	if i.Turn != nil {
		line("said", fmt.Sprintf("%+v", *i.Turn))
	}
	if i.Triple != nil {
		line("triple", fmt.Sprintf("%s|%s|%s", i.Triple.Subject, i.Triple.Predicate, i.Triple.Object))
	}
	if i.Procedure != nil {
		line("procedure", fmt.Sprintf("%s: %d steps", i.Procedure.Name, len(i.Procedure.Steps)))
	}
	line("text", i.Content)
	return b.String()
}

func wantItems(t *testing.T, name string, items []foreign.Item, root string) {
	t.Helper()
	var b strings.Builder
	for _, i := range items {
		b.WriteString(shown(i, root))
	}
	golden.Compare(t, "testdata/"+name+".want", []byte(b.String()))
}

// TestFormats reads what each program writes, once with all options and once without.
func TestFormats(t *testing.T) {
	all := foreign.Options{All: true, Prompts: true, Instructions: true}
	for _, c := range []struct {
		source, data string
		options      foreign.Options
	}{
		{"server-memory", "server-memory.jsonl", foreign.Options{}}, {"engram", "engram.json", all}, {"claude-mem", "claude-mem.json", all},
		{"mcp-memory-service", "mcp-memory-service.json", foreign.Options{}},
		{"mem0", "mem0.json", foreign.Options{}}, {"mem0", "mem0-platform.json", foreign.Options{}},
		{"agentmemory", "agentmemory.json", all}, {"agentmemory", "agentmemory-store.json", all},
		{"basic-memory", "basic-memory", foreign.Options{}}, {"claude-code", "claude-code", all},
		{"codex", "codex", foreign.Options{}}, {"obsidian", "obsidian", foreign.Options{}},
	} {
		t.Run(c.data, func(t *testing.T) {
			path := copied(t, c.data)
			items := read(t, c.source, path, c.options)
			wantItems(t, c.data, items, path)
			keys := map[string]string{}
			for _, i := range items {
				if i.Bad == nil && keys[i.Key] != "" && keys[i.Key] != i.Content {
					t.Errorf("key %s is of %q and of %q", i.Key, keys[i.Key], i.Content)
				}
				if keys[i.Key] = i.Content; i.Program != c.source {
					t.Errorf("%s is of program %q", i.Key, i.Program)
				}
			}
			sample, err := foreign.Look(t.Context(), path, open)
			if err != nil {
				t.Fatal(err)
			}
			if s, err := foreign.Recognise(sample); c.data != "mem0-platform.json" && c.data != "basic-memory" && c.data != "claude-code" &&
				(err != nil || s.Name != c.source) {
				t.Errorf("recognised as %q, %v", s.Name, err)
			}
		})
	}
}

// TestFilters: what is unlikely to be of use, told what to do, or was only typed comes on request.
func TestFilters(t *testing.T) {
	for data, want := range map[string][]string{
		"claude-mem.json":         {"observations that only say what was changed (--all takes them)"},
		"agentmemory.json":        {"earlier versions", "procedures (--include-instructions takes them)"},
		"mcp-memory-service.json": {"memories that its consolidation has written (--all takes them)"}, "engram.json": {"deleted there"},
	} {
		var skipped []string
		for _, i := range read(t, strings.TrimSuffix(data, ".json"), copied(t, data), foreign.Options{}) {
			if i.Turn != nil {
				t.Errorf("%s gives a prompt: %q", data, i.Content)
			}
			if i.Skip != "" {
				skipped = append(skipped, i.Skip)
			}
		}
		slices.Sort(skipped)
		if !slices.Equal(skipped, want) {
			t.Errorf("%s leaves out %q, want %q", data, skipped, want)
		}
	}
	for _, i := range read(t, "claude-code", copied(t, "claude-code"), foreign.Options{}) {
		if slices.Contains(i.Tags, "instruction") {
			t.Errorf("an instruction comes unasked: %q", i.Content)
		}
	}
}

func TestLongTextsComeInParts(t *testing.T) {
	paragraph := strings.Repeat("Ein Wörtchen über nichts. ", 200)
	path := filepath.Join(t.TempDir(), "long.json")
	text, err := json.Marshal([]map[string]string{{"id": "1", "memory": strings.Repeat(paragraph+"\n\n", 20)},
		{"id": "2", "memory": strings.Repeat("x", memory.MaxContentBytes+1)}})
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	items := read(t, "mem0", path, foreign.Options{})
	keys := map[string]bool{}
	length := 0
	for _, i := range items {
		keys[i.Key] = true
		length += len(i.Content)
		if err := memory.CheckText("content", i.Content, memory.MaxContentBytes); err != nil {
			t.Error(err)
		}
	}
	if len(items) != 6 || len(keys) != len(items) || length < 20*len(strings.TrimSpace(paragraph)) {
		t.Errorf("%d items of %d bytes with keys %v", len(items), length, keys)
	}
}
