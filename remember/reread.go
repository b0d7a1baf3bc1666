package remember

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcp-memory/memory"
)

// rereadPage is how many memories are looked at in one step, and changed in one transaction.
const rereadPage = 200

// reread is how far the memories of a bank have been looked at, by number.
type reread struct {
	Through int64 `json:"through"`
}

// ReadTimes reads the times that memories of all agents speak of, where a memory has none yet
// because it was saved before such times were kept, or came another way. It goes on where an
// earlier process has ended, rests as long as it works, because others want to, and takes nothing
// from a memory.
func (s *Service) ReadTimes(ctx context.Context) error {
	agents, err := s.store.Agents(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, agent := range agents {
		errs = append(errs, s.readTimesOf(ctx, agent))
	}
	return errors.Join(errs...)
}

func (s *Service) readTimesOf(ctx context.Context, agent string) error {
	value, err := s.store.State(ctx, agent, memory.StateTimesRead)
	var at reread
	if err == nil && value != nil {
		err = json.Unmarshal(value, &at)
	}
	if err != nil {
		return fmt.Errorf("read how far times have been read: %w", err)
	}
	for {
		begun := time.Now()
		page, err := s.store.After(ctx, memory.Memories, agent, at.Through, rereadPage)
		if err != nil || len(page) == 0 {
			return err
		}
		var ids []string
		seqs := make([]int64, len(page))
		for i, d := range page {
			seqs[i] = d.Seq
			at.Through = max(at.Through, d.Seq)
		}
		found, err := s.store.Documents(ctx, memory.Memories,
			memory.Filter{Agent: agent, IncludeArchived: true, IncludeSuperseded: true}, seqs)
		if err != nil {
			return err
		}
		for _, d := range found {
			if d.Mentions == nil && d.Kind != memory.KindSummary && s.mentions(d.Record) != nil { // what a summary covers has its own
				ids = append(ids, d.ID)
			}
		}
		if len(ids) > 0 || len(page) == rereadPage { // else the next time looks at these few again
			if err := s.keepTimes(ctx, agent, ids, at); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(begun)):
		}
	}
}

// keepTimes adds to memories the times that they speak of, and notes how far it has got.
func (s *Service) keepTimes(ctx context.Context, agent string, ids []string, at reread) error {
	value, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, agent, func(tx memory.Tx) error {
		for _, id := range ids {
			r, err := tx.Record(id) // as it is now
			if memory.CodeOf(err) == memory.CodeNotFound {
				continue
			}
			if err != nil {
				return err
			}
			if r.Mentions = s.mentions(r); r.Mentions == nil {
				continue
			}
			if err := tx.UpdateRecord(r); err != nil {
				return err
			}
		}
		return tx.SetState(memory.StateTimesRead, value)
	})
}
