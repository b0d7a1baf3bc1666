package consolidate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcp-memory/memory"
)

// undoData is the JSON in [memory.Undo].Data: what an undo of one batch needs
// beside Undo.Records, the ids of the memories that it archived.
type undoData struct {
	Phase     Phase           `json:"phase"`
	Made      []madeSummary   `json:"made"`
	Turns     []string        `json:"turns,omitempty"`
	Moved     bool            `json:"moved,omitempty"`     // whether the commit moved the watermark
	Watermark json.RawMessage `json:"watermark,omitempty"` // the former value, or nil
	Previous  string          `json:"previous,omitempty"`  // undo id of the call's batch before it
}

// madeSummary has the id of a summary that the batch made and, in Former, the
// id of the summary that it superseded, if any.
type madeSummary struct {
	ID     string `json:"id"`
	Former string `json:"former,omitempty"`
}

// undo takes back all batches of one call in one transaction. r.Undo is the id
// of the last batch, and undoData.Previous leads to the one before. It stops at
// a batch that was undone already.
func (s *Service) undo(ctx context.Context, r Request) (Result, error) {
	var result Result
	err := s.store.Write(ctx, r.Agent, func(tx memory.Tx) error {
		result = Result{Status: StatusUndone, Phase: r.Phase, Summaries: []Summary{}}
		for id := r.Undo; id != ""; {
			u, err := tx.Undo(id)
			if err != nil {
				return err
			}
			if u.Action != jobKind {
				return memory.Errorf(memory.CodeNotFound, "there is no self-care to undo under %q", id).
					WithAdvice(memory.Advice{Tool: "self_care returns an undo_id", Command: "`mcp-memory self-care` prints an id for it"})
			}
			if id != r.Undo && !u.UndoneAt.IsZero() {
				break
			}
			if err := tx.MarkUndone(id, s.now()); err != nil {
				return err
			}
			var data undoData
			if err := json.Unmarshal(u.Data, &data); err != nil {
				return fmt.Errorf("read undo %s: %w", id, err)
			}
			if err := takeBack(tx, u, data, &result); err != nil {
				return err
			}
			id = data.Previous
		}
		value, err := tx.State(watermarkKey)
		if err != nil {
			return err
		}
		result.Watermark, err = watermarkOf(value)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// takeBack undoes one batch: it erases the summaries, brings back what they
// replaced, and resets the watermark.
func takeBack(tx memory.Tx, u memory.Undo, data undoData, result *Result) error {
	for _, m := range data.Made {
		gone, err := eraseSummary(tx, m.ID, result)
		if err != nil {
			return err
		}
		if !gone || m.Former == "" {
			continue
		}
		if err := bringBack(tx, m.Former, m.ID, u.At, result); err != nil {
			return err
		}
	}
	for _, id := range u.Records {
		if err := bringBack(tx, id, "", u.At, result); err != nil {
			return err
		}
	}
	back, err := tx.ArchiveTurns(data.Turns, time.Time{})
	if err != nil {
		return err
	}
	result.BroughtBack += back
	if !data.Moved {
		return nil
	}
	return tx.SetState(watermarkKey, data.Watermark)
}

// eraseSummary deletes a summary from the database and reports whether it is
// gone. A summary that was corrected since stays, and its id goes into
// result.Left. One that a later self-care has superseded is a
// [memory.CodeConflict].
func eraseSummary(tx memory.Tx, id string, result *Result) (gone bool, err error) {
	r, err := tx.Record(id)
	switch {
	case memory.CodeOf(err) == memory.CodeNotFound:
		return true, nil
	case err != nil:
		return false, err
	case r.SupersededBy != "" && r.ArchiveWhy == jobKind:
		return false, memory.Errorf(memory.CodeConflict, "a later self-care was built on this one").WithHint("undo the later one first")
	case r.SupersededBy != "":
		result.Left = append(result.Left, id)
		return false, nil
	}
	return true, tx.EraseRecord(id)
}

// bringBack makes a record live again if it still is as the batch left it:
// archived at that time by self-care, and superseded by the summary by ("" for
// a member of the batch). Otherwise its id goes into result.Left.
func bringBack(tx memory.Tx, id, by string, at time.Time, result *Result) error {
	r, err := tx.Record(id)
	if memory.CodeOf(err) == memory.CodeNotFound {
		result.Left = append(result.Left, id)
		return nil
	}
	if err != nil {
		return err
	}
	if !r.ArchivedAt.Equal(at) || r.ArchiveWhy != jobKind || r.SupersededBy != by {
		result.Left = append(result.Left, id)
		return nil
	}
	r.ArchivedAt, r.ArchiveWhy, r.SupersededBy, r.SupersededAt = time.Time{}, "", "", time.Time{}
	if by == "" {
		result.BroughtBack++
	}
	return tx.UpdateRecord(r)
}
