package recall_test

import (
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// TestProjectAsAWhole asks for the project at hand: what belongs there is the answer,
// whatever its words, and what is said elsewhere of a project is none.
func TestProjectAsAWhole(t *testing.T) {
	b := newBank(t, builtin())
	project := func(r *memory.Record) { r.Project = "acme/harbour-ferry" }
	own := []string{"Uses Go and Postgres 17.", "Deploys on Fly.io.", "Piotr owns it."}
	for i, content := range append(own, "The garden project needs a spade.", "I live in Graz.", "I like tea.") {
		if i < len(own) {
			b.save(t, b.Store, b.record(content, project))
		} else {
			b.save(t, b.Store, b.record(content))
		}
	}
	s := b.service(b.Store)
	for _, query := range []string{"What do you know about this project?", "Tell me about the harbour ferry", "project overview",
		"Summarise this project"} {
		a, err := s.Recall(t.Context(), recall.Request{Query: query, Scope: memory.Scope{Agent: "ann", Project: "acme/harbour-ferry"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Results) != len(own) {
			t.Errorf("%s: %d results, want %d", query, len(a.Results), len(own))
		}
		for _, r := range a.Results {
			if r.Project != "acme/harbour-ferry" {
				t.Errorf("%s: %s", query, r.Content)
			}
		}
	}
	a, err := s.Recall(t.Context(), recall.Request{Query: "project overview", Scope: memory.Scope{Agent: "ann"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Results {
		if r.Project != "" {
			t.Error(fmt.Sprint("outside of projects: ", r.Content))
		}
	}
}
