package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

func TestElsewhere(t *testing.T) {
	b := newBank(t, embed.NewBuiltin())
	in := func(project string) func(*memory.Record) { return func(r *memory.Record) { r.Project = project } }
	var records []memory.Record
	for project, n := range map[string]int{"shop": 3, "blog": 2, "wiki": 2, "attic": 1} {
		for i := range n {
			records = append(records, b.record(fmt.Sprintf("The release branch number %d is cut by the robot.", i), in(project)),
				b.record(fmt.Sprintf("Invoice %d was paid in cash.", i), in(project)))
		}
	}
	b.save(t, b.Store, records...)
	for name, c := range map[string]struct {
		request recall.Request
		allowed []string
		want    []recall.Found
	}{
		"the three with most": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "ann", Project: "none"}}, nil,
			[]recall.Found{{"shop", 3}, {"blog", 2}, {"wiki", 2}}},
		"outside of projects": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "ann"}}, nil,
			[]recall.Found{{"shop", 3}, {"blog", 2}, {"wiki", 2}}},
		"not the one asked": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "ann", Project: "shop"}}, nil,
			[]recall.Found{{"blog", 2}, {"wiki", 2}, {"attic", 1}}},
		"only the open ones": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "ann", Project: "none"}},
			[]string{"none", "attic"}, []recall.Found{{"attic", 1}}},
		"none is open": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "ann", Project: "shop"}},
			[]string{"shop"}, nil},
		"all were asked": {recall.Request{Query: "release branch",
			Scope: memory.Scope{Agent: "ann", Project: memory.AllProjects}}, nil, nil},
		"nothing is like it": {recall.Request{Query: "submarine", Scope: memory.Scope{Agent: "ann", Project: "none"},
			Lenient: true}, nil, nil},
		"the filter is kept": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "ann"},
			Filter: memory.Filter{Categories: []string{"secret"}}}, nil, nil},
		"another agent's is no": {recall.Request{Query: "release branch", Scope: memory.Scope{Agent: "bob"}}, nil, nil},
	} {
		for how, s := range map[string]*recall.Service{"index": b.service(b.Store), "database": b.fallback()} {
			got, err := s.Elsewhere(t.Context(), c.request, c.allowed)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s, by the %s: %v, %v, want %v", name, how, got, err, c.want)
			}
		}
	}
}
