package remember

import (
	"context"
	"encoding/json"
	"slices"

	"mcp-memory/memory"
)

// forgetSession erases a conversation: its messages, what is kept of its context
// window, the summaries that are of nothing else, and its files. Memories that
// were drawn from it, and summaries that cover others too, are named and stay.
func (s *Service) forgetSession(ctx context.Context, scope memory.Scope, f ForgetRequest) (ForgetResult, error) {
	turns, err := s.store.Turns(ctx, scope.Agent, f.Session, 0, 0)
	if err != nil {
		return ForgetResult{}, err
	}
	if len(turns) == 0 {
		return ForgetResult{}, memory.Errorf(memory.CodeNotFound, "there is no conversation %q", f.Session).WithAdvice(memory.FindSessions)
	}
	summaries, drawn, err := s.madeOf(ctx, scope.Agent, f.Session, turns)
	if err != nil {
		return ForgetResult{}, err
	}
	result := ForgetResult{IDs: []string{}, Messages: len(turns), Drawn: drawn, Forgotten: len(summaries)}
	for _, r := range summaries {
		result.IDs = append(result.IDs, r.ID)
	}
	if f.DryRun {
		return result, nil
	}
	err = s.store.Write(ctx, scope.Agent, func(tx memory.Tx) (err error) {
		read, err := tx.State(memory.StateHook + f.Session)
		if err != nil {
			return err
		}
		if result.Messages, err = tx.EraseSession(f.Session); err != nil {
			return err
		}
		// How far hooks have read the transcript stays noted, so that it is not read in again.
		if left := memory.ReadBefore(read); left != nil {
			if err := tx.SetState(memory.StateHook+f.Session, left); err != nil {
				return err
			}
		}
		at, err := json.Marshal(s.clock.Now())
		if err != nil {
			return err
		}
		if err := tx.SetState(memory.StateErased+memory.SessionTag(f.Session), at); err != nil {
			return err
		}
		for _, r := range summaries {
			if err := tx.EraseRecord(r.ID); err != nil {
				return err
			}
		}
		if len(summaries) > 0 {
			if err := s.eraseTraces(ctx, tx, summaries); err != nil {
				return err
			}
		}
		return s.dayLog(scope.Agent).EraseSession(ctx, f.Session) // before the commit, see eraseTraces
	})
	if err != nil {
		return ForgetResult{}, err
	}
	result.Pending = !s.scrubbed(context.WithoutCancel(ctx))
	return result, nil
}

// madeOf returns the summaries that cover nothing but this conversation, and the ids of other
// records that were made of it: summaries that cover others too, and memories whose provenance
// names it.
func (s *Service) madeOf(ctx context.Context, agent, session string, turns []memory.Turn) (summaries []memory.Record, drawn []string,
	err error) {
	own := map[string]bool{}
	for _, t := range turns {
		own[t.ID] = true
	}
	err = s.store.EachRecord(ctx, agent, func(r memory.Record) error {
		var origin struct {
			Session string `json:"session"`
		}
		covers := func(id string) bool { return own[id] }
		switch {
		case r.Summary != nil && slices.ContainsFunc(r.Summary.Covers, covers):
			if slices.ContainsFunc(r.Summary.Covers, func(id string) bool { return !own[id] }) {
				drawn = append(drawn, r.ID)
			} else {
				summaries = append(summaries, r)
			}
		case r.ArchivedAt.IsZero() && json.Unmarshal(r.Provenance, &origin) == nil && origin.Session == session:
			drawn = append(drawn, r.ID)
		}
		return nil
	})
	return summaries, drawn, err
}

// eraseTraces removes what else has the text of erased records: kept results, and lines in files.
// The files come before the commit: should that fail, the erasure can be repeated; the other way
// round a text would stay in a file after the record that leads to it is gone.
func (s *Service) eraseTraces(ctx context.Context, tx memory.Tx, records []memory.Record) error {
	contents := make([]string, len(records))
	for i, r := range records {
		contents[i] = r.Content
	}
	if err := tx.EraseTraces(contents); err != nil {
		return err
	}
	return s.dayLog(records[0].Agent).Erase(ctx, records)
}
