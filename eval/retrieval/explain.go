package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"mcp-memory/eval/sets"
	"mcp-memory/recall"
)

// explain asks the question o.explain in every set that has it, and shows what
// made the score of each result. Only its case is loaded.
func explain(ctx context.Context, sources []source, o options, w io.Writer) error {
	found := false
	for _, source := range sources {
		set, err := source.read()
		if err != nil {
			return err
		}
		for _, c := range set.cases {
			at := slices.IndexFunc(c.queries, func(q sets.Query) bool { return q.ID == o.explain })
			if at < 0 {
				continue
			}
			found = true
			one := &dataset{name: set.name, facts: set.facts, cases: []*testCase{c}}
			if err := explainIn(ctx, one, c.queries[at], o, w); err != nil {
				return err
			}
		}
	}
	if !found {
		return fmt.Errorf("no query %q in %s", o.explain, strings.Join(o.data, ", "))
	}
	return nil
}

func explainIn(ctx context.Context, set *dataset, q sets.Query, o options, w io.Writer) error {
	s, banks, err := prepare(ctx, set, o.without)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := loadAll(ctx, s, set, banks); err != nil {
		return err
	}
	b := banks[0]
	hits, err := s.recalls(corpusOf(set.facts), recall.MaxLimit, true)(ctx, b, q)
	if err != nil {
		return err
	}
	r := reply{Query: q, bank: b, hits: hits}
	texts := map[string]sets.Item{}
	for _, it := range b.items {
		texts[it.ID] = it
	}
	fmt.Fprintf(w, "%s %s (%s)\n%s\n\ngold:\n", set.name, q.ID, q.Category, q.Question)
	ranks := newAnswer(r, r.outcome(), false).Ranks
	for _, id := range q.Gold {
		fmt.Fprintf(w, "  rank %d  %s\n", ranks[id], short(texts[id]))
	}
	fmt.Fprintln(w, "\nresults:")
	for i, h := range hits {
		ids := b.itemIDs(h)
		isGold := slices.ContainsFunc(q.Gold, func(g string) bool { return slices.Contains(ids, g) })
		if i < o.limit || isGold {
			printHit(w, i+1, h, texts[ids[0]], isGold)
		}
	}
	return nil
}

func printHit(w io.Writer, rank int, h hit, it sets.Item, gold bool) {
	sign := " "
	if gold {
		sign = "*"
	}
	fmt.Fprintf(w, "%s%3d %.3f %s\n", sign, rank, h.score, short(it))
	why, err := json.Marshal(h.why) // as clients see it, whatever the signals are
	if err != nil {
		why = []byte(err.Error())
	}
	fmt.Fprintf(w, "      tier %s %s", h.tier, why)
	if len(h.folded) > 0 {
		fmt.Fprintf(w, "  and %d folded", len(h.folded))
	}
	fmt.Fprintln(w)
}

// short is an item on one line.
func short(it sets.Item) string {
	text := []rune(strings.Join(strings.Fields(it.Text), " "))
	if len(text) > 160 {
		text = append(text[:160], '…')
	}
	return fmt.Sprintf("[%s %s] %s: %s", it.ID, it.At.Format("2006-01-02"), it.Speaker, string(text))
}
