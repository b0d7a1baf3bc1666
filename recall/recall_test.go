package recall

import (
	"math"
	"slices"
	"testing"

	"mcp-memory/memory"
)

// ferries are five documents of one kind that a question about a ferry finds,
// the best first: longer ones have more to say. The second and the third are
// equally good.
func ferries() *shelf {
	var s shelf
	for i, content := range []string{
		"The ferry, a blue ferry, sailed to the library late.",
		"The ferry sailed to the garden late.", "The ferry sailed to the museum late.",
		"The ferry is blue.", "A ferry.",
	} {
		s.docs = append(s.docs, memory.Document{Seq: int64(i + 1), Corpus: memory.Memories, Record: memory.Record{
			ID: string(rune('a' + i)), Kind: memory.KindFact, Content: content, CreatedAt: noon,
		}})
	}
	return &s
}

func answer(t *testing.T, s *Service, r Request) Answer {
	t.Helper()
	r.Query = "ferry"
	a, err := s.Recall(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func idsOf(a Answer) (ids []string) {
	for _, r := range a.Results {
		ids = append(ids, r.ID)
	}
	return ids
}

// The floor is inclusive: a result with just that score is shown.
func TestMinScore(t *testing.T) {
	s := ferries().service()
	all := answer(t, s, Request{}).Results
	if len(all) != 5 || all[0].Score <= all[4].Score {
		t.Fatalf("found %d: %+v", len(all), all)
	}
	for i, r := range all {
		equals := 0 // with the same score, before and behind
		for _, other := range all[i+1:] {
			if other.Score == r.Score {
				equals++
			}
		}
		if got := answer(t, s, Request{MinScore: r.Score}); len(got.Results) != i+1+equals {
			t.Errorf("from %v: %q", r.Score, idsOf(got))
		}
		if got := answer(t, s, Request{MinScore: math.Nextafter(r.Score, 2)}); slices.Contains(idsOf(got), r.ID) {
			t.Errorf("above %v: %q", r.Score, idsOf(got))
		}
	}
	if got := answer(t, s, Request{MinScore: 1}); len(got.Results) != 0 || got.Truncated {
		t.Errorf("from 1: %q", idsOf(got))
	}
}

// The contents of an answer take no more tokens than were asked for.
func TestTokenBudget(t *testing.T) {
	s := ferries().service() // counts letters
	size := func(a Answer) (n int) {
		for _, r := range a.Results {
			n += len(r.Content)
		}
		return n
	}
	all := answer(t, s, Request{})
	whole := size(all)
	if all.Truncated || all.TotalTokens != whole {
		t.Errorf("everything: %d tokens of %d, truncated %v", all.TotalTokens, whole, all.Truncated)
	}
	if a := answer(t, s, Request{Tokens: whole}); len(a.Results) != 5 || a.Truncated {
		t.Errorf("just enough: %q, truncated %v", idsOf(a), a.Truncated)
	}
	for budget := 1; budget < whole; budget++ {
		a := answer(t, s, Request{Tokens: budget})
		if size(a) > budget || a.TotalTokens != size(a) || !a.Truncated {
			t.Fatalf("budget %d: %d tokens, said to be %d, truncated %v", budget, size(a), a.TotalTokens, a.Truncated)
		}
	}
}

// Of equal scores the earlier document comes first, and the limit cuts there.
func TestTiesAndLimit(t *testing.T) {
	s := ferries().service()
	s.without = []string{relevanceStage} // tells them apart by what else they say
	all := answer(t, s, Request{}).Results
	if all[1].Score != all[2].Score {
		t.Fatalf("no tie: %v and %v", all[1].Score, all[2].Score)
	}
	for limit, want := range map[int][]string{1: {"a"}, 2: {"a", "b"}, 3: {"a", "b", "c"}, 5: {"a", "b", "c", "d", "e"}} {
		if a := answer(t, s, Request{Limit: limit}); !slices.Equal(idsOf(a), want) || a.Truncated != (limit < 5) {
			t.Errorf("limit %d: %q, truncated %v", limit, idsOf(a), a.Truncated)
		}
	}
}

// What says the same is one result, unless it is of another kind; and what is
// shown, no more, counts as recalled.
func TestRecallFoldsAndReinforces(t *testing.T) {
	shelf := ferries()
	twin := shelf.docs[0]
	twin.Seq, twin.ID = 6, "twin"
	shelf.docs = append(shelf.docs, twin)
	s := shelf.service()
	s.without = []string{relevanceStage}
	var shown [][]string
	s.recalled = func(_ memory.Scope, ids []string) { shown = append(shown, ids) }
	a := answer(t, s, Request{Limit: 2})
	if got := idsOf(a); !slices.Equal(got, []string{"a", "b"}) || !slices.Equal(a.Results[0].Duplicates, []string{"twin"}) {
		t.Errorf("found %q, of which %q are folded", got, a.Results[0].Duplicates)
	}
	shelf.docs[5].Kind = memory.KindProcedure
	if got := idsOf(answer(t, s, Request{Limit: 2})); !slices.Equal(got, []string{"a", "twin"}) {
		t.Errorf("of another kind: %q", got)
	}
	answer(t, s, Request{MinScore: 1})
	if want := [][]string{{"a", "b"}, {"a", "twin"}}; !slices.EqualFunc(shown, want, slices.Equal) {
		t.Errorf("recalled were %q", shown)
	}
}

// What was corrected, or is not true at the moment, has half the score of what is.
func TestStaleCountsLess(t *testing.T) {
	shelf := ferries()
	s := shelf.service()
	s.without = []string{relevanceStage}
	fresh := answer(t, s, Request{Explain: true}).Results[0]
	shelf.docs[0].ValidUntil = noon
	a := answer(t, s, Request{Explain: true})
	at := slices.Index(idsOf(a), "a")
	if stale := a.Results[at]; at == 0 || !stale.Why.Stale || fresh.Why.Stale || !near(stale.Why.Strength, fresh.Why.Strength/2) {
		t.Errorf("at place %d with %+v, before %+v", at, stale.Why, fresh.Why)
	}
}
