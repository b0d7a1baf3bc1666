package resources_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/resources"
)

// What looks like a secret is said to nobody unasked, neither on the page of a
// new session nor in the instructions.
func TestSecretsAreNotSaidUnasked(t *testing.T) {
	b := newBank(t)
	for _, keep := range []func(content string){
		func(content string) { b.keep(memory.KindFact, content) },
		func(content string) { b.keep(memory.KindLongTerm, content) },
		func(content string) { b.learning(memory.LearningCorrection, content) },
	} {
		keep("The wifi password is swordfish.")
		keep("The harbour closes at nine.")
	}
	b.hides(resources.Salient, "swordfish")
	b.shows(resources.Salient, "The harbour closes at nine.")
	for name, text := range map[string]string{"page": b.page(resources.SessionStart), "briefing": b.briefing(2000)} {
		if strings.Contains(text, "swordfish") || strings.Count(text, "The harbour closes at nine.") < 2 {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
