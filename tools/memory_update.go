package tools

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var updateSpec = Spec{
	Name: "memory_update", Title: "Update a memory", Group: Core, Effect: Change, Reach: access.Projects,
	Description: "Change a memory. New content takes the old one's place under a new id, the old stays as history; " +
		"all else changes in place.",
}

type updateInput struct {
	ID         string           `json:"id" desc:"The memory to change." required:"true"`
	Content    *string          `json:"content,omitempty" desc:"The corrected sentence."`
	Project    *string          `json:"project,omitempty" desc:"Moves it; empty is global."`
	Category   *string          `json:"category,omitempty" desc:"One word."`
	Importance *float64         `json:"importance,omitempty" desc:"0 trivial to 1 vital." min:"0" max:"1"`
	Tags       *[]string        `json:"tags,omitempty" desc:"All its tags."`
	ValidUntil *time.Time       `json:"valid_until,omitempty" desc:"True until then."`
	Pinned     *bool            `json:"pinned,omitempty" desc:"Never fades."`
	Metadata   *json.RawMessage `json:"metadata,omitempty" desc:"The whole new object." listed:"no"`
}

// project is nil, because the argument says where the memory shall go, not which project the call
// is in.
func (in updateInput) project() *string { return nil }

type updateOutput struct {
	ID     string          `json:"id"`
	Action remember.Action `json:"action" enum:"updated,superseded,unchanged"`
}

func (s Services) update(ctx context.Context, scope memory.Scope, in updateInput) (*updateOutput, string, error) {
	if alone := (updateInput{ID: in.ID, Project: in.Project}); in.Project != nil && *in.Project == "" && in != alone {
		in.Project = nil // models fill in "" without meaning it: only alone does it make a memory global
	}
	r, err := s.Remember.Update(ctx, scope, remember.UpdateRequest{
		ID: in.ID, Content: in.Content, Project: in.Project, Category: in.Category, Importance: in.Importance, Tags: in.Tags,
		ValidUntil: in.ValidUntil, Pinned: in.Pinned, Metadata: in.Metadata,
	})
	if err != nil {
		return nil, "", err
	}
	text := "Updated " + r.ID + "."
	switch r.Action {
	case remember.Superseded:
		text = "The new content is " + r.ID + "; the old one stays as history."
	case remember.Unchanged:
		text = "Nothing to change."
	}
	return (*updateOutput)(&r), text, nil
}
