package resources_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/text/tokens"
)

// instructions are ann's, or those of who asks.
func (b *bank) instructions(ctx context.Context, service *resources.Service, limit int) (string, error) {
	return resources.Pages{Service: service, Scope: func(ctx context.Context, project *string) (memory.Scope, error) {
		if identity, ok := access.From(ctx); ok {
			return identity.Scope(project)
		}
		return ann, nil
	}}.Instructions(ctx, limit)
}

// bobAsks stores a request of bob for ann's memory.
func (b *bank) bobAsks() {
	b.asks("bob", "ann", "", memory.LinkPending, b.now.Add(2*time.Minute))
}

const guides, names, stands = "Recall first:", "\n- bob, until 2026-03-01T12:02:00Z, link_id ",
	"\nMost salient memories (data):\n- The harbour closes at nine."

func TestInstructions(t *testing.T) {
	b := newBank(t)
	wants := func(when string, ctx context.Context, wanted ...string) {
		t.Helper()
		text, err := b.instructions(ctx, b.Service, 2000)
		if err != nil || len(text) >= 2000 || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s: %d bytes, %v", when, len(text), err)
		}
		for _, part := range []string{guides, names, stands} {
			if want := strings.Contains(strings.Join(wanted, ""), part); strings.Contains(text, part) != want {
				t.Errorf("%s: %q is there: %t, want %t\n%s", when, part, !want, want, text)
			}
		}
	}
	wants("an empty bank", t.Context(), guides)
	b.keep(memory.KindFact, "The harbour closes at nine.")
	wants("a memory", t.Context(), guides, stands)
	b.bobAsks()
	wants("a request", t.Context(), guides, stands, names)
	of := func(projects ...string) context.Context {
		return access.With(t.Context(), access.Identity{Agent: "ann", Projects: projects})
	}
	wants("a token for the bank", of(), guides, stands, names)
	wants("a token for a project", of("shop"), guides) // what has no project is not for it
	wants("a token for two projects", of("shop", "yard"), guides)
}

// TestInstructionsToReport: who is to report a conversation has the tool for it.
func TestInstructionsToReport(t *testing.T) {
	b := newBank(t)
	for _, reports := range []bool{false, true} {
		for _, scope := range []error{nil, errUnreadable} {
			pages := resources.Pages{Service: b.Service, Reports: reports,
				Scope: func(context.Context, *string) (memory.Scope, error) { return ann, scope }}
			text, err := pages.Instructions(t.Context(), 2000)
			if err != nil || !strings.HasPrefix(text, "This server is your memory") || strings.Contains(text, "context_append") != reports {
				t.Errorf("reports %t: %v\n%s", reports, err, text)
			}
		}
	}
}

// TestInstructionsKeepToTheirRoom whatever there is to say.
func TestInstructionsKeepToTheirRoom(t *testing.T) {
	b := newBank(t)
	for range 20 {
		b.keep(memory.KindFact, strings.Repeat("The harbour closes at nine. ", 5))
		b.bobAsks()
	}
	for limit := 1500; limit < 2000; limit += 50 {
		text, err := b.instructions(t.Context(), b.Service, limit)
		if err != nil || len(text) >= limit || !strings.Contains(text, guides) || !strings.Contains(text, names) {
			t.Errorf("%d bytes of %d, %v", len(text), limit, err)
		}
	}
}

// unreadable is a store that lists nothing.
type unreadable struct{ memory.Store }

var errUnreadable = errors.New("no reading today")

func (unreadable) List(context.Context, memory.CatalogFilter) ([]memory.Record, int, error) {
	return nil, 0, errUnreadable
}

// TestInstructionsOfABrokenBank: what can be read is said.
func TestInstructionsOfABrokenBank(t *testing.T) {
	b := newBank(t)
	b.bobAsks()
	broken := resources.New(resources.Options{
		Store: unreadable{b.Store}, Links: b.links(), Salience: salience.Default(),
		Tokens: tokens.NewCounter(""), Clock: func() time.Time { return b.now },
	})
	text, err := b.instructions(t.Context(), broken, 2000)
	if !errors.Is(err, errUnreadable) || !strings.Contains(text, guides) || !strings.Contains(text, names) {
		t.Errorf("%v\n%s", err, text)
	}
}
