package contextwindow_test

import (
	"strings"
	"testing"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// A prompt tells no secrets, whatever it is about.
func TestPromptTellsNoSecrets(t *testing.T) {
	b := newBank(t, byTokens)
	saves := remember.New(b.rememberOptions())
	for _, content := range []string{"The staging database's password is swordfish77.", "The staging database runs on port 5433."} {
		if _, err := saves.Save(t.Context(), anna, remember.SaveRequest{Content: content, Quiet: true, Kind: memory.KindFact}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := b.Assemble(t.Context(), contextwindow.AssembleRequest{Scope: anna, Session: "s", Query: "deploy the staging database"})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, m := range got.Messages {
		text.WriteString(m.Content)
	}
	if strings.Contains(text.String(), "swordfish77") || !strings.Contains(text.String(), "5433") {
		t.Error(text.String())
	}
}
