package training

import (
	"math"
	"slices"

	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/model"
)

// Parameters of the fit. The penalties were chosen by cross-validation; values
// a few times larger or smaller change little.
const (
	densePenalty  = 0.0005 // factor of half the square of a dense weight
	sparsePenalty = 0.0001 // factor of half the square of a sparse weight
	maxRounds     = 100
)

// example is a sentence as features with the index of its class.
type example struct {
	model.Features
	category int
}

func (s Set) read(sentences []Sentence, table *semantics.Table) []example {
	reader := model.NewReader(table)
	examples := make([]example, len(sentences))
	for i, one := range sentences {
		examples[i] = example{reader.Read(one.Text), slices.Index(s.Classes, one.Category)}
	}
	return examples
}

// layout places the weights of a model in one long vector: bias, dense, sparse.
type layout struct{ categories, dense int }

func (l layout) size() int { return l.categories * (1 + l.dense + model.Slots) }

// row returns the weights of row i for all categories: row 0 is the bias, then
// come the dense values, then the slots.
func (l layout) row(w []float64, i int) []float64 {
	return w[i*l.categories : (i+1)*l.categories]
}

// fit returns the weights that make the examples most likely, less a penalty on
// large weights. The problem is convex: there is no other minimum in which the
// search could end.
func (l layout) fit(examples []example) model.Weights {
	w := minimize(make([]float64, l.size()), func(w, gradient []float64) float64 {
		return l.loss(examples, w, gradient)
	})
	weights := model.Weights{Bias: l.row(w, 0)}
	for i := range l.dense {
		weights.Dense = append(weights.Dense, l.row(w, 1+i))
	}
	for i := range model.Slots {
		weights.Sparse = append(weights.Sparse, l.row(w, 1+l.dense+i))
	}
	return weights
}

// loss returns the mean negative log likelihood of the examples plus the
// penalties. It writes the gradient of that into gradient.
func (l layout) loss(examples []example, w, gradient []float64) float64 {
	loss := l.penalties(w, gradient)
	shares := l.shares(examples)
	p := make([]float64, l.categories)
	for _, e := range examples {
		share := shares[e.category]
		copy(p, l.row(w, 0))
		l.each(e, func(row int, x float64) { addScaled(p, x, l.row(w, row)) })
		model.Softmax(p)
		loss -= share * math.Log(max(p[e.category], math.SmallestNonzeroFloat64))
		p[e.category]--
		addScaled(l.row(gradient, 0), share, p)
		l.each(e, func(row int, x float64) { addScaled(l.row(gradient, row), share*x, p) })
	}
	return loss
}

// shares returns how much an example of each class counts. With two classes,
// both count the same in all, however many examples each has; otherwise all
// examples count the same.
func (l layout) shares(examples []example) []float64 {
	shares := make([]float64, l.categories)
	if l.categories != 2 {
		for c := range shares {
			shares[c] = 1 / float64(len(examples))
		}
		return shares
	}
	for _, e := range examples {
		shares[e.category]++
	}
	for c, n := range shares {
		shares[c] = 1 / (max(1, n) * float64(l.categories))
	}
	return shares
}

// each calls use with the row and the value of every feature of an example.
func (l layout) each(e example, use func(row int, x float64)) {
	for i, x := range e.Dense {
		use(1+i, float64(x))
	}
	weight := e.Weight()
	for _, slot := range e.Sparse {
		use(1+l.dense+slot, weight)
	}
}

// penalties returns the penalties of w, and sets gradient to their gradient.
func (l layout) penalties(w, gradient []float64) float64 {
	loss := 0.0
	denseEnd := l.categories * (1 + l.dense)
	for i, x := range w {
		penalty := sparsePenalty
		switch {
		case i < l.categories:
			penalty = 0
		case i < denseEnd:
			penalty = densePenalty
		}
		gradient[i] = penalty * x
		loss += penalty * x * x / 2
	}
	return loss
}
