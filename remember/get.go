package remember

import (
	"context"

	"mcp-memory/memory"
)

// Found is a record with the chain of corrections that it belongs to.
type Found struct {
	memory.Record
	History []memory.Record // oldest first, the record itself included; nil if it was never corrected
}

// Get returns records whole, in the order of ids, and the ids that are not
// there. Errors: [memory.CodeInvalidArgument] for none or more than
// [memory.MaxIDs] ids.
func (s *Service) Get(ctx context.Context, scope memory.Scope, ids []string) (found []Found, missing []string, err error) {
	if len(ids) == 0 || len(ids) > memory.MaxIDs {
		return nil, nil, memory.Errorf(memory.CodeInvalidArgument, "ids has %d entries", len(ids)).WithHint("1 to %d ids", memory.MaxIDs)
	}
	ids = distinct(ids)
	records, err := s.store.Records(ctx, scope.Agent, ids)
	if err != nil {
		return nil, nil, err
	}
	there := map[string]bool{}
	for _, r := range records {
		there[r.ID] = true
		r.Mentions = s.mentions(r)
		one := Found{Record: r}
		if r.Supersedes != "" || r.SupersededBy != "" {
			if one.History, err = s.store.History(ctx, scope.Agent, r.ID); err != nil {
				return nil, nil, err
			}
		}
		found = append(found, one)
	}
	for _, id := range ids {
		if !there[id] {
			missing = append(missing, id)
		}
	}
	return found, missing, nil
}
