package hooks

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// found are the results of a recall as a prompt makes it.
func (s *Service) found(t *testing.T, query string) map[string]recall.Result {
	t.Helper()
	answer, err := s.Recall.Recall(t.Context(),
		recall.Request{Query: query, Scope: scope, Limit: candidates, MinScore: recall.Floor, Unasked: true})
	if err != nil {
		t.Fatal(err)
	}
	byText := map[string]recall.Result{}
	for _, r := range answer.Results {
		byText[r.Content] = r
	}
	return byText
}

// What is found but has less than half the score of the best, or is outdated by what stands beside
// it, is not shown; and nothing where it is not sure which answers.
func TestWhatIsFoundAndNotShown(t *testing.T) {
	clock := new(testbank.Clock)
	s, b := bankWith(t, testbank.Options{Clock: clock.Now, Supersede: remember.SupersedeAsk})
	for _, content := range []string{
		"My manager is Petra Vos.", "My manager is Samir Haddad now.",
		"The invoice service runs on port 8443.", "The mail service runs at night.", "The cat is called Whiskerino.",
		"Invoices are kept for ten years.", "The port of Hamburg is foggy.",
		"The report service runs on the old machine in the cellar.", "The backup runs every night.",
		"The deploy password is kept in the green vault.",
		"Run the tests before you open the port in the firewall.", "The staging server of the choir is called heron.",
	} {
		if _, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content}); err != nil {
			t.Fatal(err)
		}
		clock.Pass(24 * time.Hour)
	}
	for query, shown := range map[string]string{
		"What does the invoice service run on?": "The invoice service runs on port 8443.",
		"Who is my manager?":                    "My manager is Samir Haddad now.",
	} {
		found, hidden := s.found(t, query), 0
		got := s.mustShow(t, query, "")
		if !strings.Contains(got, shown) {
			t.Errorf("%s shows %q", query, got)
		}
		for content, r := range found {
			if r.Score < nearly*found[shown].Score || r.OutdatedBy != "" {
				hidden++
				if strings.Contains(got, content) {
					t.Errorf("%s shows %q, of %v and outdated by %q", query, content, r.Score, r.OutdatedBy)
				}
			}
		}
		if hidden == 0 {
			t.Errorf("%s finds nothing that is not shown", query)
		}
	}
	const unsure = "Which service is the slowest?"
	if found, got := s.found(t, unsure), s.mustShow(t, unsure, ""); len(found) == 0 || got != "" {
		t.Errorf("of %d, none of which is sure, shows %q", len(found), got)
	}
}

