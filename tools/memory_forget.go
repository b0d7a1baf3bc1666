package tools

import (
	"context"
	"fmt"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var forgetSpec = Spec{
	Name: "memory_forget", Title: "Forget memories", Group: Core, Effect: Destroy, Reach: access.Projects,
	Description: "Set memories aside, no longer to be recalled: by ids, all that contain every word of a query, all that came by a neural link, or a whole project. " +
		"The undo_id takes it back. permanent erases for good, with earlier versions, and needs confirm. dry_run shows what a query would take.",
}

type forgetInput struct {
	IDs       []string `json:"ids,omitempty" desc:"What to forget." maxitems:"100"`
	Query     string   `json:"query,omitempty" desc:"Forget what contains all of these words."`
	LinkID    string   `json:"link_id,omitempty" desc:"Forget what came by this neural link."`
	Project   *string  `json:"project,omitempty" desc:"Only in this project; alone: all of it."`
	Reason    string   `json:"reason,omitempty" desc:"Why, for the record." maxlen:"1024"`
	Permanent bool     `json:"permanent,omitempty" desc:"Erase for good."`
	Confirm   bool     `json:"confirm,omitempty" desc:"Must be true for permanent."`
	DryRun    bool     `json:"dry_run,omitempty" desc:"Only say what would be forgotten."`
	Undo      string   `json:"undo,omitempty" desc:"undo_id of a forgetting or of a memory_save to take back."`
}

// project is nil: the argument only narrows what is forgotten.
func (in forgetInput) project() *string { return nil }

type forgetOutput struct {
	Forgotten int      `json:"forgotten"`
	IDs       []string `json:"ids"`
	Missing   []string `json:"missing"`
	UndoID    string   `json:"undo_id,omitempty"`
	Pending   bool     `json:"pending,omitempty" desc:"What was erased may stay in the database's files until the last program that uses them has ended."`
}

func (s Services) forget(ctx context.Context, scope memory.Scope, in forgetInput) (*forgetOutput, string, error) {
	in, err := s.confirmed(ctx, scope, in)
	if err != nil {
		return nil, "", err
	}
	r, err := s.Remember.Forget(ctx, scope, remember.ForgetRequest(in))
	if err != nil {
		return nil, "", err
	}
	return (*forgetOutput)(&r), forgottenText(in, r), nil
}

func forgottenText(in forgetInput, r remember.ForgetResult) string {
	what := plural(len(r.IDs), "memory")
	switch {
	case in.Undo != "":
		return "Brought back " + what + "."
	case in.DryRun:
		return "Would forget " + what + "; nothing was changed."
	case r.Pending:
		return "Erased " + what + " for good. The database is in use: bytes of it may stay in its files until the last program that uses them has ended."
	case in.Permanent:
		return "Erased " + what + " for good."
	case r.UndoID == "":
		return "Nothing to forget was found."
	}
	return fmt.Sprintf("Forgot %s. To bring them back: memory_forget with undo=%s (on the command line --undo).", what, r.UndoID)
}
