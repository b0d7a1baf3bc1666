package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

var sets = filepath.Join("..", "sets", "actions")

// TestTranscripts wants of each session what its host says in its form: all that was said,
// and a result for each call, of the session and of the folder.
func TestTranscripts(t *testing.T) {
	all, err := readScripts(sets, "/home/mira")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 16 {
		t.Errorf("%d scripts", len(all))
	}
	for _, s := range all {
		path, content, err := s.transcript("/home/mira")
		if err != nil {
			t.Fatal(err)
		}
		var messages, calls, wantMessages, wantCalls int
		for _, step := range s.steps {
			if step.kind == says || step.kind == tells {
				wantMessages++
			} else {
				wantCalls++
			}
		}
		report, err := transcripts.Read(bytes.NewReader(content), transcripts.Options{}, func(turn transcripts.Turn) error {
			switch {
			case turn.Session != s.id:
				return fmt.Errorf("a turn of session %q, not %q", turn.Session, s.id)
			case turn.Role == memory.RoleTool:
				calls++
			case turn.Content != "":
				messages++
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s (%s): %v", s.name, path, err)
		}
		if messages != wantMessages || calls != wantCalls || report.Skipped > 0 {
			t.Errorf("%s: %d messages of %d, %d results of %d, %v", s.name, messages, wantMessages, calls, wantCalls, report)
		}
	}
}

// TestGold wants the answer of each question, and what a line before a call should say, to be in the scripts of
// the project, and what is to be silent to have no reason for a line.
func TestGold(t *testing.T) {
	all, err := readScripts(sets, "/home/mira")
	if err != nil {
		t.Fatal(err)
	}
	worked := map[string][]string{} // commands by project
	did := map[string][]string{}    // and files
	said := map[string][]string{}
	touched := map[string][]string{} // files by script
	for _, s := range all {
		for _, step := range s.steps {
			switch step.kind {
			case says, tells:
				said[s.dir] = append(said[s.dir], step.text)
			case runs:
				if step.exit == 0 {
					worked[s.dir] = append(worked[s.dir], step.text)
				}
			case edits, writes:
				did[s.dir] = append(did[s.dir], step.text)
				touched[s.name] = append(touched[s.name], step.text)
			}
		}
		did[s.dir] = append(did[s.dir], worked[s.dir]...)
	}
	has := func(list []string, words []string) bool {
		return slices.ContainsFunc(list, func(text string) bool { return fits(text, words) })
	}
	for _, kind := range []string{"how", "fix", "blame"} {
		questions, err := readQuestions(filepath.Join(sets, kind+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if len(questions) != 80 {
			t.Errorf("%d questions of the kind %s", len(questions), kind)
		}
		for _, q := range questions {
			list := map[string][]string{"how": worked[q.project], "fix": did[q.project], "blame": said[q.project]}[kind]
			if !q.nothing && len(q.words) > 0 && !has(list, q.words) {
				t.Errorf("%s %s: nothing in the scripts fits %q", kind, q.ask, q.words)
			}
			path, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(q.ask, "./"), "~/"+q.project+"/"), ":")
			for _, name := range q.gold {
				if !slices.ContainsFunc(touched[name],
					func(p string) bool { return strings.HasSuffix(p, path) || strings.HasPrefix(p, path+"/") }) {
					t.Errorf("blame %s: script %s does not touch it", q.ask, name)
				}
			}
		}
	}
	calls, err := readCalls(filepath.Join(sets, "calls.txt"))
	if err != nil {
		t.Fatal(err)
	}
	silent := 0
	for _, c := range calls {
		if c.silent {
			silent++
		} else if !has(append(said[c.project], did[c.project]...), c.words) {
			t.Errorf("before %s: nothing in the scripts fits %q", c.what, c.words)
		}
	}
	if len(calls) != 100 || silent != 50 {
		t.Errorf("%d calls, %d of them silent", len(calls), silent)
	}
}
