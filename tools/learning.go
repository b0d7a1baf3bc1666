package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/secrets"
)

var (
	recordLearningSpec = Spec{
		Name: "learning_record", Title: "Record a learning", Group: Core, Effect: Add,
		Description: "Keep what you learned the hard way: a tool's error and how to avoid it, or a correction by the user. Sessions start with them.",
	}
	listLearningSpec = Spec{
		Name: "learning_list", Title: "List learnings", Group: Learning, Effect: Read,
		Description: "Show errors and corrections to learn from, newest first. With tool, ask before you use one that may go wrong: those about it, the most important first.",
	}
)

type recordLearningInput struct {
	Kind    memory.LearningType `json:"kind" desc:"Which of the two." required:"true"`
	Content string              `json:"content" desc:"What to do or avoid, in a full sentence." required:"true"`
	Context string              `json:"context,omitempty" desc:"What you were doing."`
	Tool    string              `json:"tool,omitempty" desc:"Which tool."`
}

// learningOutput is a learning as the tools show it.
type learningOutput struct {
	ID            string              `json:"id"`
	Kind          memory.LearningType `json:"kind"`
	Content       string              `json:"content"`
	Context       string              `json:"context,omitempty"`
	Tool          string              `json:"tool,omitempty"`
	Confirmations int                 `json:"confirmations"`
	CreatedAt     time.Time           `json:"created_at"`
}

func learningOutputOf(r memory.Record) learningOutput {
	out := learningOutput{ID: r.ID, Kind: memory.LearningError, Content: r.Content, Confirmations: r.Confirmations, CreatedAt: r.CreatedAt}
	if l := r.Learning; l != nil {
		out.Kind, out.Context, out.Tool = l.Type, l.Context, l.Tool
	}
	return out
}

type recordLearningOutput struct {
	Action remember.Action `json:"action" enum:"created,duplicate"`
	learningOutput
}

func (s Services) recordLearning(ctx context.Context, scope memory.Scope, in recordLearningInput) (*recordLearningOutput, string, error) {
	saved, err := s.Cognition.RecordLearning(ctx, scope,
		cognition.LearningRequest{Type: in.Kind, Content: in.Content, Context: in.Context, Tool: in.Tool})
	if err != nil {
		return nil, "", err
	}
	return &recordLearningOutput{saved.Action, learningOutputOf(saved.Record)}, keptText(saved), nil
}

type listLearningInput struct {
	Kind  memory.LearningType `json:"kind,omitempty" desc:"Only these; default: both."`
	Tool  string              `json:"tool,omitempty" desc:"Only those about this tool or command, such as git or Bash: git push."`
	Limit int                 `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
}

func (s Services) listLearning(ctx context.Context, scope memory.Scope, in listLearningInput) (*listOutput[learningOutput], string, error) {
	found, total, err := s.Cognition.Learnings(ctx, scope, cognition.LearningQuery{Type: in.Kind, Tool: in.Tool, Limit: in.Limit})
	if err != nil {
		return nil, "", err
	}
	out, text := listOf(found, total, learningOutputOf, "learning", []string{"WHEN (UTC)", "KIND", "CONTENT"},
		func(one learningOutput) []string {
			return []string{minute(one.CreatedAt), string(one.Kind), memory.OneLine(one.Content, 120)}
		})
	if in.Tool != "" {
		text = cmp.Or(learningLines(found), "No learnings about it.")
	}
	return out, text, nil
}

// learningLines lists the first maxLearningLines learnings, a line each, short enough for a prompt
// before each use of a tool. Those with secrets are only in the structured result.
func learningLines(found []memory.Record) string {
	var lines []string
	for _, r := range found {
		if secrets.Is(r) || len(lines) == maxLearningLines {
			continue
		}
		one := learningOutputOf(r)
		line := "- " + string(one.Kind)
		if one.Confirmations > 1 {
			line += fmt.Sprintf(", %d times", one.Confirmations)
		}
		lines = append(lines, line+": "+memory.OneLine(one.Content, 200))
	}
	return strings.Join(lines, "\n")
}

const maxLearningLines = 5
