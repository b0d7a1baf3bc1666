package training

import "math"

const (
	remembered = 8    // last steps from which the curvature is estimated
	enough     = 1e-5 // relative improvement below which minimize stops
)

// step is one step of the search: the differences in place and in gradient.
type step struct {
	place, gradient []float64
	inverse         float64 // 1 / (place · gradient)
}

// minimize finds the minimum of a smooth convex function by L-BFGS (Nocedal and
// Wright, Numerical Optimization, algorithm 7.5), with a step size that is
// halved until the value decreases enough. f returns the value at w and writes
// its gradient. minimize changes w and returns it.
func minimize(w []float64, f func(w, gradient []float64) float64) []float64 {
	n := len(w)
	gradient, nextGradient, next := make([]float64, n), make([]float64, n), make([]float64, n)
	value := f(w, gradient)
	var steps []step
	for range maxRounds {
		down := direction(gradient, steps)
		size, slope := 1.0, dot(gradient, down)
		if len(steps) == 0 {
			size = 1 / math.Sqrt(dot(gradient, gradient)+1e-30)
		}
		reached := value
		for range 20 {
			copy(next, w)
			addScaled(next, -size, down)
			if reached = f(next, nextGradient); reached <= value-1e-4*size*slope {
				break
			}
			size /= 2
		}
		s := step{difference(next, w), difference(nextGradient, gradient), 0}
		if product := dot(s.place, s.gradient); product > 1e-12 {
			s.inverse = 1 / product
			steps = append(steps, s)
			steps = steps[max(0, len(steps)-remembered):]
		}
		improved := value - reached
		copy(w, next)
		copy(gradient, nextGradient)
		value = reached
		if improved < enough*math.Abs(value) {
			break
		}
	}
	return w
}

// direction returns an estimate of the inverse Hessian times the gradient.
func direction(gradient []float64, steps []step) []float64 {
	d := append([]float64(nil), gradient...)
	along := make([]float64, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		along[i] = steps[i].inverse * dot(steps[i].place, d)
		addScaled(d, -along[i], steps[i].gradient)
	}
	if n := len(steps); n > 0 {
		last := steps[n-1]
		scale := 1 / (last.inverse * dot(last.gradient, last.gradient))
		for i := range d {
			d[i] *= scale
		}
	}
	for i, s := range steps {
		addScaled(d, along[i]-s.inverse*dot(s.gradient, d), s.place)
	}
	return d
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// addScaled adds factor times b to a.
func addScaled(a []float64, factor float64, b []float64) {
	for i, x := range b {
		a[i] += factor * x
	}
}

func difference(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i, x := range a {
		d[i] = x - b[i]
	}
	return d
}
