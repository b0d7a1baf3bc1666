package metrics

import (
	"math"
	"slices"
)

// Ranking is an answer: the ids that each result names, best result first.
type Ranking [][]string

// firstRanks returns the rank (from 1) of each distinct gold id that the
// ranking names, ascending, and how many distinct gold ids there are.
func firstRanks(gold []string, ranked Ranking) (ranks []int, total int) {
	wanted := make(map[string]bool, len(gold))
	for _, id := range gold {
		wanted[id] = true
	}
	total = len(wanted)
	for i, names := range ranked {
		for _, id := range names {
			if wanted[id] {
				delete(wanted, id)
				ranks = append(ranks, i+1)
			}
		}
	}
	return ranks, total
}

// Recall returns R@k, from 0 to 1; 0 without gold ids.
func Recall(gold []string, ranked Ranking, k int) float64 {
	ranks, total := firstRanks(gold, ranked)
	if total == 0 {
		return 0
	}
	return float64(within(ranks, k)) / float64(total)
}

// Hit returns hit@k: 1 or 0.
func Hit(gold []string, ranked Ranking, k int) float64 {
	ranks, _ := firstRanks(gold, ranked)
	return float64(min(1, within(ranks, k)))
}

// ReciprocalRank returns 1 divided by the rank of the first result that names
// a gold id, 0 if none does.
func ReciprocalRank(gold []string, ranked Ranking) float64 {
	ranks, _ := firstRanks(gold, ranked)
	if len(ranks) == 0 {
		return 0
	}
	return 1 / float64(ranks[0])
}

// NDCG returns the binary nDCG@k, from 0 to 1; 0 without gold ids. A result
// that names several gold ids gains once, and then the best possible order is
// one result shorter for each of the others.
func NDCG(gold []string, ranked Ranking, k int) float64 {
	ranks, total := firstRanks(gold, ranked)
	distinct := slices.Compact(slices.Clone(ranks))
	total -= len(ranks) - len(distinct)
	if total == 0 {
		return 0
	}
	var gain, ideal float64
	for _, rank := range distinct {
		if rank <= k {
			gain += discount(rank)
		}
	}
	for rank := 1; rank <= min(k, total); rank++ {
		ideal += discount(rank)
	}
	return gain / ideal
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }

func within(ranks []int, k int) int {
	n := 0
	for _, rank := range ranks {
		if rank <= k {
			n++
		}
	}
	return n
}
