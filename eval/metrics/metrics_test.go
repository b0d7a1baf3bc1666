package metrics

import (
	"math"
	"testing"
	"time"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func ranking(ids ...string) Ranking {
	var r Ranking
	for _, id := range ids {
		r = append(r, []string{id})
	}
	return r
}

// Gold at ranks 2 and 4 of four results, one gold id missing.
func TestOneRanking(t *testing.T) {
	gold := []string{"a", "b", "c"}
	r := ranking("x", "b", "y", "a")
	near(t, "R@1", Recall(gold, r, 1), 0)
	near(t, "R@2", Recall(gold, r, 2), 1.0/3)
	near(t, "R@5", Recall(gold, r, 5), 2.0/3)
	near(t, "hit@1", Hit(gold, r, 1), 0)
	near(t, "hit@5", Hit(gold, r, 5), 1)
	near(t, "MRR", ReciprocalRank(gold, r), 0.5)
	// gain 1/log2(3) + 1/log2(5), ideal 1 + 1/log2(3) + 1/log2(4)
	near(t, "nDCG@10", NDCG(gold, r, 10), (0.6309297535714574+0.43067655807339306)/(1+0.6309297535714574+0.5))
	near(t, "nDCG@2", NDCG(gold, r, 2), 0.6309297535714574/(1+0.6309297535714574))
}

func TestRankingEdges(t *testing.T) {
	near(t, "nothing found", NDCG([]string{"a"}, nil, 10), 0)
	near(t, "no gold", Recall(nil, ranking("a"), 5), 0)
	near(t, "no gold, nDCG", NDCG(nil, ranking("a"), 5), 0)
	near(t, "gold named twice", Recall([]string{"a", "a"}, ranking("a"), 5), 1)
	near(t, "result named twice", NDCG([]string{"a"}, ranking("a", "a"), 5), 1)
	near(t, "never found", ReciprocalRank([]string{"a"}, ranking("b")), 0)
}

// A folded duplicate is found at the rank of the result that names it.
func TestFoldedDuplicates(t *testing.T) {
	folded := Ranking{{"x"}, {"a", "b"}, {"y"}}
	gold := []string{"a", "b"}
	near(t, "R@2", Recall(gold, folded, 2), 1)
	near(t, "R@1", Recall(gold, folded, 1), 0)
	near(t, "nDCG@10", NDCG(gold, folded, 10), 0.6309297535714574)
}

func TestSummarise(t *testing.T) {
	s := Summarise([]Outcome{
		{Category: "one", Gold: []string{"a"}, Ranked: ranking("a"), Best: 0.9},
		{Category: "one", Gold: []string{"a"}, Ranked: ranking("x", "a"), Best: 0.9},
		{Category: "two", Gold: []string{"a"}, Ranked: ranking("x"), Best: 0.9},
		{Category: "two", Ranked: ranking("x"), Best: 0.9},
		{Category: Adversarial, Gold: []string{"a"}, Ranked: ranking("a"), Best: 0.9},
		{Category: Abstention, Ranked: ranking("x"), Best: 0.2},
		{Category: Abstention, Ranked: ranking("x"), Best: 0.4},
	}, 0.3)
	near(t, "hit@1", s.All.Hit1, 1.0/3)
	near(t, "R@10", s.All.Recall10, 2.0/3)
	near(t, "MRR", s.All.MRR, 0.5)
	near(t, "macro R@10", s.Macro.Recall10, 0.5)
	near(t, "category", s.Categories["one"].Hit1, 0.5)
	near(t, "adversarial", s.Adversarial.Hit1, 1)
	near(t, "silent", s.Abstention.Silent, 0.5)
	if s.All.Queries != 3 || s.Macro.Queries != 2 || s.Ungraded != 1 || s.Abstention.Queries != 2 || len(s.Categories) != 2 {
		t.Errorf("counts are wrong: %+v", s)
	}
}

func TestSummariseNothing(t *testing.T) {
	if s := Summarise(nil, 0); s.All != (Scores{}) || s.Macro != (Scores{}) || s.Abstention != (Silence{}) {
		t.Errorf("Summarise(nil) = %+v", s)
	}
}

func TestSpread(t *testing.T) {
	s := SpreadOf([]float64{2, 4, 4, 6})
	near(t, "mean", s.Mean, 4)
	near(t, "min", s.Min, 2)
	near(t, "max", s.Max, 6)
	near(t, "deviation", s.Deviation, math.Sqrt(8.0/3))
	near(t, "one case", SpreadOf([]float64{7}).Deviation, 0)
	if SpreadOf(nil) != (Spread{}) {
		t.Error("a spread of nothing")
	}
}

func TestPercentile(t *testing.T) {
	sample := []time.Duration{40, 10, 30, 20}
	for p, want := range map[float64]time.Duration{0: 10, 25: 10, 50: 20, 51: 30, 95: 40, 100: 40} {
		if got := Percentile(sample, p); got != want {
			t.Errorf("p%v = %v, want %v", p, got, want)
		}
	}
	if sample[0] != 40 {
		t.Error("the sample was sorted in place")
	}
	if Percentile(nil, 50) != 0 {
		t.Error("percentile of nothing")
	}
}
