package transcripts_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

// FuzzRead reads anything in every format, at once and in two pieces: no panic,
// no empty turn, and the same turns.
func FuzzRead(f *testing.F) {
	for _, file := range []string{"claude-code.jsonl", "codex.jsonl", "codex-old.jsonl", "gemini.jsonl", "gemini.json", "copilot.jsonl",
		"cursor.jsonl"} {
		text := fixture(f, file)
		f.Add(text, uint16(len(text)/2))
		for line := range strings.Lines(text) {
			f.Add(line, uint16(0))
		}
	}
	f.Fuzz(func(t *testing.T, text string, cut uint16) {
		for _, format := range append(transcripts.Formats(), "") {
			o := transcripts.Options{Format: format, SkipBad: true, MaxResult: 100}
			whole := map[string]bool{}
			collect := func(into map[string]bool) func(transcripts.Turn) error {
				return func(turn transcripts.Turn) error {
					if strings.TrimSpace(turn.Content) == "" && len(turn.Details.ToolCalls) == 0 || strings.Contains(turn.Content, "\x00") {
						t.Errorf("turn %+v of %q", turn, text)
					}
					into[turn.ExternalID] = true
					return nil
				}
			}
			report, err := transcripts.Read(strings.NewReader(text), o, collect(whole))
			if err != nil && memory.CodeOf(err) == memory.CodeInternal {
				t.Fatal(err)
			}
			if err != nil || report.Skipped > 0 || strings.HasPrefix(text, "\x1f\x8b") {
				continue
			}
			pieces := map[string]bool{}
			first, err := transcripts.Resume(strings.NewReader(text[:min(int(cut), len(text))]), transcripts.Mark{}, o, collect(pieces))
			if err != nil {
				continue // it begins as something else
			}
			if first.Skipped > 0 || first.Format != report.Format && first.Format != "" {
				continue
			}
			if _, err := transcripts.Resume(strings.NewReader(text), first.Mark, o, collect(pieces)); err != nil {
				t.Fatal(err)
			}
			for name := range whole {
				if !pieces[name] {
					t.Errorf("format %q: cut at %d, %s is missing of %q", format, cut, name, text)
				}
			}
		}
	})
}
