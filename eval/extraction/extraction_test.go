package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/eval/sets"
)

const turnLines = `{"case":"c","id":"D1","session":"S1","speaker":"Ann","ts":"2023-05-08T13:56:00","seq":0,"text":"Hey Bob! I adopted a greyhound from the shelter yesterday."}
{"case":"c","id":"D2","session":"S1","speaker":"Bob","ts":"2023-05-08T13:56:00","seq":1,"text":"Great! The soup in the canteen was cold."}
`

const goldLines = `{"case":"c","id":"O1","session":"S1","speaker":"Ann","ts":"2023-05-08T13:56:00","seq":0,"text":"Ann adopted a greyhound from a shelter.","src":["D1"]}
{"case":"c","id":"O2","session":"S1","speaker":"Bob","ts":"2023-05-08T13:56:00","seq":1,"text":"Bob adopted a greyhound from a shelter.","src":["D2"]}
`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, lines := range map[string]string{"x_dev": turnLines, "x_facts_dev": goldLines} {
		if err := os.WriteFile(filepath.Join(dir, name+sets.CorpusSuffix), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := run(context.Background(), []string{"--data", dir, "--sample", "1", "--missed", "9"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"x_dev extracted 1 50.0 50.0 100.0 100.0 100.0 0.50", // Bob's observation is about somebody else
		"Ann adopted a greyhound from the shelter on 7 May 2023.",
		"missed: Bob adopted a greyhound from a shelter. Bob: Great! The soup",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"--data", t.TempDir()}, {"--data", "x", "y"}, {"--data", "x", "--sample", "-1"}} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestStandsAlone(t *testing.T) {
	names := map[string]bool{"ann": true}
	for text, want := range map[string]bool{
		"Ann adopted a greyhound.":                 true,
		"The user lives in a tent near the river.": true,
		"It was adopted by Ann in Ghent.":          false,
		"Ann adopted my greyhound.":                false,
		"Does Ann keep a greyhound?":               false,
		"Soup is always served cold there.":        false,
		"Ann sings.":                               false,
	} {
		if got := standsAlone(text, names); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
