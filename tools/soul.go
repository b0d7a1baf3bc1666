package tools

import (
	"context"
	"time"

	"mcp-memory/access"
	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Cognition is what the tools of soul, episodes, triples, procedures,
// relationships, learnings and the diary call. All fields are needed.
type Cognition struct {
	Cognition *cognition.Service
	Scope     access.ScopeFunc
}

// Tools returns them, in the order in which they are listed.
func (c Cognition) Tools() []Tool {
	return []Tool{
		Define(addSoulSpec, c.addSoul),
		Define(listSoulSpec, c.listSoul),
		Define(removeSoulSpec, c.removeSoul),
		Define(saveEpisodeSpec, c.saveEpisode),
		Define(saveTripleSpec, c.saveTriple),
		Define(queryTriplesSpec, c.queryTriples),
		Define(saveProcedureSpec, c.saveProcedure),
		Define(runProcedureSpec, c.runProcedure),
		Define(findProcedureSpec, c.findProcedure),
		Define(updateRelationshipSpec, c.updateRelationship),
		Define(getRelationshipSpec, c.getRelationship),
		Define(writeDiarySpec, c.writeDiary),
		Define(readDiarySpec, c.readDiary),
		Define(recordLearningSpec, c.recordLearning),
		Define(listLearningSpec, c.listLearning),
	}
}

var (
	addSoulSpec = Spec{
		Name: "soul_add", Title: "Add to your soul", Group: Soul, Effect: Add,
		Description: "Keep a core belief, value, fear or conviction that defines who you are. It is permanent: never summarised, faded or forgotten. For facts and events use other tools.",
	}
	listSoulSpec = Spec{
		Name: "soul_list", Title: "Show your soul", Group: Soul, Effect: Read,
		Description: "Show all your core beliefs, values, fears and convictions. Look before you decide what matters to you, or before you add one.",
	}
	removeSoulSpec = Spec{
		Name: "soul_remove", Title: "Remove from your soul", Group: Soul, Effect: Change,
		Description: "Give up a core belief, value, fear or conviction, and say why. Only by deliberate decision; it stays as history.",
	}
)

type addSoulInput struct {
	Content string          `json:"content" desc:"The belief, value, fear or conviction, in one sentence." required:"true"`
	Kind    memory.SoulType `json:"kind,omitempty" desc:"What it is." default:"belief"`
}

// soulOutput is a soul entry as the tools show it.
type soulOutput struct {
	ID        string          `json:"id"`
	Kind      memory.SoulType `json:"kind"`
	Content   string          `json:"content"`
	CreatedAt time.Time       `json:"created_at"`
	FromAgent string          `json:"from_agent,omitempty"`
}

func soulOutputOf(r memory.Record) soulOutput {
	out := soulOutput{ID: r.ID, Kind: memory.SoulBelief, Content: r.Content, CreatedAt: r.CreatedAt, FromAgent: fromAgent(r)}
	if r.Soul != nil {
		out.Kind = r.Soul.Type
	}
	return out
}

type addSoulOutput struct {
	Action remember.Action `json:"action" enum:"created,duplicate"`
	soulOutput
}

func (c Cognition) addSoul(ctx context.Context, in addSoulInput) (addSoulOutput, string, error) {
	scope, err := c.Scope(ctx, nil)
	if err != nil {
		return addSoulOutput{}, "", err
	}
	saved, err := c.Cognition.AddSoul(ctx, scope, in.Content, in.Kind)
	if err != nil {
		return addSoulOutput{}, "", err
	}
	return addSoulOutput{saved.Action, soulOutputOf(saved.Record)}, keptText(saved), nil
}

// keptText says in a line what became of a save.
func keptText(s cognition.Saved) string {
	switch s.Action {
	case remember.Duplicate:
		return "Already known as " + s.ID + "."
	case remember.Superseded:
		return "Saved as " + s.ID + " in place of the earlier version, which stays as history."
	case remember.Updated:
		return "Updated " + s.ID + "."
	case remember.Unchanged:
		return "Nothing to change in " + s.ID + "."
	}
	return "Saved as " + s.ID + "."
}

type listSoulInput struct{}

type listSoulOutput struct {
	Items []soulOutput `json:"items"`
	Total int          `json:"total"`
}

func (c Cognition) listSoul(ctx context.Context, _ listSoulInput) (listSoulOutput, string, error) {
	scope, err := c.Scope(ctx, nil)
	if err != nil {
		return listSoulOutput{}, "", err
	}
	entries, err := c.Cognition.Soul(ctx, scope.Agent)
	if err != nil {
		return listSoulOutput{}, "", err
	}
	out := listSoulOutput{Total: len(entries)}
	rows := [][]string{{"ID", "KIND", "CONTENT"}}
	for _, r := range entries {
		one := soulOutputOf(r)
		out.Items = append(out.Items, one)
		rows = append(rows, []string{one.ID, string(one.Kind), credited(oneLine(one.Content, 120), one.FromAgent)})
	}
	return out, listing(rows, out.Total, "soul entry"), nil
}

type removeSoulInput struct {
	ID     string `json:"id" desc:"Id of the soul entry." required:"true"`
	Reason string `json:"reason" desc:"Why it no longer holds." required:"true" maxlen:"1024"`
}

type removeSoulOutput struct {
	ID         string    `json:"id"`
	Action     string    `json:"action" enum:"removed"`
	ArchivedAt time.Time `json:"archived_at"`
	Reason     string    `json:"reason"`
}

func (c Cognition) removeSoul(ctx context.Context, in removeSoulInput) (removeSoulOutput, string, error) {
	scope, err := c.Scope(ctx, nil)
	if err != nil {
		return removeSoulOutput{}, "", err
	}
	r, err := c.Cognition.RemoveSoul(ctx, scope, in.ID, in.Reason)
	if err != nil {
		return removeSoulOutput{}, "", err
	}
	return removeSoulOutput{r.ID, "removed", r.ArchivedAt, r.ArchiveWhy}, "Removed: " + oneLine(r.Content, 80), nil
}
