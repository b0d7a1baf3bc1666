package tools

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var (
	saveProcedureSpec = Spec{
		Name: "save_procedure", Title: "Save a procedure", Group: Procedure, Effect: Add,
		Description: "Keep how something is done, step by step, once it has worked or been explained to you. The same name again is a new version and keeps the counts of its runs.",
	}
	runProcedureSpec = Spec{
		Name: "record_procedure_run", Title: "Record a run of a procedure", Group: Procedure, Effect: Add,
		Description: "Note that you carried out a saved procedure and whether it worked, so that what works is preferred next time.",
	}
	findProcedureSpec = Spec{
		Name: "find_procedure", Title: "Find a procedure", Group: Procedure, Effect: Read,
		Description: "Look for a procedure before you do something that you may have done before. Those that work come first, then those that never ran.",
	}
)

type saveProcedureInput struct {
	Name            string      `json:"name" desc:"Unique name such as deploy_api." required:"true"`
	Description     string      `json:"description,omitempty" desc:"What it is for."`
	Steps           []stepInput `json:"steps" desc:"In order." required:"true"`
	Prerequisites   []string    `json:"prerequisites,omitempty" desc:"What has to be there first."`
	SuccessCriteria []string    `json:"success_criteria,omitempty" desc:"How to tell that it worked."`
}

type stepInput struct {
	Action          string `json:"action" desc:"What to do." required:"true"`
	ExpectedOutcome string `json:"expected_outcome,omitempty" desc:"What should happen."`
	ErrorHandling   string `json:"error_handling,omitempty" desc:"What to do if it does not."`
}

// procedureOutput is a procedure as the tools show it.
type procedureOutput struct {
	ID              string       `json:"id"`
	Name            string       `json:"name"`
	Description     string       `json:"description,omitempty"`
	Steps           []stepOutput `json:"steps"`
	Prerequisites   []string     `json:"prerequisites"`
	SuccessCriteria []string     `json:"success_criteria"`
	TimesExecuted   int          `json:"times_executed"`
	SuccessRate     float64      `json:"success_rate"`
	LastExecuted    time.Time    `json:"last_executed,omitzero"`
	CreatedAt       time.Time    `json:"created_at"`
}

type stepOutput struct {
	StepNumber      int    `json:"step_number"`
	Action          string `json:"action"`
	ExpectedOutcome string `json:"expected_outcome,omitempty"`
	ErrorHandling   string `json:"error_handling,omitempty"`
}

func procedureOutputOf(r memory.Record) procedureOutput {
	out := procedureOutput{ID: r.ID, CreatedAt: r.CreatedAt}
	p := r.Procedure
	if p == nil {
		return out
	}
	out.Name, out.Description, out.Prerequisites, out.SuccessCriteria = p.Name, p.Description, p.Prerequisites, p.SuccessCriteria
	out.TimesExecuted, out.SuccessRate, out.LastExecuted = p.Executed, p.SuccessRate(), p.LastExecuted
	for i, s := range p.Steps {
		out.Steps = append(out.Steps, stepOutput{i + 1, s.Action, s.ExpectedOutcome, s.ErrorHandling})
	}
	return out
}

type saveProcedureOutput struct {
	ID            string          `json:"id"`
	Action        remember.Action `json:"action" enum:"created,duplicate,superseded"`
	Name          string          `json:"name"`
	TimesExecuted int             `json:"times_executed"`
	SuccessRate   float64         `json:"success_rate"`
}

func (s Services) saveProcedure(ctx context.Context, scope memory.Scope, in saveProcedureInput) (*saveProcedureOutput, string, error) {
	request := cognition.ProcedureRequest{
		Name: in.Name, Description: in.Description, Prerequisites: in.Prerequisites, SuccessCriteria: in.SuccessCriteria,
	}
	for _, s := range in.Steps {
		request.Steps = append(request.Steps, memory.ProcedureStep(s))
	}
	saved, err := s.Cognition.SaveProcedure(ctx, scope, request)
	if err != nil {
		return nil, "", err
	}
	p := saved.Procedure
	return &saveProcedureOutput{saved.ID, saved.Action, p.Name, p.Executed, p.SuccessRate()}, keptText(saved), nil
}

type runProcedureInput struct {
	Name    string `json:"name" desc:"Name of the procedure." required:"true"`
	Success bool   `json:"success" desc:"Whether it worked." required:"true"`
	Notes   string `json:"notes,omitempty" desc:"What was different, or went wrong."`
}

type runProcedureOutput struct {
	ID            string    `json:"id"`
	Action        string    `json:"action" enum:"recorded"`
	Name          string    `json:"name"`
	TimesExecuted int       `json:"times_executed"`
	SuccessRate   float64   `json:"success_rate"`
	LastExecuted  time.Time `json:"last_executed"`
}

func (s Services) runProcedure(ctx context.Context, scope memory.Scope, in runProcedureInput) (*runProcedureOutput, string, error) {
	r, err := s.Cognition.RunProcedure(ctx, scope, in.Name, in.Success, in.Notes)
	if err != nil {
		return nil, "", err
	}
	p := r.Procedure
	text := fmt.Sprintf("%s ran %s, success rate %s.", memory.OneLine(p.Name, 80), plural(p.Executed, "time"), short(p.SuccessRate()))
	return &runProcedureOutput{r.ID, "recorded", p.Name, p.Executed, p.SuccessRate(), p.LastExecuted}, text, nil
}

type findProcedureInput struct {
	Query          string  `json:"query" desc:"What you want to do." required:"true"`
	MinSuccessRate float64 `json:"min_success_rate,omitempty" desc:"Leave out those that worked less often." default:"0.7" min:"0" max:"1"`
	Limit          int     `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
}

type findProcedureOutput struct {
	Items   []procedureOutput `json:"items"`
	Total   int               `json:"total"`
	Failing int               `json:"failing,omitempty"` // left out by min_success_rate
}

func (s Services) findProcedure(ctx context.Context, scope memory.Scope, in findProcedureInput) (*findProcedureOutput, string, error) {
	found, err := s.Cognition.FindProcedures(ctx, scope, in.Query, in.MinSuccessRate, in.Limit)
	if err != nil {
		return nil, "", err
	}
	out := findProcedureOutput{Total: found.Total, Failing: found.Failing}
	rows := [][]string{{"NAME", "RUNS", "SUCCESS", "STEPS", "DESCRIPTION"}}
	for _, r := range found.Records {
		one := procedureOutputOf(r)
		out.Items = append(out.Items, one)
		rate := "-"
		if one.TimesExecuted > 0 {
			rate = short(one.SuccessRate)
		}
		rows = append(rows, []string{memory.OneLine(one.Name, 40), strconv.Itoa(one.TimesExecuted), rate, strconv.Itoa(len(one.Steps)),
			memory.OneLine(one.Description, 80)})
	}
	text := listing(rows, out.Total, "procedure")
	if len(found.Records) > 0 { // the first is the best one, so it is shown in full
		text += "\n\n" + found.Records[0].Content
	}
	if out.Failing > 0 {
		text += fmt.Sprintf("\n\n%s left out, with a success rate below %s: min_success_rate 0 shows all.",
			plural(out.Failing, "procedure"), short(in.MinSuccessRate))
	}
	return &out, text, nil
}
