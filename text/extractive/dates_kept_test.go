package extractive

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/text/when"
)

// A date that is written for what somebody said is a day of which he spoke, in all sentences
// of the measured sets: names of times that are none, and what is unsure, stay as they are.
func TestNoOtherDateIsWritten(t *testing.T) {
	files, err := filepath.Glob("../../eval/sets/judgement/dates/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	written := 0
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := json.NewDecoder(f); ; {
			var line struct {
				SaidAt  time.Time `json:"said_at"`
				Content string
			}
			if err := lines.Decode(&line); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			text := absolute(line.Content, line.SaidAt).text
			if text == line.Content {
				continue
			}
			written++
			spoken := when.Mentions(line.Content, line.SaidAt)
			for _, w := range when.Mentions(text, line.SaidAt) {
				if !slices.ContainsFunc(spoken, func(m when.Mention) bool { return m.Overlaps(w.From, w.To) }) &&
					!strings.Contains(text, "(as of ") {
					t.Errorf("%q became %q", line.Content, text)
				}
			}
		}
	}
	if written < 70 {
		t.Errorf("a date was written into %d sentences only", written)
	}
}
