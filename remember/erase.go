package remember

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcp-memory/memory"
)

// An erasure for good goes in steps, each a transaction of its own, for others wait for
// the database meanwhile: the rows, indexes and vectors of some records each, as many as the steps before
// let expect in the time of one. What is to be erased stands in the bank until it is done, so that what a crash
// ends goes on.
const (
	eraseTurn   = 10 * time.Millisecond // of a step
	eraseAtOnce = 4                     // so few records go at once or not at all
	eraseRest   = 1                     // a rest in the time that a step has taken
	chosenTurn  = 64                    // records of a step in which they are only read
)

// erasure is what one call erases.
type erasure struct {
	ID  string   `json:"id"`
	IDs []string `json:"ids"` // of its records, the newest first
}

// erase erases records for good. Their traces in files come first: should that fail,
// a line is missing and the erasure can be repeated; the other way round a
// text would stay that no id leads to.
func (s *Service) erase(ctx context.Context, agent string, ids []string, result *ForgetResult) error {
	newest := slices.SortedFunc(slices.Values(ids), func(a, b string) int { return cmp.Compare(b, a) })
	for some := range slices.Chunk(newest, pageOfLinked) {
		records, err := s.store.Records(ctx, agent, some)
		if err == nil {
			err = s.dayLog(agent).Erase(ctx, records)
		}
		if err != nil {
			return err
		}
	}
	return s.eraseRows(ctx, agent, erasure{ID: s.ids.New(), IDs: newest}, result)
}

// choose returns what a call erases, and who is there in the place of earlier versions. Reading many records
// takes longer than others should wait, so that goes in steps too.
func (s *Service) choose(ctx context.Context, scope memory.Scope, f ForgetRequest, ids []string) (ForgetResult, error) {
	result := ForgetResult{IDs: []string{}}
	var records []memory.Record
	seen := map[string]bool{}
	for some := range slices.Chunk(ids, chosenTurn) {
		err := s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
			found, err := s.chosen(tx, f, some, false, seen, &result)
			records = append(records, found...)
			return err
		})
		if err != nil {
			return ForgetResult{}, err
		}
	}
	for _, r := range records {
		result.IDs = append(result.IDs, r.ID)
	}
	if err := s.checkWholesale(f, scope, result.IDs, s.clock()); err != nil {
		return ForgetResult{}, err
	}
	chosen := setOf(result.IDs)
	for some := range slices.Chunk(records, chosenTurn) {
		err := s.store.Write(ctx, scope.Agent, func(tx memory.Tx) (err error) {
			result.Later, err = later(tx, some, chosen, result.Later)
			return err
		})
		if err != nil {
			return ForgetResult{}, err
		}
	}
	return result.counted(f)
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// eraseRows goes through the steps of an erasure, which may be new to the bank.
func (s *Service) eraseRows(ctx context.Context, agent string, e erasure, result *ForgetResult) error {
	chosen := setOf(e.IDs)
	step := eraseAtOnce
	for done := 0; ; {
		some := e.IDs[done:min(done+step, len(e.IDs))]
		last := done+len(some) == len(e.IDs)
		var begun time.Time
		var again revival
		err := s.store.Write(ctx, agent, func(tx memory.Tx) error {
			begun, again = time.Now(), revival{tx: tx, forgets: chosen, erases: true}
			if err := s.eraseSome(tx, some, &again); err != nil {
				return err
			}
			switch {
			case last:
				return dropErasure(tx, e)
			case done == 0:
				return noteErasure(tx, e)
			}
			return nil
		})
		if err != nil && done > 0 && ctx.Err() != nil {
			return unfinished(ctx.Err())
		}
		if err != nil {
			return err
		}
		took := time.Since(begun)
		result.Revived, result.Earlier = append(result.Revived, again.revived...), append(result.Earlier, again.replaced...)
		if last {
			return nil
		}
		done += len(some)
		step = nextStep(len(some), took)
		select {
		case <-ctx.Done():
			return unfinished(ctx.Err())
		case <-time.After(eraseRest * took):
		}
	}
}

func unfinished(cause error) error {
	return memory.Errorf(memory.CodeUnavailable, "what is to be erased is not all erased yet").WithCause(cause).
		WithHint("say the same again, or the next start of the program goes on with it")
}

// nextStep is how many records the next step erases, after one of so many that took so long.
func nextStep(records int, took time.Duration) int {
	fits := int(time.Duration(records) * eraseTurn / max(took, 1))
	return min(max(fits, 1), 2*records)
}

// eraseSome erases some records, of which others may have erased some meanwhile.
func (s *Service) eraseSome(tx memory.Tx, ids []string, again *revival) error {
	var contents []string
	for _, id := range ids {
		r, err := tx.Record(id)
		if memory.CodeOf(err) == memory.CodeNotFound {
			continue
		}
		if err == nil {
			err = s.eraseOne(tx, r, again)
		}
		if err != nil {
			return err
		}
		contents = append(contents, r.Content)
	}
	if len(contents) == 0 {
		return nil
	}
	return tx.EraseTraces(contents)
}

func (s *Service) eraseOne(tx memory.Tx, r memory.Record, again *revival) error {
	if err := again.revive([]memory.Record{r}); err != nil {
		return err
	}
	if err := tx.NoteErased(r, s.clock()); err != nil {
		return err
	}
	return tx.EraseRecord(r.ID)
}

func erasuresOf(value json.RawMessage, err error) (left []erasure, _ error) {
	if err != nil || value == nil {
		return nil, err
	}
	if err := json.Unmarshal(value, &left); err != nil {
		return nil, fmt.Errorf("read what is left to erase: %w", err)
	}
	return left, nil
}

// noteErasure notes in the bank what is to be erased, unless that is there.
func noteErasure(tx memory.Tx, e erasure) error {
	left, err := erasuresOf(tx.State(memory.StateErasing))
	if err != nil || slices.ContainsFunc(left, func(one erasure) bool { return one.ID == e.ID }) {
		return err
	}
	return keepErasures(tx, append(left, e))
}

// dropErasure notes that it is done, if it was noted at all.
func dropErasure(tx memory.Tx, e erasure) error {
	left, err := erasuresOf(tx.State(memory.StateErasing))
	if err != nil || len(left) == 0 {
		return err
	}
	return keepErasures(tx, slices.DeleteFunc(left, func(one erasure) bool { return one.ID == e.ID }))
}

func keepErasures(tx memory.Tx, left []erasure) error {
	if len(left) == 0 {
		return tx.SetState(memory.StateErasing, nil)
	}
	value, err := json.Marshal(left)
	if err != nil {
		return fmt.Errorf("keep what is left to erase: %w", err)
	}
	return tx.SetState(memory.StateErasing, value)
}

// ResumeErasures goes on with the erasures that a process could not finish before it
// ended, of all agents.
func (s *Service) ResumeErasures(ctx context.Context) error {
	agents, err := s.store.Agents(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, agent := range agents {
		left, err := erasuresOf(s.store.State(ctx, agent, memory.StateErasing))
		errs = append(errs, err)
		for _, e := range left {
			errs = append(errs, s.eraseRows(ctx, agent, e, &ForgetResult{}))
		}
		if len(left) > 0 {
			s.scrubbed(ctx)
		}
	}
	return errors.Join(errs...)
}
