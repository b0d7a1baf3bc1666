package training

import (
	"math"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, set := range Sets() {
		count, hard, seen := map[string]int{}, map[string]int{}, map[string]string{}
		for _, s := range set.Sentences() {
			count[s.Category]++
			if s.Hard {
				hard[s.Category]++
			}
			if seen[s.Text] != "" {
				t.Errorf("%q is in %s and %s", s.Text, seen[s.Text], s.Category)
			}
			seen[s.Text] = s.Category
		}
		for _, name := range set.Classes {
			if name != set.Nowhere && (count[name] < 60 || set.Nowhere != "" && hard[name] < 30) {
				t.Errorf("%s has %d sentences, %d of them hard", name, count[name], hard[name])
			}
		}
	}
}

func TestSplit(t *testing.T) {
	all := Categories().Sentences()
	sum := 0
	for part := range Parts {
		held, rest := Split(all, part)
		if len(held)+len(rest) != len(all) {
			t.Errorf("part %d: %d and %d", part, len(held), len(rest))
		}
		sum += len(held)
	}
	if sum != len(all) {
		t.Errorf("%d of %d sentences", sum, len(all))
	}
}

// A narrow valley whose lowest point is known.
func TestMinimize(t *testing.T) {
	w := minimize(make([]float64, 3), func(w, g []float64) float64 {
		value := 0.0
		for i, x := range w {
			steep := math.Pow(10, float64(i))
			value += steep * (x - float64(i+1)) * (x - float64(i+1)) / 2
			g[i] = steep * (x - float64(i+1))
		}
		return value
	})
	for i, x := range w {
		if math.Abs(x-float64(i+1)) > 0.01 {
			t.Errorf("lowest at %v", w)
		}
	}
}

// The gradient is that of the loss.
func TestGradient(t *testing.T) {
	l := layout{len(Categories().Classes), 2}
	var examples []example
	for i, slots := range [][]int{{0, 5}, {5, 9}, {1}} {
		e := example{category: i}
		e.Dense, e.Sparse = []float32{float32(i), 0.5}, slots
		examples = append(examples, e)
	}
	w, gradient, scratch := make([]float64, l.size()), make([]float64, l.size()), make([]float64, l.size())
	for i := range w {
		w[i] = math.Sin(float64(i))
	}
	l.loss(examples, w, gradient)
	const step = 1e-5
	for _, i := range []int{0, 7, l.categories, 3*l.categories + 5*l.categories + 1, 3*l.categories + 2} {
		at := w[i]
		w[i] = at + step
		above := l.loss(examples, w, scratch)
		w[i] = at - step
		below := l.loss(examples, w, scratch)
		w[i] = at
		if slope := (above - below) / (2 * step); math.Abs(slope-gradient[i]) > 1e-6 {
			t.Errorf("weight %d: %v, the loss says %v", i, gradient[i], slope)
		}
	}
}
