package recall_test

import (
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// orchids are records of a bank's own category, whose name says nothing.
var orchids = []string{
	"Water the orchids once a week with soft rain water.",
	"The orchid on the window has new roots and two leaves.",
	"Repot orchids into bark when the blossoms have withered.",
	"Orchid leaves turn yellow with too much water.",
}

func saveOrchids(t *testing.T, b *bank) {
	t.Helper()
	var records []memory.Record
	for _, content := range orchids {
		records = append(records, b.record(content, func(r *memory.Record) { r.Category = "zq7" }))
	}
	for _, content := range []string{"The rent costs 900 euros a month.", "My birthday is on the 3rd of July."} {
		records = append(records, b.record(content, func(r *memory.Record) { r.Category = "financial" }))
	}
	b.save(t, b.Store, records...)
}

// A question near to the records of a category belongs to it, by whatever
// embedder the bank is searched.
func TestTheRecordsOfACategoryTellWhatBelongsThere(t *testing.T) {
	for name, e := range map[string]memory.Embedder{"builtin": embed.NewBuiltin(), "endpoint": synonyms(t)} {
		b := newBank(t, e)
		saveOrchids(t, b)
		s := b.service(b.Store)
		ask := func(query string, r recall.Request) recall.Answer {
			r.Query, r.Scope = query, memory.Scope{Agent: "ann"}
			answer, err := s.Recall(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		answer := ask("How much water do the blossoms on the window need?", recall.Request{})
		if len(answer.Categories) == 0 || answer.Categories[0].Name != "zq7" || len(answer.Results) == 0 ||
			answer.Results[0].Tier != recall.TierCategory {
			t.Errorf("%s: %+v", name, answer.Categories)
		}
		if answer = ask("How much is the rent?", recall.Request{}); answer.Categories[0].Name != "financial" {
			t.Errorf("%s: %+v", name, answer.Categories)
		}
		total := 0.0
		for _, c := range answer.Categories {
			total += c.Score
		}
		if total > 1.0001 {
			t.Errorf("%s: the scores add up to %v", name, total)
		}
		// A category that is erased is gone.
		b.pass(time.Minute)
		err := b.Store.Write(t.Context(), "ann", func(tx memory.Tx) error {
			for _, r := range b.ofCategory(t, "zq7") {
				if err := tx.EraseRecord(r.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ask("How much water do the blossoms on the window need?", recall.Request{}).Categories {
			if c.Name == "zq7" {
				t.Errorf("%s: an empty category has the score %v", name, c.Score)
			}
		}
	}
}

// ofCategory returns the records of a category.
func (b *bank) ofCategory(t *testing.T, category string) (list []memory.Record) {
	t.Helper()
	err := b.Store.EachRecord(t.Context(), "ann", func(r memory.Record) error {
		if r.Category == category {
			list = append(list, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What is found does not depend on the categories.
func TestOwnCategoriesHideNothing(t *testing.T) {
	b := newBank(t, embed.NewBuiltin())
	saveOrchids(t, b)
	o := b.all.RecallOptions()
	o.Without = []string{"tiers"}
	flat := recall.New(o)
	for _, query := range []string{"How much water do the blossoms need?", "How much is the rent?", "When is my birthday?"} {
		r := recall.Request{Query: query, Scope: memory.Scope{Agent: "ann"}}
		tiered, err := b.service(b.Store).Recall(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := flat.Recall(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range plain.Results {
			if len(plain.Results) != len(tiered.Results) || plain.Results[i].ID != tiered.Results[i].ID ||
				plain.Results[i].Score != tiered.Results[i].Score {
				t.Errorf("%s: %+v, flat %+v", query, tiered.Results, plain.Results)
				break
			}
		}
	}
}
