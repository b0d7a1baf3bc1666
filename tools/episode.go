package tools

import (
	"context"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var saveEpisodeSpec = Spec{
	Name: "save_episode", Title: "Save an episode", Group: Episode, Effect: Add,
	Description: "Keep something significant that happened: who took part, how it ended, how it felt. For plain facts use memory_save or save_semantic.",
}

type saveEpisodeInput struct {
	Event            string    `json:"event" desc:"What happened, a sentence that stands on its own." required:"true"`
	Context          string    `json:"context,omitempty" desc:"What led to it, or around it."`
	Participants     []string  `json:"participants,omitempty" desc:"Who took part."`
	Outcome          string    `json:"outcome,omitempty" desc:"How it ended."`
	EmotionalValence float64   `json:"emotional_valence,omitempty" desc:"-1 bad to 1 good." min:"-1" max:"1"`
	Importance       *float64  `json:"importance,omitempty" desc:"0 trivial to 1 vital; default 0.5." min:"0" max:"1"`
	Tags             []string  `json:"tags,omitempty" desc:"Labels to filter by."`
	OccurredAt       time.Time `json:"occurred_at,omitzero" desc:"When it happened."`
}

type saveEpisodeOutput struct {
	ID       string          `json:"id"`
	Action   remember.Action `json:"action" enum:"created,duplicate,superseded"`
	Category string          `json:"category"`
	Content  string          `json:"content"`
}

func (s Services) saveEpisode(ctx context.Context, scope memory.Scope, in saveEpisodeInput) (*saveEpisodeOutput, string, error) {
	saved, err := s.Cognition.SaveEpisode(ctx, scope, cognition.EpisodeRequest{
		Event: in.Event, Context: in.Context, Participants: in.Participants, Outcome: in.Outcome,
		Valence: in.EmotionalValence, Importance: in.Importance, Tags: in.Tags, OccurredAt: in.OccurredAt,
	})
	if err != nil {
		return nil, "", err
	}
	return &saveEpisodeOutput{saved.ID, saved.Action, saved.Category, saved.Content}, keptText(saved), nil
}
