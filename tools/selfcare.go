package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
)

var selfCareSpec = Spec{
	Name: "self_care", Title: "Consolidate memories", Group: Core, Effect: Change,
	Description: "Turn many old long-term memories and conversations into summaries, from 30 on. Originals are archived. " +
		"With mode agent you get a batch; call again with its batch_id and your summary.",
}

type selfCareInput struct {
	Focus    string            `json:"focus,omitempty" desc:"Only memories about this."`
	Phase    consolidate.Phase `json:"phase,omitempty" desc:"What to consolidate." default:"both"`
	Kinds    []memory.Kind     `json:"kinds,omitempty" desc:"Kinds of memory." enum:"longterm,episode,fact" default:"longterm,episode" listed:"no"`
	Mode     consolidate.Mode  `json:"mode,omitempty" desc:"Who summarises." enum:"auto,agent,llm,extractive" default:"auto"`
	DryRun   bool              `json:"dry_run,omitempty" desc:"Only show what would happen." listed:"no"`
	BatchID  string            `json:"batch_id,omitempty" desc:"Batch that summary is of."`
	Summary  string            `json:"summary,omitempty" desc:"Your summary: keep names, numbers, dates."`
	Undo     string            `json:"undo,omitempty" desc:"undo_id to take back."`
	Location string            `json:"location,omitempty" desc:"Where you are." listed:"no"`
}

type summaryOutput struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Covers  int    `json:"covers"`
}

type batchOutput struct {
	ID         string    `json:"id"`
	Content    string    `json:"content"`
	OccurredAt time.Time `json:"occurred_at"`
}

type selfCareOutput struct {
	Status                  consolidate.Status `json:"status"`
	Phase                   consolidate.Phase  `json:"phase"`
	MemoriesConsidered      int                `json:"memories_considered"`
	MemoriesArchived        int                `json:"memories_archived"`
	Summaries               []summaryOutput    `json:"summaries"`
	ConversationsSummarised int                `json:"conversations_summarised"`
	Watermark               time.Time          `json:"watermark,omitzero"`
	TokensBefore            int                `json:"tokens_before"`
	TokensAfter             int                `json:"tokens_after"`
	BatchID                 string             `json:"batch_id,omitempty"`
	Batch                   []batchOutput      `json:"batch,omitempty"`
	EarlierSummary          string             `json:"earlier_summary,omitempty"`
	UndoID                  string             `json:"undo_id,omitempty"`
	ModeUsed                consolidate.Mode   `json:"mode_used,omitempty"`
	BroughtBack             int                `json:"brought_back,omitempty"`
	Left                    []string           `json:"left,omitempty"`
	Problem                 string             `json:"problem,omitempty"`
}

func (s Services) selfCare(ctx context.Context, scope memory.Scope, in selfCareInput) (*selfCareOutput, string, error) {
	r, err := s.Consolidate.SelfCare(ctx, consolidate.Request{
		Agent: scope.Agent, Focus: in.Focus, Phase: in.Phase, Kinds: in.Kinds, Mode: in.Mode, DryRun: in.DryRun,
		BatchID: in.BatchID, Summary: in.Summary, Undo: in.Undo, Location: in.Location,
	})
	if err != nil {
		return nil, "", err
	}
	out := selfCareOutput{
		Status: r.Status, Phase: r.Phase, MemoriesConsidered: r.MemoriesConsidered, MemoriesArchived: r.MemoriesArchived,
		ConversationsSummarised: r.ConversationsSummarised,
		Watermark:               r.Watermark, TokensBefore: r.TokensBefore, TokensAfter: r.TokensAfter,
		BatchID: r.BatchID, EarlierSummary: r.Earlier, UndoID: r.UndoID,
		ModeUsed: r.ModeUsed, BroughtBack: r.BroughtBack, Left: r.Left, Problem: r.Problem,
	}
	for _, s := range r.Summaries {
		out.Summaries = append(out.Summaries, summaryOutput(s))
	}
	for _, b := range r.Batch {
		out.Batch = append(out.Batch, batchOutput{b.ID, b.Text, b.At})
	}
	return &out, s.selfCareText(r, in.Focus), nil
}

// selfCareText is the text form of a result. A batch is shown in full, because the model has to
// read and summarise it.
func (s Services) selfCareText(r consolidate.Result, focus string) string {
	var b strings.Builder
	what := plural(r.MemoriesArchived, "memory") + " and " + plural(r.ConversationsSummarised, "message")
	switch r.Status {
	case consolidate.StatusNothing:
		return "Nothing to do: " + whyNothing(r, focus)
	case consolidate.StatusUndone:
		fmt.Fprintf(&b, "Brought back %d memories and messages.", r.BroughtBack)
		if len(r.Left) > 0 {
			fmt.Fprintf(&b, " Left, because they were changed since: %s.", strings.Join(r.Left, ", "))
		}
		return b.String()
	case consolidate.StatusDryRun:
		fmt.Fprintf(&b, "Would turn %s into %s: %d tokens into %d. Nothing was changed.", what, summaries(r), r.TokensBefore, r.TokensAfter)
	case consolidate.StatusDone:
		fmt.Fprintf(&b, "Turned %s into %s: %d tokens into %d. To take it back: %s.", what, summaries(r), r.TokensBefore, r.TokensAfter,
			s.advise(undoAdvice("self_care", r.UndoID)))
		if r.ModeUsed == consolidate.ModeExtractive {
			b.WriteString(" The summaries are sentences that rules picked; mode agent lets you write them. What they leave out is still found, marked archived.")
		}
	}
	if r.Batch != nil {
		b.Reset()
		if r.Status == consolidate.StatusDryRun {
			fmt.Fprintf(&b, "Would ask you to summarise these %d %s. Nothing was changed.\n", len(r.Batch), r.Phase)
		} else {
			fmt.Fprintf(&b, "Summarise these %d %s, then %s.\n", len(r.Batch), r.Phase, s.advise(memory.Advice{
				Tool:    "call self_care with your summary and batch_id " + r.BatchID,
				Command: "call `mcp-memory self-care` with your summary and batch_id " + r.BatchID,
			}))
		}
		if r.Earlier != "" {
			fmt.Fprintf(&b, "Fold in the earlier summary:\n%s\n", r.Earlier)
		}
		for _, one := range r.Batch {
			fmt.Fprintf(&b, "- %s: %s\n", minute(one.At), indented(one.Text))
		}
	}
	if r.Problem != "" {
		fmt.Fprintf(&b, "\nIt ended early: %s", r.Problem)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// whyNothing says why nothing was consolidated.
func whyNothing(r consolidate.Result, focus string) string {
	switch {
	case r.Phase == consolidate.PhaseConversations:
		return fmt.Sprintf("fewer than %d messages that were not summarised before.", consolidate.MinMemories)
	case r.MemoriesConsidered < consolidate.MinMemories:
		return fmt.Sprintf("%s to consolidate, and %d are needed to start.", plural(r.MemoriesConsidered, "memory"),
			consolidate.MinMemories)
	case focus != "":
		return fmt.Sprintf("of %s, not even two are on the focus.", plural(r.MemoriesConsidered, "memory"))
	}
	return fmt.Sprintf("of %s, no two are of the same project.", plural(r.MemoriesConsidered, "memory"))
}

func summaries(r consolidate.Result) string {
	if len(r.Summaries) == 1 {
		return "1 summary"
	}
	return fmt.Sprintf("%d summaries", len(r.Summaries))
}
