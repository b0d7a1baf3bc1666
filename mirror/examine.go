package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// Check is what findings about the files are called.
const Check = "files"

// Mend is the advice of findings that [Service.Repair] does something about.
const Mend = "mcp-memory doctor --repair makes the file and the bank the same"

// Examine compares the files of an agent with the bank, and changes nothing. It finds
// files that cannot be read or written, lines that wait for a decision, memories
// without a line and lines without a memory, and files that keep what an edit left no
// room for. What a person has just edited is no finding: the next call hears it.
func (s *Service) Examine(ctx context.Context, agent string) ([]memory.Finding, error) {
	files := s.files(agent)
	if !files.Exists(ctx) {
		return nil, nil
	}
	all, err := s.all(ctx, agent)
	if err != nil {
		return nil, err
	}
	x := examination{s, ctx, agent, files, nil}
	for i, f := range forms {
		if err := x.file(f, all[i]); err != nil {
			return nil, err
		}
	}
	conflicts, err := files.Conflicts(ctx)
	if len(conflicts) > 0 {
		x.warn(strings.Join(conflicts, ", ")+": kept because an edit left no room for it", "copy back what is missed, then delete it")
	}
	return x.found, err
}

type examination struct {
	*Service
	ctx   context.Context
	agent string
	files Files
	found []memory.Finding
}

func (x *examination) warn(detail, advice string) {
	x.found = append(x.found, memory.Finding{Check: Check, Condition: memory.ConditionWarning, Detail: x.agent + ": " + detail,
		Advice: advice})
}

func (x *examination) file(f form, want Changes) error {
	stands, err := x.files.Standing(x.ctx, f.name)
	if err != nil {
		why, advice := err.Error(), "check its permissions; the bank has everything meanwhile"
		var known *memory.Error
		if errors.As(err, &known) {
			why, advice = known.Message, cmp.Or(known.Hint, advice)
		}
		x.warn(f.name+" is not kept: "+why, advice)
		return nil
	}
	left := x.files.Lefts(x.ctx)[f.name]
	if n := len(left.Held); n > 0 {
		x.warn(fmt.Sprintf("%s of %s vanished together on %s; nothing was forgotten", lines(n), f.name, x.clock.In(left.HeldSince).
			Format(time.DateOnly)),
			"mcp-memory workspace accept forgets them, mcp-memory workspace restore writes them again")
	}
	if n := x.missing(f, want, stands, left); n > 0 {
		x.warn(fmt.Sprintf("%s lacks %s of what is in the bank", f.name, lines(n)), Mend)
	}
	n, err := x.strays(f, stands.IDs)
	if n > 0 {
		x.warn(fmt.Sprintf("%s has %s of what does not hold any more", f.name, lines(n)), Mend)
	}
	return err
}

// missing counts what has no line and should have one.
func (x *examination) missing(f form, want Changes, stands workspace.Standing, left workspace.Left) int {
	if stands.Full {
		return 0
	}
	ids := want.Todos
	for _, r := range want.Records {
		ids = append(ids, r.ID)
	}
	missing := 0
	for _, id := range ids {
		if !slices.Contains(stands.IDs, id) && !overlap(left.IDs, []string{id}) && !x.elsewhere(f, id) {
			missing++
		}
	}
	return missing
}

// elsewhere reports whether another file has the line of a to-do.
func (x *examination) elsewhere(f form, id string) bool {
	return slices.ContainsFunc(forms, func(other form) bool {
		return other.todos && f.todos && other.name != f.name && overlap(x.files.Lefts(x.ctx)[other.name].IDs, []string{id})
	})
}

// strays counts lines whose records do not hold any more. What the bank does not know
// was written by a person.
func (x *examination) strays(f form, ids []string) (n int, err error) {
	if f.save == nil {
		return 0, nil
	}
	found, err := x.store.Records(x.ctx, x.agent, ids)
	for _, r := range found {
		if !r.Live() {
			n++
		}
	}
	return n, err
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
