package recall

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"mcp-memory/memory"
)

// symbolsRead is how many documents, the newest, are looked through for a query
// without letters and digits, which no index has.
const symbolsRead = 5000

// symbolsPage is how many of them are read at a time.
const symbolsPage = 500

// bySymbols finds a query of symbols alone, such as "🙂" or "?": the documents that consist of
// nothing else and, unless it is all punctuation, those that contain it, at half the weight.
func (s *Service) bySymbols(ctx context.Context, q question, corpus memory.Corpus) ([]*candidate, error) {
	seqs, err := s.store.Newest(ctx, corpus, q.Filter, 0, symbolsRead)
	if err != nil {
		return nil, err
	}
	said := memory.SameContent(q.Query)
	ordinary := !strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPunct(r) && !unicode.IsSpace(r) })
	var list []*candidate
	for page := range slices.Chunk(seqs, symbolsPage) {
		found, err := s.unmatched(ctx, q, corpus, page)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			text := memory.SameContent(c.Content)
			if text != said && (ordinary || !strings.Contains(text, said)) {
				continue
			}
			weight := verbatimWeight
			if text != said {
				weight /= 2
			}
			c.parts, c.relevance = []Part{{verbatimPart, weight}}, weight
			list = append(list, c)
		}
	}
	return list, nil
}
