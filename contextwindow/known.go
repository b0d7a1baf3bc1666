package contextwindow

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Bounds on the facts that a model is told, so that it can say which of them are
// no longer so.
const (
	maxKnownFacts = 60
	maxQueries    = 12  // messages of the user that facts are looked for by, the latest
	factsPerQuery = 5   // of each
	minQueryBytes = 12  // shorter ones are about nothing
	maxAboutBytes = 500 // of a message
	maxNamedBytes = 400 // of a fact; a longer one says more than one thing
	newestFacts   = 20  // of the facts that no message finds
)

// knownFacts returns live facts that the turns may be about: what the user's
// messages find, and the newest.
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
