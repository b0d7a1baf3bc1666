package actions

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// recentActions is how many of the newest actions of a project [Service.Before] and
// [Service.Mended] look at.
const recentActions = 3000

// Call is a tool call that is about to be made: a command to run, or the path of a file to change.
type Call struct{ Command, Path string }

// Warning is something worth knowing before a call. Text is empty if there is nothing.
type Warning struct {
	ID   string // of the memory, or ActionID followed by the id of the action that failed
	Text string // one line
}

// ActionID begins the id of a warning about a failed action, which comes from no memory.
const ActionID = "action/"

// Before returns a warning about a call. For a command: that it failed in its last run, and another
// one worked then. For a file: a correction or decision that names it. Errors are the store's.
func (s *Service) Before(ctx context.Context, scope memory.Scope, c Call) (Warning, error) {
	switch {
	case s == nil:
		return Warning{}, nil
	case c.Command != "":
		list, err := s.List(ctx, scope, "", recentActions)
		return failedBefore(list, c.Command), err
	case c.Path != "":
		var known Blame
		if err := s.reasons(ctx, scope, c.Path, &known, memory.Memories); err != nil {
			return Warning{}, err
		}
		for _, r := range append(known.Corrections, known.Decisions...) {
			return Warning{r.ID, r.Content}, nil
		}
	}
	return Warning{}, nil
}

// failedBefore returns a warning if the last run of a command failed and actions show what worked
// then. list has the newest action first.
func failedBefore(list []memory.Action, command string) Warning {
	asked := canon(command)
	last := slices.IndexFunc(list, func(a memory.Action) bool {
		return a.Kind.Runs() && a.Outcome != memory.OutcomeUnknown && canon(a.Text) == asked
	})
	if last < 0 || list[last].Outcome != memory.OutcomeFailed {
		return Warning{}
	}
	failed := list[last]
	for _, session := range inSessions(list) {
		at := slices.IndexFunc(session, func(a memory.Action) bool { return a.ID == failed.ID })
		if at < 0 {
			continue
		}
		did, passed, _ := remedy(session, at, newComplaint(failed.Tail))
		// A test that passed later says little about another command.
		if passed == 0 || len(did) == 0 || !akin(did[len(did)-1], asked) && !within(asked, did[len(did)-1]) {
			return Warning{}
		}
		why, _, _ := strings.Cut(failed.Tail, "\n")
		if why = strings.TrimSpace(why); why != "" {
			why = " (" + memory.OneLine(why, 160) + ")"
		}
		return Warning{ActionID + failed.ID,
			"`" + memory.OneLine(asked, 160) + "` failed here last time" + why + "; what worked then: " +
				memory.OneLine(strings.Join(did, "; "), 300)}
	}
	return Warning{}
}
