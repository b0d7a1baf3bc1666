package tools

import (
	"context"
	"fmt"
	"strings"

	"mcp-memory/access"
	"mcp-memory/actions"
	"mcp-memory/memory"
)

var (
	howSpec = Spec{
		Name: "memory_how", Title: "How it was done", Group: Actions, Effect: Read, Reach: access.Projects,
		Description: "Commands that worked for something in this project before, best first.",
	}
	fixSpec = Spec{
		Name: "memory_fix", Title: "What fixed an error", Group: Actions, Effect: Read, Reach: access.Projects,
		Description: "What was run or changed when the same error came before, and whether it worked.",
	}
)

// inProject is an input that is about one project.
type inProject struct {
	Project *string `json:"project,omitempty" desc:"Another project; \"*\" is all."`
}

func (in inProject) project() *string { return in.Project }

type howInput struct {
	What string `json:"what" desc:"What is to be done, such as: start the dev database." required:"true"`
	inProject
}

type howOutput struct {
	Commands []actions.Command `json:"commands"`
}

func (s Services) how(ctx context.Context, scope memory.Scope, in howInput) (*howOutput, string, error) {
	commands, err := s.Actions.How(ctx, scope, in.What)
	if err != nil {
		return nil, "", err
	}
	if len(commands) == 0 {
		return &howOutput{commands}, "No command is known that did this here.", nil
	}
	var b strings.Builder
	for _, c := range commands {
		worked := fmt.Sprintf("worked %d of %d times", c.Worked, c.Times)
		if !c.OK {
			worked = "its host does not tell whether it worked"
		}
		fmt.Fprintf(&b, "%s\n  in %s, %s, last %s\n", c.Command, c.Dir, worked, s.Recall.Day(c.LastUsed))
	}
	return &howOutput{commands}, strings.TrimSuffix(b.String(), "\n"), nil
}

type fixInput struct {
	Error string `json:"error" desc:"What was printed, or its telling line." required:"true"`
	inProject
}

type fixOutput struct {
	Fixes []actions.Fix `json:"fixes"`
}

func (s Services) fix(ctx context.Context, scope memory.Scope, in fixInput) (*fixOutput, string, error) {
	fixes, err := s.Actions.Fix(ctx, scope, in.Error)
	if err != nil {
		return nil, "", err
	}
	if len(fixes) == 0 {
		return &fixOutput{fixes}, "This error is not known here.", nil
	}
	var b strings.Builder
	for _, f := range fixes {
		verdict := "this did not help"
		if f.Worked {
			verdict = "this worked"
		}
		times := ""
		if f.Times > 1 {
			times = fmt.Sprintf(", %d times", f.Times)
		}
		fmt.Fprintf(&b, "%s\n  %s failed; %s (%s%s):\n", f.Error, f.Command, verdict, s.Recall.Day(f.Last), times)
		for _, step := range f.Did {
			fmt.Fprintf(&b, "  - %s\n", step)
		}
	}
	return &fixOutput{fixes}, strings.TrimSuffix(b.String(), "\n"), nil
}
