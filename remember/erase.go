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

// An erasure for good goes in steps, each a transaction of its own, because others wait for the
// database meanwhile. A step erases rows, index entries and vectors of as many records as should
// fit into eraseTurn by the pace of the step before. What is to be erased is noted in the bank
// until it is done, so that the next start goes on with what a crash has ended.
const (
	eraseTurn   = 10 * time.Millisecond // how long a step should take
	eraseAtOnce = 4                     // records of the first step: up to so many go in one transaction
	eraseRest   = 1                     // the rest after a step, as a multiple of the time that it took
	chosenTurn  = 64                    // records of a step that only reads
)

// erasure is what one call erases.
type erasure struct {
	ID  string   `json:"id"`
	IDs []string `json:"ids"` // of its records, the newest first
}

// erase erases records for good. Their lines in files go first: should a file fail, the erasure
// can be repeated; the other way round a text would stay in a file after the record that leads to
// it is gone.
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

// choose returns what a call erases: the ids of the records, with their earlier versions, and the
// later versions that stay. It reads in steps too, because others should not wait for it.
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

// eraseRows erases an erasure's records in steps. If one step is not enough, the first notes the
// erasure in the bank, unless it is noted there already, and the last removes that note.
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

// nextStep returns how many records the next step erases, after a step that erased records in the
// time took: as many as fit into eraseTurn, at least one, at most twice as many as before.
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

// dropErasure removes the note of an erasure that is done, if there is one.
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
