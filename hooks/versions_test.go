package hooks

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
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
		if _, err := b.Remember.Forget(t.Context(), scope, remember.ForgetRequest{IDs: ids[3:]}); err != nil {
			t.Fatal(err)
		}
		if text := s.mustShow(t, c.prompt, ""); !c.both && !strings.Contains(text, c.older) || strings.Contains(text, c.newer) {
			t.Errorf("%s, without the newer one: %q", c.prompt, text)
		}
	}
}

// What is compared holds still and is no secret, whatever was shown.
func TestKnownHolds(t *testing.T) {
	s, b := bank(t)
	save := func(content, supersedes string) string {
		result, err := b.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: content, Supersedes: supersedes})
		if err != nil {
			t.Fatal(err)
		}
		return result.ID
	}
	old := save("The dev API port has changed to 8311.", "")
	ids := []string{old, save("The dev API port has changed to 8312.", old), save("The code of the front door has changed to 4471#.", "")}
	found, err := s.known(t.Context(), scope.Agent, ids, nil)
	if err != nil || len(found) != 1 || found[0].ID != ids[1] {
		t.Errorf("known is %+v, %v", found, err)
	}
}

// What is shown again with an older memory: of what was shown, the two newest that tell of a change of it.
func TestKnown(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	record := func(id, content string, day int) memory.Record {
		return memory.Record{ID: id, Content: content, CreatedAt: at.AddDate(0, 0, day)}
	}
	k := known{
		pieceOf(record("1", "The dev API port has changed to 8311.", 1), true), pieceOf(record("2", "The dev API port is now 8312.", 2), true),
		pieceOf(record("3", "The dev API port is now 8313.", 3), true), pieceOf(record("4", "The dev API port is now 8314.", 4), false),
		pieceOf(record("5", "The dev API is written in Go.", 5), true), pieceOf(record("6", "The port of Genoa has closed.", 6), true),
		pieceOf(record("7", "The dev API port is now 8310.", -1), true),
		pieceOf(record("8", "The user allows the assistant to deploy on Fridays again.", 8), true),
	}
	old := record("0", "The dev API listens on port 8300.", 0)
	for _, c := range []struct {
		ids  []string
		want []string
	}{{nil, []string{"3", "2"}}, {[]string{"3"}, []string{"2", "1"}}} {
		if got := idsOf(k.newer(old, c.ids)); !slices.Equal(got, c.want) {
			t.Errorf("beside %v come %v, want %v", c.ids, got, c.want)
		}
	}
	rule := record("9", "The user wants the assistant to never deploy on Fridays.", 0)
	pinned := rule
	pinned.Pinned = true
	if later := record("10", rule.Content, 9); !k.end(rule) || k.end(pinned) || k.end(old) || k.end(later) {
		t.Error("not just the rule that is over ends")
	}
}
