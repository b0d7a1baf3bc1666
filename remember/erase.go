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
// the database meanwhile: the rows, indexes and vectors of some records each. What is left
// to do stands in the bank until it is done, so that what a crash ends goes on.
const (
	eraseStep  = 3 * time.Millisecond // of work in a step
	eraseLeast = 4                    // records of a step in any case, so that few go at once or not at all
	eraseRest  = 2                    // a rest in the time that a step has taken
)

// erasure is what is left of one call.
type erasure struct {
	ID   string   `json:"id"`
	IDs  []string `json:"ids"`  // of its records, the newest first
	Done int      `json:"done"` // how many of them are erased
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

// eraseRows goes through the steps of an erasure, which may be new to the bank.
func (s *Service) eraseRows(ctx context.Context, agent string, e erasure, result *ForgetResult) error {
	for begins := true; ; begins = false {
		var begun time.Time
		var again revival
		more := false
		err := s.store.Write(ctx, agent, func(tx memory.Tx) (err error) {
			begun, again = time.Now(), revival{tx: tx, forgets: map[string]bool{}, erases: true}
			more, err = s.eraseSome(tx, e, begins, &again)
			return err
		})
		if err != nil {
			return err
		}
		result.Revived, result.Earlier = append(result.Revived, again.revived...), append(result.Earlier, again.replaced...)
		if !more {
			return nil
		}
		select {
		case <-ctx.Done():
			return memory.Errorf(memory.CodeUnavailable, "what is to be erased is not all erased yet").WithCause(ctx.Err()).
				WithHint("the next start of the program goes on with it")
		case <-time.After(eraseRest * time.Since(begun)):
		}
	}
}

// eraseSome does one step of an erasure, and reports whether there is more to do.
func (s *Service) eraseSome(tx memory.Tx, e erasure, begins bool, again *revival) (more bool, err error) {
	begun := time.Now()
	left, err := erasuresOf(tx.State(memory.StateErasing))
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(left, func(one erasure) bool { return one.ID == e.ID })
	switch {
	case at >= 0:
		e = left[at]
	case begins:
		at, left = len(left), append(left, e)
	default:
		return false, nil // another process has gone on with it
	}
	for _, id := range e.IDs {
		again.forgets[id] = true
	}
	var contents []string
	for e.Done < len(e.IDs) && (len(contents) < eraseLeast || time.Since(begun) < eraseStep) {
		r, err := tx.Record(e.IDs[e.Done])
		e.Done++
		if memory.CodeOf(err) == memory.CodeNotFound {
			continue // erased meanwhile
		}
		if err == nil {
			err = s.eraseOne(tx, r, again)
		}
		if err != nil {
			return false, err
		}
		contents = append(contents, r.Content)
	}
	if left[at] = e; e.Done == len(e.IDs) {
		left = slices.Delete(left, at, at+1)
	}
	if err := keepErasures(tx, left); err != nil {
		return false, err
	}
	return e.Done < len(e.IDs), tx.EraseTraces(contents)
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
