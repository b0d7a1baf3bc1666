package hooks

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// Of two versions a prompt shows the newest, also where that was shown before.
func TestPromptShowsTheNewest(t *testing.T) {
	clock := new(testbank.Clock)
	s, b := bankWith(t, testbank.Options{Clock: clock.Now, Supersede: remember.SupersedeAsk})
	for _, content := range []string{
		"VAT is rounded per invoice in the billing service.", "The cat is called Whiskerino.",
		"The port of Hamburg is foggy.", "The backup runs every night.",
		"The staging server of the choir is called heron.",
		"The mail service runs at night.", "Correction: VAT is rounded per line, not per invoice.",
	} {
		if _, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content}); err != nil {
			t.Fatal(err)
		}
		clock.Pass(24 * time.Hour)
	}
	const question = "Is VAT rounded per line or per invoice?"
	for i, want := range []bool{true, false} {
		if text := s.mustShow(t, question, ""); strings.Contains(text, "per line") != want || strings.Contains(text, "billing service") {
			t.Errorf("prompt %d shows %q of %v", i, text, s.found(t, question))
		}
	}
}

// What is saved in one moment has an order, too; and nothing takes the place of what is newer.
func TestReplacedAmongResults(t *testing.T) {
	s, b := bank(t)
	older, newer := "VAT is rounded per invoice in the billing service.", "Correction: VAT is rounded per line, not per invoice."
	for _, content := range []string{older, newer} {
		if _, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content, Quiet: true}); err != nil {
			t.Fatal(err)
		}
	}
	found := s.found(t, "How is VAT rounded?")
	both := []recall.Result{found[older], found[newer]}
	if !s.replaced(t.Context(), scope.Agent, found[older], both) || s.replaced(t.Context(), scope.Agent, found[newer], both) {
		t.Errorf("of %v", both)
	}
}

// What a prompt shows beside what was shown before: not a rule that this says is over, and nothing older without
// what it says is new, which comes first.
func TestPromptKnowsWhatWasShown(t *testing.T) {
	for _, c := range []struct {
		older, newer, prompt string
		both                 bool
	}{
		{"The user wants the assistant to never deploy on Fridays.", "The user allows the assistant to deploy on Fridays again.",
			"Can I deploy on Fridays?", false},
		{"The dev API listens on port 8300.", "Btw dev api port is 8311 since today, 8300 is taken.", "Which port does the dev API listen on?", true},
	} {
		clock := new(testbank.Clock)
		s, b := bankWith(t, testbank.Options{Clock: clock.Now, Supersede: remember.SupersedeAsk})
		var ids []string
		for _, content := range []string{"The backup runs every night.", "The cat is called Whiskerino.", c.older, c.newer} {
			result, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, result.ID)
			clock.Pass(24 * time.Hour)
		}
		if found := s.found(t, c.prompt); found[c.older].ID == "" {
			t.Fatalf("%s does not find the older one", c.prompt)
		}
		if err := s.note(t.Context(), scope, Call{Host: "claude-code", Event: SessionStart, Session: "s"}, ids[3:]); err != nil {
			t.Fatal(err)
		}
		text := s.mustShow(t, c.prompt, "")
		if at := strings.Index(text, c.older); (at >= 0) != c.both || c.both && strings.Index(text, c.newer) > at {
			t.Errorf("%s: %q", c.prompt, text)
		}
		if c.both && !strings.Contains(text, c.newer) {
			t.Errorf("%s lacks the newer one: %q", c.prompt, text)
		}
	}
}
