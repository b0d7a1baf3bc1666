package tools

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var saveSpec = Spec{
	Name: "memory_save", Title: "Save a memory", Group: Core, Effect: Add, Reach: access.Projects, Always: true,
	Description: "Save one fact about the world or the user: who they are, what they like or decided, how a project works. " +
		"Write a full sentence with names and dates in place of pronouns and \"today\". " +
		"When something changed, pass the old id as supersedes. What you experienced yourself: add_to_longterm_memory.",
}

type saveInput struct {
	Content        string          `json:"content" desc:"What to remember." required:"true"`
	Category       string          `json:"category,omitempty" desc:"Default: chosen for you."`
	Importance     *float64        `json:"importance,omitempty" desc:"0 trivial to 1 vital; default 0.5." min:"0" max:"1"`
	Tags           []string        `json:"tags,omitempty" desc:"Labels to filter by."`
	Project        *string         `json:"project,omitempty" desc:"Empty is global; default: judged."`
	OccurredAt     time.Time       `json:"occurred_at,omitzero" desc:"When it happened."`
	ValidFrom      time.Time       `json:"valid_from,omitzero" desc:"True from then."`
	ValidUntil     time.Time       `json:"valid_until,omitzero" desc:"True until then."`
	Source         memory.Source   `json:"source,omitempty" desc:"Where it comes from." default:"agent" listed:"no"`
	Supersedes     string          `json:"supersedes,omitempty" desc:"Id of what it corrects."`
	Pinned         bool            `json:"pinned,omitempty" desc:"Never fades."`
	ExternalID     string          `json:"external_id,omitempty" desc:"Your own id; saved again with other content it is a correction." listed:"no"`
	Metadata       json.RawMessage `json:"metadata,omitempty" desc:"Any object, up to 4 KiB." listed:"no"`
	IdempotencyKey string          `json:"idempotency_key,omitempty" desc:"The same key again changes nothing." maxlen:"256" listed:"no"`
}

func (in saveInput) project() *string { return in.Project }

type saveOutput struct {
	ID           string          `json:"id"`
	Action       remember.Action `json:"action" enum:"created,duplicate,superseded"`
	Category     string          `json:"category"`
	SearchableBy []string        `json:"searchable_by" enum:"text,vector"`
	Similar      []similarOutput `json:"similar"`
	SavedTo      []string        `json:"saved_to"`
	Project      string          `json:"project" desc:"Empty: for all projects."`
	Mentions     []mentionOutput `json:"mentions,omitempty" listed:"no"` // the dates and spans that its text mentions
	Superseded   []string        `json:"superseded,omitempty" desc:"Ids of the memories whose place it has taken without being told."`
	UndoID       string          `json:"undo_id,omitempty" desc:"For memory_forget, to have those hold again beside it."`
	Warning      string          `json:"warning,omitempty" desc:"What to mind about it."`
}

// mentionOutput is a time that a memory mentions, as two dates, both inclusive.
type mentionOutput struct {
	From     string                 `json:"from"`
	To       string                 `json:"to"`
	Relation memory.MentionRelation `json:"relation" enum:"in,since,until,by,from,before"`
	Text     string                 `json:"text"`
}

func mentionsOf(list []memory.Mention) (out []mentionOutput) {
	for _, m := range list {
		out = append(out, mentionOutput{m.From.Format(time.DateOnly), m.Last().Format(time.DateOnly), m.Relation, m.Text})
	}
	return out
}

type similarOutput struct {
	ID      string  `json:"id"`
	Content string  `json:"content"`
	Score   float64 `json:"score"`

	Relation remember.Relation `json:"relation,omitempty" enum:"same,may_replace,contradicts" desc:"How the new memory stands to it."`
}

func (s Services) save(ctx context.Context, scope memory.Scope, in saveInput) (*saveOutput, string, error) {
	saved, err := s.Remember.Save(ctx, scope, remember.SaveRequest{
		Content: in.Content, Category: in.Category, Importance: in.Importance, Tags: in.Tags, Source: in.Source,
		ExternalID: in.ExternalID, Metadata: in.Metadata, OccurredAt: in.OccurredAt, ValidFrom: in.ValidFrom,
		ValidUntil: in.ValidUntil, Supersedes: in.Supersedes, Pinned: in.Pinned, IdempotencyKey: in.IdempotencyKey,
	})
	if err != nil {
		return nil, "", err
	}
	return saveOutputOf(saved), s.savedText(saved, settling{in.Content, in.Project}), nil
}

// maxSimilar is how many characters of a similar memory are returned: enough to see what it says.
// Five memories of 32 KiB in full would fill a context window.
const maxSimilar = 500

func saveOutputOf(r remember.SaveResult) *saveOutput {
	out := &saveOutput{ID: r.ID, Action: r.Action, Category: r.Category, SearchableBy: r.SearchableBy, SavedTo: r.SavedTo,
		Project: r.Project, Mentions: mentionsOf(r.Mentions), Superseded: r.Superseded, UndoID: r.UndoID, Warning: r.Warning}
	for _, s := range r.Similar {
		s.Content = memory.Shorten(s.Content, maxSimilar)
		out.Similar = append(out.Similar, similarOutput(s))
	}
	return out
}
