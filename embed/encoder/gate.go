package encoder

import "math"

// Gate is an activation function x·share(x), such as GELU, where share rises from 0 far below 0 to
// 1 far above. It is a table of shares, interpolated linearly. It is off by less than 1e-5.
type Gate []float32

const (
	gateEnd   = 8   // share is 1 from here on, and 0 below its negative
	gateSteps = 256 // table entries for each unit of x
)

// NewGate returns the gate of a function share(x).
func NewGate(share func(x float64) float64) Gate {
	g := make(Gate, 2*gateEnd*gateSteps+2)
	for i := range g {
		g[i] = float32(share(float64(i)/gateSteps - gateEnd))
	}
	return g
}

// Gelu is the share of GELU: the cumulative distribution function of the standard normal
// distribution.
func Gelu(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }

// GeluTanh is an approximation of [Gelu] by tanh, with which some models were trained.
func GeluTanh(x float64) float64 {
	return (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) / 2
}

// Apply replaces each value x by x·share(x), and NaN by 0.
func (g Gate) Apply(x []float32) {
	for i, v := range x {
		switch {
		case v >= gateEnd:
		case v > -gateEnd:
			at := (v + gateEnd) * gateSteps
			n := int(at)
			low := g[n]
			x[i] = v * (low + (g[n+1]-low)*(at-float32(n)))
		default:
			x[i] = 0
		}
	}
}
