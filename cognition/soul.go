package cognition

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// AddSoul adds a soul entry: pinned, with importance 1, for every project. The
// same text again is a duplicate and keeps its type. An empty type is
// [memory.SoulBelief]. Errors are those of [remember.Service.Save].
func (s *Service) AddSoul(ctx context.Context, scope memory.Scope, content string, kind memory.SoulType) (Saved, error) {
	r, err := s.remember.Save(ctx, own(scope), remember.SaveRequest{
		Content: content, Kind: memory.KindSoul, Category: "identity", Importance: ptr(1.0), Pinned: true,
		KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: cmp.Or(kind, memory.SoulBelief)}},
	})
	if err != nil {
		return Saved{}, err
	}
	found, err := s.store.Records(ctx, scope.Agent, []string{r.ID})
	if err != nil || len(found) == 0 {
		return Saved{}, err
	}
	return Saved{found[0], r.Action}, nil
}

// Soul returns the agent's soul entries in the order in which they were added.
func (s *Service) Soul(ctx context.Context, agent string) ([]memory.Record, error) {
	entries, _, err := s.store.List(ctx, memory.CatalogFilter{Agent: agent, Kind: memory.KindSoul})
	slices.Reverse(entries)
	return entries, err
}

// RemoveSoul archives a soul entry with the reason; it stays in the history.
// Errors: [memory.CodeInvalidArgument] without a reason, [memory.CodeNotFound]
// if the record is not a soul entry, and [memory.CodeConflict] if it was
// removed or superseded before.
func (s *Service) RemoveSoul(ctx context.Context, scope memory.Scope, id, reason string) (memory.Record, error) {
	if err := needed("reason", reason); err != nil {
		return memory.Record{}, err
	}
	if err := memory.CheckText("reason", reason, memory.MaxContentBytes); err != nil {
		return memory.Record{}, err
	}
	var r memory.Record
	err := s.remember.Change(ctx, own(scope), func(c *remember.Change) (err error) {
		if r, err = c.Record(id); err != nil {
			return err
		}
		switch {
		case r.Kind != memory.KindSoul:
			return memory.Errorf(memory.CodeNotFound, "record %s is not a soul entry", id).
				WithAdvice(memory.Advice{Tool: "soul_list returns ids", Command: "`mcp-memory soul list` shows them"})
		case !r.ArchivedAt.IsZero():
			return memory.Errorf(memory.CodeConflict, "soul entry %s was removed before", id).
				WithAdvice(memory.Advice{Tool: "soul_list shows what is left", Command: "`mcp-memory soul list` shows what is left"})
		case r.SupersededBy != "":
			return memory.Errorf(memory.CodeConflict, "soul entry %s was superseded by %s", id, r.SupersededBy).
				WithHint("remove that one instead")
		}
		r.ArchivedAt, r.ArchiveWhy = c.Now(), strings.TrimSpace(reason)
		return c.UpdateRecord(r)
	})
	return r, err
}
