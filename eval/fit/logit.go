package main

import (
	"math"
	"sync"
)

// choice is a question: the features of its candidates, a row for each, of which the first golds
// answer it.
type choice struct {
	set    string
	rows   [][]float64
	golds  int
	weight float64
}

// logit is a conditional logit: the probability of a candidate is exp(weights · features), divided
// by the sum of that over all candidates of the question.
type logit struct {
	signs   []int // the sign that each weight may have, 0 for either
	penalty float64
}

// loss returns the weighted mean of the negative log probability that a right candidate is chosen,
// plus the penalty, and stores its gradient in gradient.
func (l *logit) loss(choices []choice, w, gradient []float64) float64 {
	workers := 2 // any fixed number: the order of sums, and so their rounding, must not depend on the machine
	losses, gradients := make([]float64, workers), make([][]float64, workers)
	var wait sync.WaitGroup
	for k := range workers {
		gradients[k] = make([]float64, len(w))
		wait.Go(func() {
			for i := k; i < len(choices); i += workers {
				losses[k] += choices[i].loss(w, gradients[k])
			}
		})
	}
	wait.Wait()
	clear(gradient)
	total, weight := 0.0, 0.0
	for i := range choices {
		weight += choices[i].weight
	}
	for k := range workers {
		total += losses[k]
		for j, g := range gradients[k] {
			gradient[j] += g / weight
		}
	}
	total /= weight
	for j := range w {
		total += l.penalty * w[j] * w[j] / 2
		gradient[j] += l.penalty * w[j]
	}
	return total
}

func (c *choice) loss(w, gradient []float64) float64 {
	scores := make([]float64, len(c.rows))
	most := math.Inf(-1)
	for i, row := range c.rows {
		scores[i] = dot(w, row)
		most = max(most, scores[i])
	}
	all, right := 0.0, 0.0
	for i, s := range scores {
		scores[i] = math.Exp(s - most)
		all += scores[i]
		if i < c.golds {
			right += scores[i]
		}
	}
	for i, row := range c.rows {
		by := scores[i] / all
		if i < c.golds {
			by -= scores[i] / right
		}
		if by *= c.weight; math.Abs(by) > 1e-9 {
			for j, x := range row {
				gradient[j] += by * x
			}
		}
	}
	return -c.weight * math.Log(right/all)
}

func dot(w, row []float64) (s float64) {
	for j, x := range row {
		s += w[j] * x
	}
	return s
}

// fit returns the weights with the least loss among those with the allowed signs. It uses
// accelerated projected gradient descent, which begins at from, or at 0 if that is nil. The same
// choices give the same weights.
func (l *logit) fit(choices []choice, from []float64) []float64 {
	n := len(l.signs)
	w, at, gradient, next := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	scratch := make([]float64, n)
	copy(w, from)
	copy(at, from)
	step, momentum := 1.0, 1.0
	before := math.Inf(1)
	for range 1500 {
		here := l.loss(choices, at, gradient)
		for {
			moved, along := 0.0, 0.0
			for j := range next {
				next[j] = l.allowed(j, at[j]-step*gradient[j])
				d := next[j] - at[j]
				moved, along = moved+d*d, along+d*gradient[j]
			}
			if l.loss(choices, next, scratch) <= here+along+moved/(2*step)+1e-12 {
				break
			}
			step /= 2
		}
		now := l.loss(choices, next, scratch)
		if now > before { // the step overshot, so restart the momentum
			momentum = 1
		}
		after := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for j := range w {
			at[j] = next[j] + (momentum-1)/after*(next[j]-w[j])
		}
		copy(w, next)
		if math.Abs(before-now) < 1e-7 {
			break
		}
		momentum, before = after, now
		step *= 1.2
	}
	return w
}

func (l *logit) allowed(j int, x float64) float64 {
	switch {
	case l.signs[j] > 0:
		return max(0, x)
	case l.signs[j] < 0:
		return min(0, x)
	}
	return x
}