// What has been replaced is not shown: by what holds in the project, by what is likely to, nor what was put right, where the
// question is what was. And no more is shown than there is room for.
func TestWhatIsReplacedIsNotShown(t *testing.T) {
	here := memory.Scope{Agent: scope.Agent, Project: "web"}
	for _, c := range []struct {
		name, old, next string
		of              memory.Scope // the next
		query           string
		corrects        bool
	}{
		{"here", "My manager is Petra Vos.", "My manager is Samir Haddad now.", here, "Who is my manager?", false},
		{"likely", "I live in Oslo with my husband Jon, two cats and a parrot called Rico.", "I moved to Bergen and live alone.", scope,
			"Where do I live?", false},
		{"put right", "The deploy server is heron.", "The kitchen is painted blue.", scope, "What was the deploy server?", true},
	} {
		clock := new(testbank.Clock)
		s, b := bankWith(t, testbank.Options{Clock: clock.Now, Supersede: remember.SupersedeAsk})
		save := func(of memory.Scope, r remember.SaveRequest) remember.SaveResult {
			t.Helper()
			of.Chosen = true
			result, err := b.Remember.Save(t.Context(), of, r)
			if err != nil {
				t.Fatal(err)
			}
			clock.Pass(24 * time.Hour)
			return result
		}
		first, next := save(scope, remember.SaveRequest{Content: c.old}), remember.SaveRequest{Content: c.next}
		if c.corrects {
			next.Supersedes = first.ID
		}
		save(c.of, next)
		answer, err := s.Recall.Recall(t.Context(),
			recall.Request{Query: c.query, Scope: c.of, Limit: candidates, MinScore: recall.Floor, Unasked: true})
		if err != nil || !answer.Confidence.Sure() ||
			!slices.ContainsFunc(answer.Results, func(r recall.Result) bool { return r.ID == first.ID }) {
			t.Fatalf("%s: it is not found: %+v, %v", c.name, answer, err)
		}
		shown, err := s.Show(t.Context(), c.of,
			Call{Host: "claude-code", Event: Prompt, Name: "UserPromptSubmit", Session: "s", Prompt: c.query})
		if err != nil || strings.Contains(shown.Text, c.old) {
			t.Errorf("%s: shows %q, %v", c.name, shown.Text, err)
		}
	}
	s, b := bank(t)
	for _, content := range []string{"The invoice service runs on port 8443.",
		"The cat is called Whiskerino. " + strings.Repeat("🧑\u200d🚀", 250)} {
		if _, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	const large = "What is the cat called?"
	answer, err := s.Recall.Recall(t.Context(),
		recall.Request{Query: large, Scope: scope, Limit: candidates, MinScore: recall.Floor, Unasked: true})
	if got := s.mustShow(t, large, ""); err != nil || !answer.Confidence.Sure() || got != "" {
		t.Errorf("of %+v, which is larger than the room, shows %q, %v", answer, got, err)
	}
}

// Of sessions that never ended the newest are remembered, a bounded number.
func TestOpenSessionsAreBounded(t *testing.T) {
	clock := new(testbank.Clock)
	s, _ := bankWith(t, testbank.Options{Clock: clock.Now})
	var want []string
	for n := range maxOpen + 3 {
		name := fmt.Sprint("session-", (n*7)%100) // not in the order of their names
		s.mustCapture(t, Call{Host: "claude-code", Event: Stop, Name: "Stop", Session: name})
		want = append(want, name)
		clock.Pass(time.Minute)
	}
	left, err := s.Left(t.Context(), scope, Call{Session: "other"})
	if err != nil || !slices.Equal(left, want[3:]) {
		t.Errorf("%d are left: %v, %v", len(left), left, err)
	}
}

// What the host said and its transcript never has is reported once it is certain that it will not
// come: also where the session has ended by then, by the next one.
func TestWhatNoTranscriptHas(t *testing.T) {
	clock := new(testbank.Clock)
	s, b := bankWith(t, testbank.Options{Clock: clock.Now})
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, line(1))
	const answer = "The harbour office opens at seven, and I have noted that."
	s.mustCapture(t, Call{Host: "claude-code", Event: SessionEnd, Name: "SessionEnd", Session: "s", Transcript: path, Last: answer})
	if got := reported(t, b, "s"); len(got) != 1 {
		t.Fatalf("too soon: %q", got)
	}
	next := Call{Host: "claude-code", Event: SessionStart, Name: "SessionStart", Session: "next"}
	if left, err := s.Left(t.Context(), scope, next); err != nil || !slices.Equal(left, []string{"s"}) {
		t.Fatalf("with what was said and is not reported, %v are open, %v", left, err)
	}
	clock.Pass(late - time.Second)
	for _, want := range []int{1, 2} {
		if err := s.CatchUp(t.Context(), scope, next); err != nil {
			t.Fatal(err)
		}
		if got := reported(t, b, "s"); len(got) != want || got[want-1] != []string{"Message number 1.", answer}[want-1] {
			t.Errorf("%q", got)
		}
		clock.Pass(time.Second)
	}
	if left, err := s.Left(t.Context(), scope, next); err != nil || len(left) > 0 {
		t.Errorf("still open: %v, %v", left, err)
	}
}
