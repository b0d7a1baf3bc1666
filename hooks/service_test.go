package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/cognition"
	"mcp-memory/contextwindow"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var scope = memory.Scope{Agent: "anna"}

// bank is a service over a bank, with nobody else who reads transcripts.
func bank(t *testing.T) (*Service, *testbank.Bank) {
	t.Helper()
	return bankWith(t, testbank.Options{})
}

// bankWith is bank, on a bank that is made otherwise.
func bankWith(t *testing.T, o testbank.Options) (*Service, *testbank.Bank) {
	t.Helper()
	b := testbank.New(t, o)
	s := New(Options{
		Store: b.Store, Recall: b.Recall, Window: contextwindow.New(b.WindowOptions()),
		Tokens: b.Tokens, Clock: b.Clock, Log: b.Log, Extract: b.Summarizers()[0],
		Cognition: cognition.New(b.CognitionOptions()),
		Lock:      func(context.Context, string) (func(), bool) { return func() {}, true },
	})
	s.lag = 2 * lagPoll // nobody writes meanwhile
	return s, b
}

func (s *Service) mustCapture(t *testing.T, c Call) {
	t.Helper()
	if err := s.Capture(t.Context(), scope, c); err != nil {
		t.Fatal(err)
	}
}

// reported are the contents of a session's turns.
func reported(t *testing.T, b *testbank.Bank, session string) (texts []string) {
	t.Helper()
	turns, err := b.Store.Turns(t.Context(), scope.Agent, session, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range turns {
		texts = append(texts, one.Content)
	}
	return texts
}

func line(n int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"Message number %d."}}`+"\n", n, n)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A transcript that grows, is cut, exchanged or deleted is read once and breaks nothing.
func TestTranscriptChanges(t *testing.T) {
	s, b := bank(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	c := Call{Host: "claude-code", Event: Stop, Name: "Stop", Session: "s", Transcript: path}
	want := func(n int) {
		t.Helper()
		if got := reported(t, b, "s"); len(got) != n {
			t.Fatalf("%d turns, want %d: %q", len(got), n, got)
		}
	}
	s.mustCapture(t, c) // it is not there yet
	want(0)
	write(t, path, line(1)+line(2)+line(3)[:30])
	s.mustCapture(t, c)
	want(2)
	write(t, path, line(1)+line(2)+line(3))
	s.mustCapture(t, c)
	s.mustCapture(t, c)
	want(3)
	write(t, path, line(1)) // cut
	s.mustCapture(t, c)
	want(3)
	write(t, path, line(7)+line(1)) // another file
	s.mustCapture(t, c)
	want(4)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.mustCapture(t, c)
	want(4)
}

// What the host says that its model said last is kept once, also where the transcript is late.
func TestLateTranscript(t *testing.T) {
	s, b := bank(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	answer := "The harbour office opens at seven, and I have noted that."
	write(t, path, line(1))
	c := Call{Host: "claude-code", Event: Stop, Name: "Stop", Session: "s", Transcript: path, Last: answer}
	s.mustCapture(t, c)
	if got := reported(t, b, "s"); len(got) != 1 {
		t.Errorf("too soon: %q", got)
	}
	data, err := json.Marshal(map[string]any{"type": "assistant", "uuid": "a1", "sessionId": "s", "timestamp": "2026-03-01T10:00:01Z",
		"message": map[string]any{"role": "assistant", "content": answer}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, line(1)+string(data)+"\n")
	s.mustCapture(t, Call{Host: "claude-code", Event: SessionEnd, Name: "SessionEnd", Session: "s", Transcript: path})
	if got := reported(t, b, "s"); len(got) != 2 || got[1] != answer {
		t.Errorf("%q", got)
	}
	if left, err := s.Left(t.Context(), scope, Call{Session: "other"}); err != nil || len(left) != 0 {
		t.Errorf("still open: %v, %v", left, err)
	}
}

// mustShow is what is shown about a prompt.
func (s *Service) mustShow(t *testing.T, prompt, source string) string {
	t.Helper()
	c := Call{Host: "claude-code", Event: Prompt, Name: "UserPromptSubmit", Session: "s", Prompt: prompt, Source: source}
	answer, err := s.Show(t.Context(), scope, c)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Note != nil {
		if err := answer.Note(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return answer.Text
}

// Nothing is shown that nobody is sure of, that was shown before, or for what is no question.
func TestPrompts(t *testing.T) {
	s, b := bank(t)
	for _, content := range []string{"The invoice service runs on port 8443.", "The cat is called Whiskerino."} {
		if _, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(prompt, source string) string { return s.mustShow(t, prompt, source) }
	const question = "Which port does the invoice service run on?"
	for _, silent := range [][2]string{
		{"/" + "invoice service port", ""}, {"ok", ""}, {question, "schedule_wakeup"},
		{"<task-notification>" + question + "</task-notification>", ""},
		{"Which airport has the longest runway in Peru?", ""}, {strings.Repeat("? ", 2000), ""},
	} {
		if got := ask(silent[0], silent[1]); got != "" {
			t.Errorf("%q of %q shows %q", silent[0], silent[1], got)
		}
	}
	if got := ask(question, "user"); !strings.Contains(got, "8443") || strings.Contains(got, "Whiskerino") ||
		!strings.HasPrefix(got, "<mcp-memory-recall>") {
		t.Errorf("shows %q", got)
	}
	if got := ask(question, "user"); got != "" {
		t.Errorf("shows again %q", got)
	}
}

// TestCallsThatAreSent: what a plug-in sends of calls is kept as what was done, once, without secrets and calls
// of this program.
func TestCallsThatAreSent(t *testing.T) {
	s, b := bank(t)
	s.Actions = b.Actions()
	payload := `{"host":"opencode","session_id":"s","cwd":"/w","messages":[{"id":"m1","role":"user","text":"Deploy it."},
		{"id":"m2","role":"assistant","text":"","at":1772366400000,"calls":[{"id":"c1","name":"bash","arguments":{"command":"sh deploy.sh TOKEN=ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"},"error":"Exit code 3\nno token"},
			{"id":"c2","name":"write","arguments":{"filePath":"/w/deploy.sh","content":"echo it is deployed"},"result":"ok"},{"id":"c3","name":"memory_memory_save","arguments":{"content":"x"},"result":"saved"}]}]}`
	c, ok := Decode([]byte(payload), "opencode", "stop")
	if !ok {
		t.Fatal("it is not understood")
	}
	for range 2 {
		s.mustCapture(t, c)
	}
	list, err := b.Actions().List(t.Context(), scope, "s", 0)
	var did []string
	for _, a := range list {
		did = append(did, fmt.Sprintf("%s %s %d/%d %s %s: %s", a.Host, a.Text, a.Outcome, a.Exit, a.Dir, a.Asked, a.Tail))
	}
	want := []string{"opencode /w/deploy.sh 1/0 /w Deploy it.: ", "opencode sh deploy.sh TOKEN=[secret] 2/3 /w Deploy it.: no token"}
	slices.Sort(did)
	if err != nil || !slices.Equal(did, want) {
		t.Errorf("%q, %v", did, err)
	}
	if texts := reported(t, b, "s"); len(texts) != 1 {
		t.Errorf("said %q", texts)
	}
}

// Of the calls that a plug-in sends no more are read than a session can have.
func TestCallsAreBounded(t *testing.T) {
	calls := `[{"id":"c1","name":"bash","arguments":{"command":"` + strings.Repeat("a", 1500<<10) + `"}}]`
	message := func(id string) string {
		return `{"id":"` + id + `","role":"assistant","text":"Done.","calls":` + calls + `}`
	}
	c, ok := Decode([]byte(`{"host":"opencode","session_id":"s","cwd":"/w","messages":[`+message("m1")+","+message("m2")+`]}`),
		"opencode", "stop")
	if !ok || len(c.Messages) != 2 || c.Messages[0].Calls == nil || c.Messages[1].Calls != nil {
		t.Errorf("%t, %d messages", ok, len(c.Messages))
	}
}
