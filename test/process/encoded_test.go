//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"testing"
)

// sentences is how many memories the sentence encoder has read, and how many wait for it.
type sentences struct {
	Encoded int
	Queued  int `json:"encoder_queued"`
}

func sentencesOf(t *testing.T, dir, agent string) (s sentences) {
	t.Helper()
	out, err := command(t, dir, "--agent", agent, "stats", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &s)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return s
}

// A command that saves encodes it too, and another one's question is read by the encoder,
// though there is no server.
func TestCommandsReadSentences(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fact := "Mrs Petrov from downstairs waters our plants while we are away."
	if out, err := command(t, dir, "--embed-local", "encoder", "save", fact).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// A busy machine may leave one to the next command, which does what waits.
	for i := range 20 {
		if s := sentencesOf(t, dir, "default"); s.Encoded > 0 && s.Queued == 0 {
			break
		} else if i == 19 {
			t.Fatalf("no command has encoded what was saved: %+v", s)
		}
		if out, err := command(t, dir, "--embed-local", "encoder", "save", fmt.Sprintf("Bolt number %d costs %d crowns.", i, 3+i)).
			CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	out, err := command(t, dir, "--embed-local", "encoder", "recall", "--json",
		"Who cares for the greenery when the family travels?").Output()
	var answer struct{ Results []struct{ Content string } }
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil || len(answer.Results) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	if first := answer.Results[0]; first.Content != fact {
		t.Errorf("first is %q", first.Content)
	}
}
