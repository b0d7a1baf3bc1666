package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var saveSpec = Spec{
	Name: "memory_save", Title: "Save a memory", Group: Core, Effect: Add, Reach: access.Projects, Always: true,
	Description: "Save one fact worth remembering beyond this conversation: who the user is, what they like or decided, " +
		"how a project works, a correction. Write a full sentence with names and dates in place of pronouns and \"today\". " +
		"Search first if it may be known: when something changed, pass the old id as supersedes.",
}

type saveInput struct {
	Content        string          `json:"content" desc:"What to remember, a sentence that stands on its own." required:"true"`
	Category       string          `json:"category,omitempty" desc:"One word such as preference or project; default: chosen for you."`
	Importance     *float64        `json:"importance,omitempty" desc:"0 trivial to 1 vital; default 0.5." min:"0" max:"1"`
	Tags           []string        `json:"tags,omitempty" desc:"Labels to filter by."`
	Project        *string         `json:"project,omitempty" desc:"Project it belongs to; empty is global; default: the current one."`
	OccurredAt     time.Time       `json:"occurred_at,omitzero" desc:"When it happened."`
	ValidFrom      time.Time       `json:"valid_from,omitzero" desc:"True from then."`
	ValidUntil     time.Time       `json:"valid_until,omitzero" desc:"True until then."`
	Source         memory.Source   `json:"source,omitempty" desc:"Where it comes from." default:"agent"`
	Supersedes     string          `json:"supersedes,omitempty" desc:"Id of the memory that this one corrects."`
	Pinned         bool            `json:"pinned,omitempty" desc:"Never fades."`
	ExternalID     string          `json:"external_id,omitempty" desc:"Your own id; saved again with other content it is a correction."`
	Metadata       json.RawMessage `json:"metadata,omitempty" desc:"Any object, up to 4 KiB."`
	IdempotencyKey string          `json:"idempotency_key,omitempty" desc:"The same key again changes nothing." maxlen:"256"`
}

func (in saveInput) project() *string { return in.Project }

type saveOutput struct {
	ID           string          `json:"id"`
	Action       remember.Action `json:"action" enum:"created,duplicate,superseded"`
	Category     string          `json:"category"`
	SearchableBy []string        `json:"searchable_by" enum:"text,vector"`
	Similar      []similarOutput `json:"similar"`
	SavedTo      []string        `json:"saved_to"`
	Superseded   []string        `json:"superseded,omitempty" desc:"Ids of the memories whose place it has taken without being told."`
	UndoID       string          `json:"undo_id,omitempty" desc:"For memory_forget, to have those hold again beside it."`
	Warning      string          `json:"warning,omitempty" desc:"What to mind about it."`
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
	return saveOutputOf(saved), savedText(saved), nil
}

func saveOutputOf(r remember.SaveResult) *saveOutput {
	out := &saveOutput{ID: r.ID, Action: r.Action, Category: r.Category, SearchableBy: r.SearchableBy, SavedTo: r.SavedTo, Superseded: r.Superseded, UndoID: r.UndoID, Warning: r.Warning}
	for _, s := range r.Similar {
		out.Similar = append(out.Similar, similarOutput(s))
	}
	return out
}

func savedText(r remember.SaveResult) string {
	var text string
	switch {
	case r.Action == remember.Duplicate:
		return fmt.Sprintf("Already known as %s; one more confirmation counted.", r.ID)
	case r.Action == remember.Superseded && r.UndoID == "":
		text = fmt.Sprintf("Saved as %s (%s) in place of the earlier memory, which stays as history.", r.ID, r.Category)
	case r.Action == remember.Superseded:
		text = fmt.Sprintf("Saved as %s (%s) in place of %s, which stays as history. If both hold: memory_forget with undo=%s (on the command line --undo).",
			r.ID, r.Category, strings.Join(r.Superseded, ", "), r.UndoID)
	case r.UndoID != "":
		text = fmt.Sprintf("Saved as %s (%s) as one of several versions in time; memory_get shows them. If they do not belong together: memory_forget with undo=%s.",
			r.ID, r.Category, r.UndoID)
	default:
		text = fmt.Sprintf("Saved as %s (%s).", r.ID, r.Category)
	}
	if r.Warning != "" {
		text += " Warning: " + r.Warning + "."
	}
	if len(r.Similar) == 0 {
		return text
	}
	text += " Similar memories, check for contradictions:"
	settle := false
	for _, s := range r.Similar {
		text += fmt.Sprintf("\n- %s %s", s.ID, oneLine(s.Content, 160))
		if note, ok := relationNotes[s.Relation]; ok {
			text += " (" + note + ")"
			settle = settle || s.Relation != remember.Same
		}
	}
	if settle {
		text += "\nTo settle it: memory_save the same content again with supersedes=<the id that no longer holds>. If both hold, do nothing."
	}
	return text
}

// relationNotes say how a new memory stands to one that is known.
var relationNotes = map[remember.Relation]string{
	remember.Same: "says the same", remember.MayReplace: "may be out of date now", remember.Contradicts: "contradicts it",
}
