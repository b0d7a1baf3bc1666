package actions

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// recentActions is how many of a project's newest actions are looked at before a call.
const recentActions = 3000

// Call is the use of a tool that is about to be made: a command, or a file that is going to be changed.
type Call struct{ Command, Path string }

// Warning is what is worth knowing before a call; none if Text is empty.
type Warning struct {
	ID   string // of the memory that says it, or "action/" and that of the action that failed
	Text string // one line
}

// ActionID begins the id of a warning that is no memory's.
const ActionID = "action/"

// Before returns what is worth knowing before a call: that this very command failed when it was run last and
// another worked then, or a correction or decision that names the file. Errors are the store's.
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

// failedBefore is what is worth knowing of a command, by actions, newest first.
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
		// That some test passed later says little of another command.
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
