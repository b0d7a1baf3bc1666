package cognition

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// ProcedureRequest says how something is done. Name and Steps are needed.
type ProcedureRequest struct {
	Name            string // unique, see [memory.SameContent]
	Description     string
	Steps           []memory.ProcedureStep
	Prerequisites   []string
	SuccessCriteria []string
}

func (r ProcedureRequest) details() memory.ProcedureDetails {
	return memory.ProcedureDetails{
		Name: strings.TrimSpace(r.Name), Description: strings.TrimSpace(r.Description), Steps: slices.Clone(r.Steps),
		Prerequisites: slices.Clone(r.Prerequisites), SuccessCriteria: slices.Clone(r.SuccessCriteria),
	}
}

// procedureContent returns the procedure as text. Lines beyond
// [memory.MaxContentBytes] are left out: the details have them, and the
// beginning is enough for a search.
func procedureContent(d memory.ProcedureDetails) string {
	lines := []string{sentence(d.Name)}
	if d.Description != "" {
		lines[0] = d.Name + ": " + sentence(d.Description)
	}
	if len(d.Prerequisites) > 0 {
		lines = append(lines, labelled("Needs", strings.Join(d.Prerequisites, "; ")))
	}
	for i, step := range d.Steps {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, joined(" ",
			sentence(step.Action), labelled("Expected", step.ExpectedOutcome), labelled("On error", step.ErrorHandling))))
	}
	if len(d.SuccessCriteria) > 0 {
		lines = append(lines, labelled("Done when", strings.Join(d.SuccessCriteria, "; ")))
	}
	const more = "\n…"
	content := lines[0]
	for _, line := range lines[1:] {
		if len(content)+1+len(line) > memory.MaxContentBytes-len(more) {
			return content + more
		}
		content += "\n" + line
	}
	return content
}

// SaveProcedure stores a procedure. If a live one has the same name, it is
// superseded and its counts are kept; the same procedure again is a duplicate.
// Errors: [memory.CodeInvalidArgument] and [memory.CodeTooLarge], naming the
// argument.
func (s *Service) SaveProcedure(ctx context.Context, scope memory.Scope, r ProcedureRequest) (saved Saved, err error) {
	if err := needed("name", r.Name); err != nil {
		return Saved{}, err
	}
	if len(r.Steps) == 0 {
		return Saved{}, memory.Errorf(memory.CodeInvalidArgument, "steps is empty").WithHint(`such as [{"action": "Run the tests"}]`)
	}
	d := r.details()
	if err := fits("description", d.Name+": "+sentence(d.Description)); err != nil {
		return Saved{}, err
	}
	err = s.remember.Change(ctx, own(scope), func(c *remember.Change) error {
		old, err := procedure(c, d.Name)
		if err != nil {
			return err
		}
		saved, err = saveProcedure(c, old, d)
		return err
	})
	return saved, err
}

func saveProcedure(c *remember.Change, old *memory.Record, d memory.ProcedureDetails) (Saved, error) {
	request := remember.SaveRequest{Kind: memory.KindProcedure, Content: procedureContent(d)}
	action := remember.Created
	if old != nil {
		was := *old.Procedure
		d.Executed, d.Succeeded, d.LastExecuted = was.Executed, was.Succeeded, was.LastExecuted
		if sameProcedure(was, d) {
			return Saved{*old, remember.Duplicate}, c.Confirm(*old)
		}
		request.Supersedes, request.Importance, request.Tags, request.Pinned = old.ID, &old.Importance, old.Tags, old.Pinned
		action = remember.Superseded
	}
	request.Procedure = &d
	record, err := c.Put(request)
	return Saved{record, action}, err
}

func sameProcedure(a, b memory.ProcedureDetails) bool {
	return a.Name == b.Name && a.Description == b.Description && slices.Equal(a.Steps, b.Steps) &&
		slices.Equal(a.Prerequisites, b.Prerequisites) && slices.Equal(a.SuccessCriteria, b.SuccessCriteria)
}

