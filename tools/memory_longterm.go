package tools

import (
	"context"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

var longTermSpec = Spec{
	Name: "add_to_longterm_memory", Title: "Add to long-term memory", Group: Core, Effect: Add,
	Description: "Keep something that you, the agent, experienced or concluded: an observation, the outcome of an attempt, an insight, " +
		"a promise. Facts about the world or the user: memory_save.",
}

type longTermInput struct {
	Content          string    `json:"content" desc:"What happened and what it means." required:"true"`
	Importance       *float64  `json:"importance,omitempty" desc:"0 trivial to 1 vital; default 0.5." min:"0" max:"1"`
	Tags             []string  `json:"tags,omitempty" desc:"Labels to filter by."`
	Participants     []string  `json:"participants,omitempty" desc:"Who took part."`
	Outcome          string    `json:"outcome,omitempty" desc:"How it ended."`
	EmotionalValence float64   `json:"emotional_valence,omitempty" desc:"-1 bad to 1 good." min:"-1" max:"1"`
	OccurredAt       time.Time `json:"occurred_at,omitzero" desc:"When it happened."`
	Category         string    `json:"category,omitempty" desc:"Default: chosen for you." listed:"no"`
	ExternalID       string    `json:"external_id,omitempty" desc:"Your own id for it." listed:"no"`
	IdempotencyKey   string    `json:"idempotency_key,omitempty" desc:"The same key again changes nothing." maxlen:"256" listed:"no"`
}

type longTermOutput struct {
	ID                string          `json:"id"`
	Action            remember.Action `json:"action" enum:"created,duplicate,superseded"`
	LongtermCount     int             `json:"longterm_count"`
	SelfCareSuggested bool            `json:"self_care_suggested"`
}

func (s Services) addLongTerm(ctx context.Context, scope memory.Scope, in longTermInput) (*longTermOutput, string, error) {
	r, err := s.Remember.AddLongTerm(ctx, scope, remember.SaveRequest{
		Content: in.Content, Category: in.Category, Importance: in.Importance, Tags: in.Tags, ExternalID: in.ExternalID,
		OccurredAt: in.OccurredAt, IdempotencyKey: in.IdempotencyKey,
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{Participants: in.Participants, Outcome: in.Outcome,
			EmotionalValence: in.EmotionalValence}},
	})
	if err != nil {
		return nil, "", err
	}
	text := s.savedText(r.SaveResult, settling{}) + " You have " + plural(r.Count, "long-term memory") + "."
	return &longTermOutput{r.ID, r.Action, r.Count, r.SelfCareSuggested}, text, nil
}
