package contextwindow

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"mcp-memory/memory"
)

// outcome is what a finished job has done. If no caller waits for it, it is kept as a notice,
// which the next call tells once.
type outcome struct {
	Mode     Mode     `json:"mode"`
	Facts    []string `json:"facts"`
	Fallback string   `json:"fallback,omitempty"` // see Result
}

func (w work) outcome() outcome { return outcome{w.Mode, w.IDs, w.Fallback} }

// noticeKey is the state under which the notice of what was finished in the
// background waits to be told.
func noticeKey(session string) string { return memory.StateNotice + session }

// putNotice adds an outcome to the session's notice, which may hold earlier ones that were not
// told yet.
func putNotice(tx memory.Tx, session string, o outcome) error {
	n, err := noticeOf(tx.State(noticeKey(session)))
	if err != nil {
		return err
	}
	if n == nil {
		n = &outcome{Mode: o.Mode}
	}
	if o.Mode == ModeCompact {
		n.Mode = ModeCompact
	}
	n.Facts, n.Fallback = append(n.Facts, o.Facts...), cmp.Or(o.Fallback, n.Fallback)
	value, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return tx.SetState(noticeKey(session), value)
}

// noticeOf decodes a notice from what State returns; nil for none.
func noticeOf(value json.RawMessage, err error) (*outcome, error) {
	if err != nil || value == nil {
		return nil, err
	}
	n := &outcome{}
	if err := json.Unmarshal(value, n); err != nil {
		return nil, fmt.Errorf("read what was finished: %w", err)
	}
	return n, nil
}

// reportNotice moves the session's notice, if there is one, into a result, and deletes it, so
// that it is told once.
func (s *Service) reportNotice(ctx context.Context, k key, result *Result) error {
	waiting, err := s.store.State(ctx, k.agent, noticeKey(k.session))
	if waiting == nil || err != nil {
		return err
	}
	var n *outcome
	err = s.store.Write(ctx, k.agent, func(tx memory.Tx) (err error) {
		if n, err = noticeOf(tx.State(noticeKey(k.session))); err != nil {
			return err
		}
		return tx.SetState(noticeKey(k.session), nil)
	})
	if err != nil {
		return err
	}
	result.addOutcome(n)
	return nil
}
