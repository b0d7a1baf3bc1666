package actions

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// Mended reports for each failure whether something worked since its last occurrence, among the
// newest actions of the scope's project: the same command, or what [Service.Fix] would return as
// working. The Command of a failure need only name the program. It is false for a failure that no
// action has. Errors are the store's.
func (s *Service) Mended(ctx context.Context, scope memory.Scope, failures []Failure) ([]bool, error) {
	mended := make([]bool, len(failures))
	if s == nil || len(failures) == 0 {
		return mended, nil
	}
	list, err := s.List(ctx, scope, "", recentActions)
	for i, f := range failures {
		mended[i] = mendedSince(list, memory.Program(f.Command), newComplaint(f.Says))
	}
	return mended, err
}

// mendedSince reports whether something worked since a program last failed with an error. list has
// the newest action first.
func mendedSince(list []memory.Action, program string, said complaint) bool {
	last := slices.IndexFunc(list, func(a memory.Action) bool {
		return a.Outcome == memory.OutcomeFailed && a.Kind.Runs() && memory.Program(a.Text) == program && said.same(newComplaint(a.Tail))
	})
	if last < 0 {
		return false
	}
	failed := list[last]
	if slices.ContainsFunc(list[:last], func(a memory.Action) bool {
		return a.Kind.Runs() && a.Outcome == memory.OutcomeOK && canon(a.Text) == canon(failed.Text)
	}) {
		return true
	}
	session := slices.DeleteFunc(slices.Clone(list[:last+1]), func(a memory.Action) bool { return a.Session != failed.Session })
	slices.Reverse(session)
	_, passed, _ := remedy(session, 0, said)
	return passed > 0
}
