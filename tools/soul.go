package tools

import (
	"context"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/secrets"
)

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
	return soulOutput{ID: r.ID, Kind: r.SoulType(), Content: r.Content, CreatedAt: r.CreatedAt, FromAgent: fromAgent(r)}
}

type addSoulOutput struct {
	Action remember.Action `json:"action" enum:"created,duplicate"`
	soulOutput
}

func (s Services) addSoul(ctx context.Context, scope memory.Scope, in addSoulInput) (*addSoulOutput, string, error) {
	saved, err := s.Cognition.AddSoul(ctx, scope, in.Content, in.Kind)
	if err != nil {
		return nil, "", err
	}
	return &addSoulOutput{saved.Action, soulOutputOf(saved.Record)}, keptText(saved), nil
}

// keptText says in a line what a save did, and warns of a secret in the record.
func keptText(s cognition.Saved) string {
	return actionText(s) + secretText(secrets.In(s.Record))
}

// secretText is a warning about a secret, by the name of its kind, to append to a text. "" for no
// name.
func secretText(name string) string {
	if name == "" {
		return ""
	}
	return " Warning: " + secrets.Warning(name) + "."
}

func actionText(s cognition.Saved) string {
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

func (s Services) listSoul(ctx context.Context, scope memory.Scope, _ listSoulInput) (*listOutput[soulOutput], string, error) {
	entries, err := s.Cognition.Soul(ctx, scope.Agent)
	if err != nil {
		return nil, "", err
	}
	out, text := listOf(entries, len(entries), soulOutputOf, "soul entry", []string{"ID", "KIND", "CONTENT"},
		func(one soulOutput) []string {
			return []string{one.ID, string(one.Kind), credited(memory.OneLine(one.Content, 120), one.FromAgent)}
		})
	return out, text, nil
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

func (s Services) removeSoul(ctx context.Context, scope memory.Scope, in removeSoulInput) (*removeSoulOutput, string, error) {
	r, err := s.Cognition.RemoveSoul(ctx, scope, in.ID, in.Reason)
	if err != nil {
		return nil, "", err
	}
	return &removeSoulOutput{r.ID, "removed", r.ArchivedAt, r.ArchiveWhy}, "Removed: " + memory.OneLine(r.Content, 80), nil
}
