package tools

import (
	"context"
	"fmt"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var forgetSpec = Spec{
	Name: "memory_forget", Title: "Forget memories", Group: Core, Effect: Destroy, Reach: access.Projects,
	Description: "Set memories aside: by ids, by all words of a query, or a whole project. " +
		"The undo_id takes it back. permanent erases for good, with earlier versions, and needs confirm.",
}

type forgetInput struct {
	IDs       []string `json:"ids,omitempty" desc:"What to forget." maxitems:"100"`
	Query     string   `json:"query,omitempty" desc:"All of these words."`
	Session   string   `json:"session,omitempty" desc:"Erase this conversation; needs permanent." listed:"no"`
	LinkID    string   `json:"link_id,omitempty" desc:"What came by this neural link." listed:"no"`
	Project   *string  `json:"project,omitempty" desc:"Only in this project; alone: all of it."`
	Reason    string   `json:"reason,omitempty" desc:"Why." maxlen:"1024" listed:"no"`
	Permanent bool     `json:"permanent,omitempty" desc:"Erase for good."`
	Confirm   bool     `json:"confirm,omitempty" desc:"For permanent, and a whole project."`
	DryRun    bool     `json:"dry_run,omitempty" desc:"Only show it."`
	Undo      string   `json:"undo,omitempty" desc:"undo_id to take back."`
}

// project returns the argument. An empty project is only meant beside a query, where it is the
// global memories, so otherwise nil is returned; see [remember.ForgetRequest].
func (in forgetInput) project() *string {
	if in.Project != nil && *in.Project == "" && in.Query == "" {
		return nil
	}
	return in.Project
}

type forgetOutput struct {
	Forgotten int      `json:"forgotten"`
	IDs       []string `json:"ids"`
	Missing   []string `json:"missing"`
	UndoID    string   `json:"undo_id,omitempty"`
	Pending   bool     `json:"pending,omitempty" desc:"What was erased may stay in the database's files until the last program that uses them has ended." listed:"no"`
	Revived   []string `json:"revived,omitempty" desc:"What holds again: only what was forgotten had taken its place." listed:"no"`
	Earlier   []string `json:"earlier,omitempty" desc:"Versions that what was forgotten had corrected; they stay superseded." listed:"no"`

	TakenBack int `json:"taken_back,omitempty" desc:"Memories of an import that undo has set aside." listed:"no"`

	Messages int      `json:"messages,omitempty" desc:"Of a conversation." listed:"no"`
	Drawn    []string `json:"drawn,omitempty" desc:"Memories that were made of the conversation and stay." listed:"no"`

	Later []laterOutput `json:"later,omitempty" desc:"Later versions of what was forgotten, not named and still there."`
}

type laterOutput struct {
	ID      string `json:"id"`
	Content string `json:"content"`
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
	out := &forgetOutput{
		Forgotten: r.Forgotten, IDs: r.IDs, Missing: shortened(r.Missing),
		UndoID: r.UndoID, Pending: r.Pending, Revived: r.Revived, Earlier: r.Earlier,
		Messages: r.Messages, Drawn: r.Drawn, TakenBack: r.TakenBack,
	}
	for _, l := range r.Later {
		out.Later = append(out.Later, laterOutput(l))
	}
	after, err := s.afterForgetting(ctx, scope, in, r)
	if err != nil {
		return nil, "", err
	}
	text := joined(" ", s.forgottenText(in, r), after) + s.laterText(r)
	if len(r.Drawn) > 0 {
		text += " Still there: " + plural(len(r.Drawn), "memory") + " made of it; " +
			s.advise(memory.Advice{Tool: "memory_forget with ids of drawn", Command: "`mcp-memory forget ID`"}) + " forgets them."
	}
	if in.DryRun {
		shown, err := s.named(ctx, scope, r.IDs, shownDry)
		if err != nil {
			return nil, "", err
		}
		text += "\n" + shown
	}
	return out, strings.TrimSuffix(text, "\n"), nil
}

// shownAfter is how many memories of each kind afterForgetting quotes.
const shownAfter = 3

// afterForgetting says what became of the older versions of the forgotten memories: which hold
// again (r.Revived), and which stay superseded (r.Earlier). It returns "" if there are none.
func (s Services) afterForgetting(ctx context.Context, scope memory.Scope, in forgetInput, r remember.ForgetResult) (string, error) {
	var parts []string
	holds, stays := "holds", "stays"
	if in.DryRun {
		holds, stays = "would hold", "would stay"
	}
	for _, about := range []struct {
		ids       []string
		what, end string
	}{
		{r.Revived, "What that had taken the place of " + holds + " again: ", ""},
		{r.Earlier, "What that had corrected " + stays + " superseded: ", " If it is true all the same, memory_save it again."},
	} {
		if len(about.ids) == 0 {
			continue
		}
		found, _, err := s.Remember.Get(ctx, scope, about.ids[:min(shownAfter, len(about.ids))])
		if err != nil {
			return "", err
		}
		var quoted []string
		for _, one := range found {
			quoted = append(quoted, fmt.Sprintf("%q (id %s)", memory.OneLine(one.Content, 100), one.ID))
		}
		if more := len(about.ids) - len(found); more > 0 {
			quoted = append(quoted, fmt.Sprintf("and %d more", more))
		}
		parts = append(parts, about.what+strings.Join(quoted, ", ")+"."+about.end)
	}
	return strings.Join(parts, " "), nil
}

// shownDry is how many memories a dry run lists of those that it would forget.
const shownDry = 50

// laterText lists the later versions of forgotten memories, which still hold, and says how to
// forget them too.
func (s Services) laterText(r remember.ForgetResult) string {
	if len(r.Later) == 0 {
		return ""
	}
	text := "\nLater versions are still there; " + s.advise(memory.Advice{
		Tool: "to forget them as well call memory_forget with their ids", Command: "`mcp-memory forget ID` forgets them as well",
	}) + ":"
	for _, l := range r.Later[:min(shownDry, len(r.Later))] {
		text += fmt.Sprintf("\n- %s %s", l.ID, memory.OneLine(l.Content, 160))
	}
	return text
}

func (s Services) forgottenText(in forgetInput, r remember.ForgetResult) string {
	what := plural(len(r.IDs), "memory")
	if r.Messages > 0 {
		what = plural(r.Messages, "message") + " and " + plural(len(r.IDs), "summary")
	}
	switch {
	case in.Undo != "" && r.TakenBack+r.Messages > 0:
		back := plural(r.TakenBack, "memory")
		if r.Messages > 0 {
			back += " and " + plural(r.Messages, "message")
		}
		text := "Took back " + back + " of an import."
		if len(r.IDs) > 0 {
			text += " " + plural(len(r.IDs), "memory") + " that it had superseded hold again."
		}
		return text
	case in.Undo != "":
		return "Brought back " + what + "."
	case in.DryRun:
		return "Would forget " + what + "; nothing was changed."
	case r.Pending:
		return "Erased " + what +
			" for good. The database is in use: bytes of it may stay in its files until the last program that uses them has ended."
	case in.Permanent:
		return "Erased " + what + " for good."
	case r.UndoID == "":
		return "Nothing to forget was found."
	}
	return fmt.Sprintf("Forgot %s. To bring them back: %s.", what, s.advise(undoAdvice("memory_forget", r.UndoID)))
}
