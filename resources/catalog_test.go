package resources_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/resources"
)

// Every page is about a whole bank, and so are the prompts that show one.
func TestWhatRestrictedTokensMayRead(t *testing.T) {
	var p resources.Pages
	shop := access.With(t.Context(), access.Identity{Agent: "ann", Projects: []string{"shop"}})
	reader := access.With(t.Context(), access.Identity{Agent: "ann", ReadOnly: true})
	operator := access.With(t.Context(), access.Identity{Agent: "ann", Operator: true})
	addresses := []string{
		"memory://nothing", resources.Records + "1", resources.Diary + "2026-03-01",
		resources.Sessions + "one", resources.Workspaces + "SOUL.md", resources.Workspaces,
	}
	for _, r := range p.Resources() {
		addresses = append(addresses, r.URI)
	}
	for _, uri := range addresses {
		if p.Readable(shop, uri) || p.Readable(operator, uri) || !p.Readable(reader, uri) || !p.Readable(t.Context(), uri) {
			t.Errorf("%s: readable for shop %v, for a reader %v, for the own agent %v", uri, p.Readable(shop, uri), p.Readable(reader, uri),
				p.Readable(t.Context(), uri))
		}
	}
	var open []string
	for _, one := range p.Prompts() {
		if p.Usable(shop, one.Name) {
			open = append(open, one.Name)
		}
		if p.Usable(operator, one.Name) {
			t.Errorf("an operator may use %s", one.Name)
		}
		if !p.Usable(reader, one.Name) {
			t.Errorf("a reader may not use %s", one.Name)
		}
	}
	if want := []string{"recall", "remember"}; !slices.Equal(open, want) || p.Usable(t.Context(), "nothing") {
		t.Errorf("shop may use %q, want %q", open, want)
	}
}

// TestStartOfAProjectsToken: what is of no project is not told at the start of its sessions.
func TestStartOfAProjectsToken(t *testing.T) {
	b := newBank(t)
	b.todo("Overdue report", memory.PriorityUrgent, b.now.Add(-time.Hour))
	b.person("AGENTS.md", "# Rules\n\nThe quincunx is moored there.\n")
	b.asks("bob", "ann", "Please share", memory.LinkPending, b.now.Add(time.Minute))
	for _, c := range []struct {
		projects []string
		told     bool
	}{{nil, true}, {[]string{"shop"}, false}} {
		page, err := b.Compose(access.With(t.Context(), access.Identity{Agent: "ann", Projects: c.projects}),
			memory.Scope{Agent: "ann", Project: "shop", Closed: c.projects != nil})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(page.Page, "Overdue report") != c.told || strings.Contains(page.Page, "Please share") != c.told ||
			strings.Contains(page.Page, "quincunx") != c.told {
			t.Errorf("a token for %q is told:\n%s", c.projects, page.Page)
		}
	}
}
