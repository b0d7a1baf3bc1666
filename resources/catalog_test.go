package resources_test

import (
	"slices"
	"testing"

	"mcp-memory/access"
	"mcp-memory/resources"
)

// Every page is about a whole bank, and so are the prompts that show one.
func TestWhatRestrictedTokensMayRead(t *testing.T) {
	var p resources.Pages
	shop := access.With(t.Context(), access.Identity{Agent: "ann", Projects: []string{"shop"}})
	reader := access.With(t.Context(), access.Identity{Agent: "ann", ReadOnly: true})
	addresses := []string{
		"memory://nothing", resources.Records + "1", resources.Diary + "2026-03-01", resources.Sessions + "one", resources.Workspaces + "SOUL.md", resources.Workspaces,
	}
	for _, r := range p.Resources() {
		addresses = append(addresses, r.URI)
	}
	for _, uri := range addresses {
		if p.Readable(shop, uri) || !p.Readable(reader, uri) || !p.Readable(t.Context(), uri) {
			t.Errorf("%s: readable for shop %v, for a reader %v, for the own agent %v", uri, p.Readable(shop, uri), p.Readable(reader, uri), p.Readable(t.Context(), uri))
		}
	}
	var open []string
	for _, one := range p.Prompts() {
		if p.Usable(shop, one.Name) {
			open = append(open, one.Name)
		}
		if !p.Usable(reader, one.Name) {
			t.Errorf("a reader may not use %s", one.Name)
		}
	}
	if want := []string{"recall", "remember"}; !slices.Equal(open, want) || p.Usable(t.Context(), "nothing") {
		t.Errorf("shop may use %q, want %q", open, want)
	}
}
