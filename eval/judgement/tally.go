package main

import (
	"maps"
	"slices"
)

// share is a sum over n cases, of values from 0 to 1.
type share struct {
	sum float64
	n   int
}

// tally has the results by the keys of figures. Tallies can be added, which pools the questions of
// several sets.
type tally struct {
	shares               map[string]share
	answerable, silences []float64 // scores of the first results, of questions with an answer and without
	misses               []miss
}

// miss is a case that failed.
type miss struct {
	Row  string `json:"row"`
	Case string `json:"case"`
	Text string `json:"text"`
}

func newTally() *tally { return &tally{shares: map[string]share{}} }

// count adds a case to a figure: 1 if it was reached, 0 if not, or a share.
func (t *tally) count(key string, x float64) {
	s := t.shares[key]
	t.shares[key] = share{s.sum + x, s.n + 1}
}

// hit adds a case to a figure, reached or not.
func (t *tally) hit(key string, reached bool) {
	if reached {
		t.count(key, 1)
	} else {
		t.count(key, 0)
	}
}

func (t *tally) miss(row, name, text string) { t.misses = append(t.misses, miss{row, name, text}) }

// add adds the cases of another tally, without its misses.
func (t *tally) add(other *tally) {
	for _, key := range slices.Sorted(maps.Keys(other.shares)) {
		a, b := t.shares[key], other.shares[key]
		t.shares[key] = share{a.sum + b.sum, a.n + b.n}
	}
	t.answerable = append(t.answerable, other.answerable...)
	t.silences = append(t.silences, other.silences...)
}

// auc returns the area under the ROC curve: the share of pairs of a positive and a negative value
// in which the positive one is greater; ties count half.
func auc(positive, negative []float64) float64 {
	sum := 0.0
	for _, p := range positive {
		for _, n := range negative {
			switch {
			case p > n:
				sum++
			case p == n:
				sum += 0.5
			}
		}
	}
	return sum / float64(len(positive)*len(negative))
}
