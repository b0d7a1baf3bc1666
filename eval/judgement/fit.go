package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"mcp-memory/recall"
)

// sample is a question of a small bank that is not about a whole: what the answer
// looked like, and whether its first result was right.
type sample struct {
	bank   string
	signs  []float64
	level  recall.Confidence
	right  bool
	linked bool
}

// judgeConfidence keeps a sample of what can have a right first result, or none.
func (t *tally) judgeConfidence(q query, r reply, bank string) {
	if r.signs == nil || q.Category == profile || q.Category == vague {
		return
	}
	right := q.Category != none && r.rankFolded(q.Gold) == 1
	t.samples = append(t.samples, sample{bank: bank, signs: r.signs.Values(), level: r.level, right: right})
}

// logistic is a bias and a weight for each sign.
type logistic []float64

func (l logistic) chance(signs []float64) float64 {
	x := l[0]
	for i, value := range signs {
		x += l[i+1] * value
	}
	return 1 / (1 + math.Exp(-x))
}

const (
	steps = 4000
	pace  = 1.0
	// pull draws weights to zero, as so many samples would that speak against them.
	pull = 1.0
)

// fitted returns the weights that explain samples best, by gradient descent from
// zero: the same samples give the same weights.
func fitted(samples []sample) logistic {
	l := make(logistic, len(samples[0].signs)+1)
	for range steps {
		slope := make(logistic, len(l))
		for _, s := range samples {
			missing := -l.chance(s.signs)
			if s.right {
				missing++
			}
			slope[0] += missing
			for i, value := range s.signs {
				slope[i+1] += missing * value
			}
		}
		for i := range l {
			if i > 0 {
				slope[i] -= pull * l[i]
			}
			l[i] += pace * slope[i] / float64(len(samples))
		}
	}
	return l
}

// folds is in how many parts the banks are cut to see how well a fit holds on
// banks that it was not made of.
const folds = 5

// crossValidated returns the area under the ROC curve, over chances that each
// came from a fit without the sample's bank.
func crossValidated(samples []sample) float64 {
	var banks []string
	for _, s := range samples {
		if !slices.Contains(banks, s.bank) {
			banks = append(banks, s.bank)
		}
	}
	var right, wrong []float64
	for fold := range folds {
		var train, test []sample
		for _, s := range samples {
			if slices.Index(banks, s.bank)%folds == fold {
				test = append(test, s)
			} else {
				train = append(train, s)
			}
		}
		l := fitted(train)
		for _, s := range test {
			if s.right {
				right = append(right, l.chance(s.signs))
			} else {
				wrong = append(wrong, l.chance(s.signs))
			}
		}
	}
	return auc(right, wrong)
}

// printFit prints the weights that suit the columns that are not held out, and how
// often the first result was right at each level of today's weights.
func printFit(w io.Writer, columns []column) {
	groups := map[string][]sample{}
	for _, c := range columns {
		if c.held {
			groups["held out"] = append(groups["held out"], c.samples...)
		} else {
			groups["fitted"] = append(groups["fitted"], c.samples...)
		}
	}
	all := groups["fitted"]
	l := fitted(all)
	fmt.Fprintf(w, "%d samples, area %.3f, by banks left out %.3f\nbias %.2f\n", len(all), areaOf(l, all), crossValidated(all), l[0])
	for i, name := range recall.SignNames() {
		fmt.Fprintf(w, "%s %.2f\n", name, l[i+1])
	}
	for _, group := range []string{"fitted", "held out"} {
		samples := groups[group]
		if len(samples) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s:\n", group)
		for _, level := range recall.Confidences() {
			right, n := 0, 0
			for _, s := range samples {
				if s.level == level {
					n++
					if s.right {
						right++
					}
				}
			}
			fmt.Fprintf(w, "  %s %.0f %% of %d\n", level, 100*float64(right)/float64(max(1, n)), n)
		}
	}
}

func areaOf(l logistic, samples []sample) float64 {
	var right, wrong []float64
	for _, s := range samples {
		if s.right {
			right = append(right, l.chance(s.signs))
		} else {
			wrong = append(wrong, l.chance(s.signs))
		}
	}
	return auc(right, wrong)
}
