package recall

import "mcp-memory/memory"

// pack fills the token budget with the best results that fit, keeping their
// order: one that is too long is passed over for shorter ones after it. It
// reports the tokens of what it kept and whether anything was left out. A
// budget of 0 has no bound.
func pack(ranked []*candidate, limit, budget int, counter memory.TokenCounter) (kept []*candidate, total int, truncated bool) {
	for _, c := range ranked {
		if len(kept) == limit {
			return kept, total, true
		}
		n := counter.Count(c.Content)
		if budget > 0 && total+n > budget {
			truncated = true
			continue
		}
		kept, total = append(kept, c), total+n
	}
	return kept, total, truncated
}
