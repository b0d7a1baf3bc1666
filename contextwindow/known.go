package contextwindow

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Bounds on the facts that a model is shown, so that it can say which of them are outdated by
// what the turns say.
const (
	maxKnownFacts = 60
	maxQueries    = 12  // messages of the user that facts are looked for by, the latest
	factsPerQuery = 5   // of each
	minQueryBytes = 12  // of a message; a shorter one says too little to look for facts by
	maxAboutBytes = 500 // of a message that are used as the query
	maxNamedBytes = 400 // of a fact that is shown; a longer one says more than one thing
	newestFacts   = 20  // facts that are added whatever the messages find
)

// knownFacts returns live facts of the window's project that the turns may be about: what the
// latest messages of the user find, and then the newest.
func (r *attempt) knownFacts(ctx context.Context, turns []memory.Turn) ([]memory.KnownFact, error) {
	scope := memory.Scope{Agent: r.agent, Project: r.window.Project}
	var facts []memory.KnownFact
	add := func(list []memory.Record, most int) {
		for _, one := range list {
			same := func(k memory.KnownFact) bool { return k.ID == one.ID }
			if most == 0 || len(facts) == maxKnownFacts {
				return
			}
			if one.Live() && one.Project == scope.Project && len(one.Content) <= maxNamedBytes && !slices.ContainsFunc(facts, same) {
				facts = append(facts, memory.KnownFact{ID: one.ID, Content: one.Content})
				most--
			}
		}
	}
	asked := 0
	for _, t := range slices.Backward(turns) {
		query := strings.TrimSpace(t.Content)
		if r.recall == nil || t.Role == memory.RoleAssistant || t.Role == memory.RoleTool || len(query) < minQueryBytes ||
			asked == maxQueries {
			continue
		}
		asked++
		query = strings.ToValidUTF8(query[:min(len(query), maxAboutBytes)], "")
		list, err := r.recall.Memories(ctx, scope, query, []memory.Kind{memory.KindFact}, factsPerQuery)
		if err != nil {
			return nil, err
		}
		add(list, factsPerQuery)
	}
	newest, _, err := r.store.List(ctx,
		memory.CatalogFilter{Agent: r.agent, Projects: []string{scope.Project}, Kind: memory.KindFact, Limit: 2 * newestFacts})
	if err != nil {
		return nil, err
	}
	add(newest, newestFacts)
	return facts, nil
}
