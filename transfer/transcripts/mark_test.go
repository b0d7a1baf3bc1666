package transcripts_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"mcp-memory/transfer/transcripts"
)

// resume reads on from a mark, which is kept as JSON in between.
func resume(t *testing.T, text string, m transcripts.Mark) (names []string, next transcripts.Mark) {
	t.Helper()
	report, err := transcripts.Resume(strings.NewReader(text), m, transcripts.Options{SkipBad: true, Own: transcripts.OwnTool},
		func(turn transcripts.Turn) error {
			names = append(names, turn.Session+" "+turn.Dir+" "+turn.Speaker+" "+turn.ExternalID)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := json.Marshal(report.Mark)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(kept, &next); err != nil {
		t.Fatal(err)
	}
	return names, next
}

// A file that grows by a few bytes at a time, torn anywhere, gives the same turns
// as the whole of it at once, each once.
func TestGrowing(t *testing.T) {
	for _, file := range []string{"claude-code.jsonl", "codex.jsonl", "codex-old.jsonl", "copilot.jsonl", "cursor.jsonl"} {
		t.Run(file, func(t *testing.T) {
			text := fixture(t, file)
			want, _ := resume(t, text, transcripts.Mark{})
			for _, step := range []int{7, 100, 997} {
				var got []string
				var m transcripts.Mark
				for end := step; ; end += step {
					names, next := resume(t, text[:min(end, len(text))], m)
					got, m = append(got, names...), next
					if end >= len(text) {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("in steps of %d:\n%s\nwant\n%s", step, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

// Of a message that grows, what is new comes, and nothing that came gets another name.
func TestGrowingMessages(t *testing.T) {
	text := fixture(t, "gemini.jsonl")
	want, _ := resume(t, text, transcripts.Mark{})
	seen := map[string]bool{}
	var got []string
	var m transcripts.Mark
	for line := range strings.Lines(text) {
		end := strings.Index(text, line) + len(line)
		names, next := resume(t, text[:end], m)
		m = next
		for _, n := range names {
			if !seen[n] {
				got = append(got, n)
			}
			seen[n] = true
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is not the file that was read is read from its start.
func TestAnotherFile(t *testing.T) {
	line := func(id string) string {
		return `{"type":"user","message":{"role":"user","content":"` + id + `"},"uuid":"` + id + `","sessionId":"s"}` + "\n"
	}
	first := line("u1") + line("u2") + line("u3")
	_, m := resume(t, first, transcripts.Mark{})
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"unchanged":             {first, nil},
		"grown":                 {first + line("u4"), []string{"u4"}},
		"truncated":             {line("u1"), []string{"u1"}},
		"replaced":              {line("x1") + line("x2") + line("x3") + line("x4"), []string{"x1", "x2", "x3", "x4"}},
		"changed in the middle": {line("u1") + line("v2") + line("u3") + line("u4"), []string{"u1", "v2", "u3", "u4"}},
		"empty":                 {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			report, err := transcripts.Resume(strings.NewReader(c.text), m, transcripts.Options{}, func(turn transcripts.Turn) error {
				got = append(got, turn.ExternalID)
				return nil
			})
			if err != nil || !slices.Equal(got, c.want) || report.Mark.Offset != int64(len(c.text)) {
				t.Errorf("%v up to %d, %v", got, report.Mark.Offset, err)
			}
		})
	}
}

// A long file whose end was rewritten is noticed although it begins the same.
func TestEndRewritten(t *testing.T) {
	var text strings.Builder
	for range 1000 {
		text.WriteString(`{"role":"user","content":"the same each time"}` + "\n")
	}
	_, m := resume(t, text.String(), transcripts.Mark{})
	rewritten := text.String()[:text.Len()-8] + `timf"}` + "\n\n"
	if names, _ := resume(t, rewritten, m); len(names) != 1000 {
		t.Errorf("%d turns", len(names))
	}
}

// Compressed files and those that are one value have no place to go on from.
func TestReadAgain(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(fixture(t, "claude-code.jsonl")))
	z.Close()
	for name, text := range map[string]string{"gzip": packed.String(), "whole": fixture(t, "gemini.json")} {
		t.Run(name, func(t *testing.T) {
			first, m := resume(t, text, transcripts.Mark{})
			if again, _ := resume(t, text, m); len(first) == 0 || !slices.Equal(first, again) || m.Offset != 0 {
				t.Errorf("first %v, then %v, %+v", first, again, m)
			}
		})
	}
	whole := fixture(t, "gemini.json")
	if names, _ := resume(t, whole[:strings.Index(whole, `"m3"`)], transcripts.Mark{}); len(names) != 4 {
		t.Errorf("a file that ends in the middle: %v", names)
	}
}
