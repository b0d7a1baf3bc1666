package actions

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Fix is what was done after an error.
type Fix struct {
	Error   string    `json:"error"`   // the line of the error that is most alike
	Command string    `json:"command"` // the command that failed
	Did     []string  `json:"did"`     // commands run and files changed, in order
	Worked  bool      `json:"worked"`  // whether the error was gone afterwards
	Times   int       `json:"times"`   // how often this was done after the error
	Last    time.Time `json:"last"`
	Session string    `json:"session"`
}

// candidate is a fix, with how alike its error is to the one asked about.
type candidate struct {
	Fix
	likeness float64
}

const (
	fixLimit = 3
	// fixFloor is the least likeness of an error. fixSteps is how many steps a fix has at most.
	fixFloor, fixSteps = 0.6, 6
	maxError           = 8 << 10
	// surer is added to the likeness of a fix if another form of the command or a test passed
	// afterwards, and twice if the same command got past the error.
	surer = 0.1
)

// Fix returns what was done when the same or a similar error occurred before, what worked first.
// Errors are the same if they differ only in paths, numbers, hashes, times and quotations. An empty
// text is [memory.CodeInvalidArgument]. Other errors are the store's.
func (s *Service) Fix(ctx context.Context, scope memory.Scope, text string) ([]Fix, error) {
	if strings.TrimSpace(text) == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "error is empty").WithHint("give the line that says what went wrong")
	}
	list, err := s.List(ctx, scope, "", 0)
	if err != nil {
		return nil, err
	}
	return fixes(list, text[:min(len(text), maxError)]), nil
}

// fixes returns up to fixLimit fixes for an error. list has the newest action first.
func fixes(list []memory.Action, text string) []Fix {
	asked := newComplaint(text)
	weights := newWeights(list)
	known := map[string]*candidate{}
	var found []*candidate
	for _, session := range inSessions(list) {
		for i, a := range session {
			if a.Outcome != memory.OutcomeFailed || !a.Kind.Runs() {
				continue
			}
			said := newComplaint(a.Tail)
			likeness, line := asked.like(said, weights)
			if likeness < fixFloor {
				continue
			}
			did, passed, again := remedy(session, i, said)
			if again || len(did) == 0 { // the next failure has the remedy
				continue
			}
			worked := passed > 0
			likeness += surer * float64(passed)
			key := strings.Join(did, "\x00")
			f := known[key]
			if f == nil {
				f = &candidate{Fix{Error: line, Command: canon(a.Text), Did: did, Worked: worked}, likeness}
				known[key] = f
				found = append(found, f)
			}
			f.Times++
			f.likeness, f.Worked = max(f.likeness, likeness), f.Worked || worked
			if a.At.After(f.Last) {
				f.Last, f.Session = a.At, a.Session
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *candidate) int {
		if a.Worked != b.Worked {
			if a.Worked {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), b.Times-a.Times, b.Last.Compare(a.Last))
	})
	answer := []Fix{}
	for _, f := range found[:min(fixLimit, len(found))] {
		if f.likeness < found[0].likeness-0.25 {
			break
		}
		answer = append(answer, f.Fix)
	}
	return answer
}

// inSessions groups actions, newest first, by session. In each session they are in order of time.
func inSessions(list []memory.Action) (sessions [][]memory.Action) {
	of := map[string]int{}
	for _, a := range slices.Backward(list) {
		i, known := of[a.Session]
		if !known {
			i = len(sessions)
			of[a.Session], sessions = i, append(sessions, nil)
		}
		sessions[i] = append(sessions[i], a)
	}
	return sessions
}

// remedy returns what was done after the action session[failed], whose error is said: the commands
// run and files changed until the same command got past this error (passed is 2), or until another
// form of it or a test worked (passed is 1). passed is 0 if nothing worked. again is true if the
// same command fails with the same error once more: then the remedy comes after that failure.
func remedy(session []memory.Action, failed int, said complaint) (did []string, passed int, again bool) {
	f := session[failed]
	command := canon(f.Text)
	end, other := -1, -1
	for i := failed + 1; i < len(session) && end < 0; i++ {
		a := session[i]
		switch {
		case !a.Kind.Runs():
		case canon(a.Text) == command && a.Outcome == memory.OutcomeFailed && said.same(newComplaint(a.Tail)):
			return nil, 0, true
		case canon(a.Text) == command:
			end = i
		case other < 0 && a.Outcome == memory.OutcomeOK && within(command, a.Text):
			other = i
		case other < 0 && a.Outcome == memory.OutcomeOK && akin(a.Text, f.Text) && !looks(a.Text):
			other = i
		}
	}
	if end < 0 && other < 0 {
		other = tested(session, failed)
	}
	until := len(session)
	switch {
	case end >= 0:
		until, passed = end, 2
	case other >= 0:
		until, passed = other+1, 1
	}
	for _, a := range session[failed+1 : until] {
		step := ""
		switch {
		case a.Kind.Changes() && a.Outcome != memory.OutcomeFailed:
			step = a.Text
		case a.Kind.Runs() && a.Outcome != memory.OutcomeFailed && !looks(a.Text):
			step = canon(a.Text)
		}
		if step != "" && !slices.Contains(did, step) {
			did = append(did, step)
		}
	}
	if end >= 0 && len(did) == 0 {
		did = []string{command} // the second run got past the error without a change
	}
	return did[max(0, len(did)-fixSteps):], passed, false
}

// tested returns the index of the first run of tests that passed after a file was changed, -1 for
// none. Such a run shows that the failure is mended, even if the failed command is not run again.
func tested(session []memory.Action, failed int) int {
	changed := false
	for i, a := range session[failed+1:] {
		changed = changed || a.Kind.Changes() && a.Outcome != memory.OutcomeFailed
		if changed && a.Kind == memory.ActionTest && a.Outcome == memory.OutcomeOK {
			return failed + 1 + i
		}
	}
	return -1
}
