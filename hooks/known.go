package hooks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/analysis"
	"mcp-memory/text/secrets"
	"mcp-memory/text/worth"
)

// known is what a session has been shown or would be, with which an older memory is compared before
// it is shown.
type known []piece

type piece struct {
	memory.Record
	shown bool
	rule  worth.Rule
	news  []string // stems of what it says has changed
}

// maxKnown is how many of the memories that were shown last are compared.
const maxKnown = 100

// known returns what was shown, as far as it is there and holds, and the results.
func (s *Service) known(ctx context.Context, agent string, shown []string, results []recall.Result) (all known, err error) {
	shown = shown[max(0, len(shown)-maxKnown):]
	records, err := s.store.Records(ctx, agent, shown)
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if !slices.Contains(shown, r.ID) {
			records = append(records, r.Record)
		}
	}
	for _, r := range records {
		if !r.ArchivedAt.IsZero() || r.SupersededBy != "" || secrets.Is(r) {
			continue
		}
		all = append(all, pieceOf(r, slices.Contains(shown, r.ID)))
	}
	return all, nil
}

func pieceOf(r memory.Record, shown bool) piece {
	news := analysis.Content(worth.Of(r.Content, r.EventTime()).News)
	news = slices.DeleteFunc(news, func(stem string) bool { return stem == "user" })
	slices.Sort(news)
	return piece{r, shown, worth.ReadRule(r.Content), slices.Compact(news)}
}

// end reports whether something newer says that a rule is over.
func (k known) end(old memory.Record) bool {
	rule := worth.ReadRule(old.Content)
	return !old.Pinned && slices.ContainsFunc(k, func(p piece) bool { return p.after(old) && p.rule.Ends(rule) })
}

// newer returns, the newest first, the memories that were shown before, are none of ids and say that
// something changed, in two words that an older one has, or the only one. It may be of what is over,
// so they are shown again with it.
func (k known) newer(old memory.Record, ids []string) (list []memory.Record) {
	about := analysis.Content(old.Content)
	for _, p := range k {
		shared := 0
		for _, stem := range p.news {
			if slices.Contains(about, stem) {
				shared++
			}
		}
		if p.shown && p.after(old) && !slices.Contains(ids, p.ID) && shared > 0 && shared >= min(2, len(p.news)) {
			list = append(list, p.Record)
		}
	}
	slices.SortFunc(list, func(a, b memory.Record) int { return b.EventTime().Compare(a.EventTime()) })
	return list[:min(len(list), maxNewer)]
}

// maxNewer is how many newer memories are shown again with an older one.
const maxNewer = 2

// after reports whether p is newer than old.
func (p piece) after(old memory.Record) bool {
	return p.ID != old.ID && cmp.Or(p.EventTime().Compare(old.EventTime()), strings.Compare(p.ID, old.ID)) > 0
}

func idsOf(records []memory.Record) (ids []string) {
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	return ids
}
