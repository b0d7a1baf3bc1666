package cognition

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// EpisodeRequest is something that happened. Only Event is needed.
type EpisodeRequest struct {
	Event        string
	Context      string
	Participants []string
	Outcome      string
	Valence      float64  // -1 bad to 1 good
	Importance   *float64 // 0 to 1; nil is memory.DefaultImportance
	Tags         []string
	OccurredAt   time.Time
}

// content returns the episode as text: event, context, those participants that
// the other parts do not mention, and outcome.
func (r EpisodeRequest) content() string {
	told := strings.ToLower(r.Event + " " + r.Context + " " + r.Outcome)
	var others []string
	for _, p := range r.Participants {
		if !strings.Contains(told, strings.ToLower(p)) {
			others = append(others, p)
		}
	}
	content := joined(" ", sentence(r.Event), sentence(r.Context), labelled("Participants", strings.Join(others, ", ")),
		labelled("Outcome", r.Outcome))
	if content == sentence(r.Event) {
		return strings.TrimSpace(r.Event)
	}
	return content
}

// SaveEpisode stores an episode. The same text with the same time, or without
// one, is a duplicate, whose details (participants) are added to the stored
// episode. If the details contradict the stored ones, as another valence does,
// it supersedes the stored episode. Errors are those of
// [remember.Service.Save].
func (s *Service) SaveEpisode(ctx context.Context, scope memory.Scope, r EpisodeRequest) (saved Saved, err error) {
	if err := needed("event", r.Event); err != nil {
		return Saved{}, err
	}
	content := r.content()
	if err := fits("event", content); err != nil {
		return Saved{}, err
	}
	request := remember.SaveRequest{
		Content: content, Kind: memory.KindEpisode, Importance: r.Importance, Tags: r.Tags, OccurredAt: r.OccurredAt,
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{Participants: r.Participants, Outcome: strings.TrimSpace(r.Outcome),
			EmotionalValence: r.Valence}},
	}
	err = s.remember.Change(ctx, scope, func(c *remember.Change) error {
		same, err := memory.SameEvent(c, scope.Project, memory.KindEpisode, content, r.OccurredAt)
		if err != nil {
			return err
		}
		action := remember.Created
		switch {
		case same == nil:
		case same.Contradicts(request.KindDetails):
			request.KindDetails = request.KindDetails.Supplemented(same.KindDetails)
			request.Supersedes, action = same.ID, remember.Superseded
		default:
			same.KindDetails = same.Supplemented(request.KindDetails)
			saved = Saved{*same, remember.Duplicate}
			return c.Confirm(*same)
		}
		record, err := c.Put(request)
		saved = Saved{record, action}
		return err
	})
	return saved, err
}