// procedure returns the live procedure of that name, or nil.
func procedure(c *remember.Change, name string) (*memory.Record, error) {
	found, _, err := c.List(memory.CatalogFilter{Kind: memory.KindProcedure, Name: name, Limit: 1})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// RunProcedure records that a procedure was executed, and returns it with the
// new counts. It returns a [memory.CodeNotFound] for an unknown name, with the
// most similar names.
func (s *Service) RunProcedure(ctx context.Context, scope memory.Scope, name string, success bool, notes string) (r memory.Record,
	err error) {
	if err := needed("name", name); err != nil {
		return r, err
	}
	run := memory.ProcedureRun{Success: success, Notes: strings.TrimSpace(notes)}
	if err := run.Validate(); err != nil {
		return r, err
	}
	err = s.remember.Change(ctx, own(scope), func(c *remember.Change) error {
		found, err := procedure(c, name)
		if err != nil {
			return err
		}
		if found == nil {
			return unknownProcedure(c, name)
		}
		r = *found
		d := *r.Procedure
		d.Executed++
		if success {
			d.Succeeded++
		}
		d.LastExecuted = c.Now()
		r.Procedure = &d
		run.Procedure, run.At = r.ID, d.LastExecuted
		if err := c.InsertProcedureRun(run); err != nil {
			return err
		}
		return c.UpdateRecord(r)
	})
	return r, err
}

func unknownProcedure(c *remember.Change, name string) error {
	all, _, err := c.List(memory.CatalogFilter{Kind: memory.KindProcedure})
	if err != nil {
		return err
	}
	unknown := memory.Errorf(memory.CodeNotFound, "there is no procedure %q", memory.Shorten(name, 80))
	var names []string
	for _, r := range all {
		names = append(names, r.Procedure.Name)
	}
	if near := mostLike(name, names, 3); len(near) > 0 {
		return unknown.WithHint("did you mean %s?", strings.Join(near, ", "))
	}
	return unknown.WithAdvice(memory.Advice{Tool: "find_procedure shows what there is",
		Command: "`mcp-memory procedures list` shows what there is"})
}

// FoundProcedures is what [Service.FindProcedures] returns.
type FoundProcedures struct {
	Records []memory.Record
	Total   int // that pass, without the limit
	Failing int // left out because their success rate is too low
}

// FindProcedures returns procedures that are about a query: first those with a
// success rate of at least minRate (0 to 1), then those that never ran, each
// with the best match first. Limit is 1 to 100. Errors are those of
// [recall.Service.Recall].
func (s *Service) FindProcedures(ctx context.Context, scope memory.Scope, query string, minRate float64,
	limit int) (FoundProcedures, error) {
	if err := memory.CheckUnit("min_success_rate", minRate, 0, 1); err != nil {
		return FoundProcedures{}, err
	}
	answer, err := s.recall.Recall(ctx, recall.Request{
		Query: query, Scope: scope, Filter: memory.Filter{Kinds: []memory.Kind{memory.KindProcedure}},
		Limit: recall.MaxLimit, MinScore: recall.Floor,
	})
	if err != nil {
		return FoundProcedures{}, err
	}
	candidates, err := s.unfolded(ctx, scope.Agent, answer)
	if err != nil {
		return FoundProcedures{}, err
	}
	var proven, untried []memory.Record
	failing := 0
	for _, r := range candidates {
		switch {
		case r.Procedure == nil:
		case r.Procedure.Executed == 0:
			untried = append(untried, r)
		case r.Procedure.SuccessRate() >= minRate:
			proven = append(proven, r)
		default:
			failing++
		}
	}
	passed := append(proven, untried...)
	return FoundProcedures{passed[:min(limit, len(passed))], len(passed), failing}, nil
}

// unfolded returns the records of an answer and the near-duplicates that recall
// has folded into them. Of two procedures that are nearly the same, only one
// may work.
func (s *Service) unfolded(ctx context.Context, agent string, answer recall.Answer) ([]memory.Record, error) {
	var ids []string
	for _, r := range answer.Results {
		ids = append(append(ids, r.ID), r.Duplicates...)
	}
	return s.store.Records(ctx, agent, ids)
}

// mostLike returns up to n of the names that are most similar to what was
// written, best first. Similarity is the share of common pairs of characters
// (the Dice coefficient); names with less than enough are left out.
func mostLike(written string, names []string, n int) []string {
	const enough = 0.3
	pairs := characterPairs(written)
	score := map[string]float64{}
	var like []string
	for _, name := range names {
		theirs := characterPairs(name)
		shared := 0
		for p := range pairs {
			if theirs[p] {
				shared++
			}
		}
		if s := 2 * float64(shared) / float64(max(1, len(pairs)+len(theirs))); s >= enough {
			score[name] = s
			like = append(like, name)
		}
	}
	slices.SortStableFunc(like, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	return like[:min(n, len(like))]
}

func characterPairs(name string) map[string]bool {
	folded := []rune(strings.ToLower(strings.Join(predicateWords(name), "")))
	pairs := map[string]bool{}
	for i := range folded[:max(0, len(folded)-1)] {
		pairs[string(folded[i:i+2])] = true
	}
	return pairs
}
