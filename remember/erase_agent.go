package remember

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// EraseAgent erases everything of an agent for good: its whole bank, and its
// workspace with what a person wrote there. Its tokens are revoked. What it
// shared with other agents stays theirs. It reports whether the database's files
// may still have bytes of it; see [ForgetResult.Pending]. Errors:
// [memory.CodeNotFound] for an agent that has no bank.
func (s *Service) EraseAgent(ctx context.Context, agent string) (pending bool, err error) {
	agents, err := s.store.Agents(ctx)
	if err != nil {
		return false, err
	}
	if !slices.Contains(agents, agent) {
		return false, memory.Errorf(memory.CodeNotFound, "there is no agent %q", agent).WithHint("`mcp-memory agent list` shows names")
	}
	err = s.store.Write(ctx, agent, func(tx memory.Tx) error {
		if err := tx.EraseBank(); err != nil {
			return err
		}
		// Before the commit: should that fail, it can be repeated; the other way
		// round files would stay that no bank leads to.
		return s.dayLog(agent).EraseAll(ctx)
	})
	if err != nil {
		return false, err
	}
	return !s.scrubbed(context.WithoutCancel(ctx)), nil
}
