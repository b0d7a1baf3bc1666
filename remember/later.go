package remember

import (
	"slices"

	"mcp-memory/memory"
)

// Later is a version that took the place of a record, directly or by others in
// between.
type Later struct{ ID, Content string }

// later adds to a list, each once, the live records that have superseded some records, directly
// or by others in between, and are not chosen to be forgotten themselves.
func later(tx memory.Tx, records []memory.Record, chosen map[string]bool, list []Later) ([]Later, error) {
	for _, r := range records {
		next := r
		for n := 0; next.SupersededBy != "" && n < maxChain; n++ {
			var err error
			if next, err = tx.Record(next.SupersededBy); memory.CodeOf(err) == memory.CodeNotFound {
				break // erased, or not for the caller
			} else if err != nil {
				return nil, err
			}
		}
		if next.ID == "" || !next.Live() || chosen[next.ID] || slices.ContainsFunc(list, func(l Later) bool { return l.ID == next.ID }) {
			continue
		}
		list = append(list, Later{next.ID, next.Content})
	}
	return list, nil
}
