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
