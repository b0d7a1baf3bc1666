package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/text/taxonomy/training"
)

func TestWrongArguments(t *testing.T) {
	for _, args := range [][]string{{"--unknown"}, {"word"}, {"--table", filepath.Join(t.TempDir(), "none")}, {"--table", "main.go"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

func TestLabelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.jsonl")
	lines := `{"id": "1", "content": "My dog barks.", "category": "identity"}` + "\n" +
		`{"content": "Fewer screens.", "category": "goal", "hard": true}` + "\n"
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := labelled(path)
	if err != nil || len(set) != 2 || set[0].Category != "identity" || !set[1].Hard {
		t.Errorf("%+v, %v", set, err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := labelled(path); err == nil {
		t.Error("half a line is accepted")
	}
}

func TestShow(t *testing.T) {
	r := training.Report{Set: training.Categories()}
	r.Add(training.Sentence{Text: "a", Category: "goal", Hard: true}, "event")
	r.Add(training.Sentence{Text: "b", Category: "goal"}, "goal")
	var out strings.Builder
	show(&out, "two", r)
	if want := "two: 50.0 % of 2; easy 100.0 of 1, hard 0.0 of 1"; !strings.Contains(out.String(), want) {
		t.Errorf("%s", out.String())
	}
}
