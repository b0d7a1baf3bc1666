package tools

import (
	"context"
	"strconv"
	"strings"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var (
	updateRelationshipSpec = Spec{
		Name: "relationship_update", Title: "Update a relationship", Group: Relationship, Effect: Add,
		Description: "Note how you stand with another agent or person: after you met, when trust or tone changed, or just that you interacted. Leave out what stays as it is. Every change is kept as history.",
	}
	getRelationshipSpec = Spec{
		Name: "relationship_get", Title: "Show relationships", Group: Relationship, Effect: Read,
		Description: "Show how you stand with an agent or person, or with all of them. Look before you deal with somebody. history shows how it came to be.",
	}
)

type updateRelationshipInput struct {
	Agent         string    `json:"agent" desc:"Whom it is about: the agent's or person's unique name." required:"true"`
	Name          *string   `json:"name,omitempty" desc:"What they are called."`
	Type          *string   `json:"type,omitempty" desc:"Such as ally, rival, mentor, creator, peer, client; at first neutral."`
	TrustLevel    *float64  `json:"trust_level,omitempty" desc:"0 none to 1 full; at first 0.5." min:"0" max:"1"`
	EmotionalTone *string   `json:"emotional_tone,omitempty" desc:"How it feels, such as warm or tense."`
	Rationale     *string   `json:"rationale,omitempty" desc:"Why you see it so."`
	Notes         *string   `json:"notes,omitempty" desc:"All notes that it should have."`
	Tags          *[]string `json:"tags,omitempty" desc:"All tags it should have."`
	Interaction   bool      `json:"interaction,omitempty" desc:"Count this as an interaction." default:"true"`
}

// relationshipOutput is a relationship as the tools show it.
type relationshipOutput struct {
	ID              string    `json:"id"`
	Agent           string    `json:"agent"`
	Name            string    `json:"name,omitempty"`
	Type            string    `json:"type"`
	TrustLevel      float64   `json:"trust_level"`
	EmotionalTone   string    `json:"emotional_tone,omitempty"`
	Rationale       string    `json:"rationale,omitempty"`
	Notes           string    `json:"notes,omitempty"`
	Tags            []string  `json:"tags"`
	Interactions    int       `json:"interactions"`
	FirstMet        time.Time `json:"first_met,omitzero"`
	LastInteraction time.Time `json:"last_interaction,omitzero"`
	FromAgent       string    `json:"from_agent,omitempty"`
}

func relationshipOutputOf(r memory.Record) relationshipOutput {
	out := relationshipOutput{ID: r.ID, FromAgent: fromAgent(r),
		Tags: append([]string{}, r.Tags...)} // embedded, and lists of embedded structs are not made non-nil by tidy
	if d := r.Relationship; d != nil {
		out.Agent, out.Name, out.Type, out.TrustLevel, out.EmotionalTone = d.Party, d.Name, d.Type, d.Trust, d.Tone
		out.Rationale, out.Notes = d.Rationale, d.Notes
		out.Interactions, out.FirstMet, out.LastInteraction = d.Interactions, d.FirstMet, d.LastInteraction
	}
	return out
}

type updateRelationshipOutput struct {
	ID           string             `json:"id"`
	Action       remember.Action    `json:"action" enum:"created,superseded,updated,unchanged"`
	Relationship relationshipOutput `json:"relationship"`
	Changed      []string           `json:"changed"`
}

func (s Services) updateRelationship(ctx context.Context, scope memory.Scope, in updateRelationshipInput) (*updateRelationshipOutput,
	string, error) {
	saved, err := s.Cognition.UpdateRelationship(ctx, scope, cognition.RelationshipUpdate{
		Party: in.Agent, Name: in.Name, Type: in.Type, Trust: in.TrustLevel, Tone: in.EmotionalTone,
		Rationale: in.Rationale, Notes: in.Notes, Tags: in.Tags, Interaction: in.Interaction,
	})
	if err != nil {
		return nil, "", err
	}
	text := keptText(saved.Saved)
	if len(saved.Changed) > 0 {
		text += " Changed: " + strings.Join(saved.Changed, ", ") + "."
	}
	return &updateRelationshipOutput{saved.ID, saved.Action, relationshipOutputOf(saved.Record), saved.Changed}, text, nil
}

type getRelationshipInput struct {
	Agent   string `json:"agent,omitempty" desc:"Whom it is about; default: everybody."`
	Type    string `json:"type,omitempty" desc:"Only of this type."`
	History bool   `json:"history,omitempty" desc:"Also every earlier version and what changed."`
	Limit   int    `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
}

type relationshipItem struct {
	relationshipOutput
	History []relationshipVersion `json:"history,omitempty"`
}

// relationshipVersion is one state in the history of a relationship, which is listed oldest first.
type relationshipVersion struct {
	Changed    []string  `json:"changed"`
	RecordedAt time.Time `json:"recorded_at"`
	relationshipOutput
}

type getRelationshipOutput struct {
	Items []relationshipItem `json:"items"`
	Total int                `json:"total"`
}

func (s Services) getRelationship(ctx context.Context, scope memory.Scope, in getRelationshipInput) (*getRelationshipOutput,
	string, error) {
	found, total, err := s.Cognition.Relationships(ctx, scope.Agent, in.Agent, in.Type, "", in.Limit)
	if err != nil {
		return nil, "", err
	}
	out := getRelationshipOutput{Total: total}
	rows := [][]string{{"AGENT", "TYPE", "TRUST", "TONE", "MET", "LAST", "NOTES"}}
	for _, r := range found {
		item := relationshipItem{relationshipOutput: relationshipOutputOf(r)}
		rows = append(rows, relationshipRow(credited(memory.OneLine(item.Agent, 40), item.FromAgent), item.relationshipOutput, item.Notes))
		if in.History {
			versions, err := s.Cognition.RelationshipHistory(ctx, scope.Agent, r.ID)
			if err != nil {
				return nil, "", err
			}
			for _, v := range versions {
				one := relationshipVersion{v.Changed, v.CreatedAt, relationshipOutputOf(v.Record)}
				item.History = append(item.History, one)
				rows = append(rows, relationshipRow("  "+minute(v.CreatedAt), one.relationshipOutput, changedText(v.Changed)))
			}
		}
		out.Items = append(out.Items, item)
	}
	text := listing(rows, len(found), "relationship")
	if total > len(found) {
		text += "\n" + strconv.Itoa(len(found)) + " of " + plural(total, "relationship") + "."
	}
	return &out, text, nil
}

func relationshipRow(first string, r relationshipOutput, last string) []string {
	return []string{first, memory.OneLine(r.Type, 24), short(r.TrustLevel), dash(r.EmotionalTone), strconv.Itoa(r.Interactions),
		minute(r.LastInteraction), memory.OneLine(last, 60)}
}

func changedText(fields []string) string {
	if len(fields) == 0 {
		return "met"
	}
	return "changed: " + strings.Join(fields, ", ")
}
