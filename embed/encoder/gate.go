package encoder

import "math"

// Gate is an activation that lets a share of each value through, 0 of what is far
// below 0 and all of what is far above: a table of the shares, between whose entries
// it draws lines. It is off by less than 1e-5.
type Gate []float32

const (
	gateEnd   = 8   // from here on all is let through
	gateSteps = 256 // entries for each whole number
)

// NewGate returns the gate of a function: the share of x that is let through.
func NewGate(share func(x float64) float64) Gate {
	g := make(Gate, 2*gateEnd*gateSteps+2)
	for i := range g {
		g[i] = float32(share(float64(i)/gateSteps - gateEnd))
	}
	return g
}

// Gelu lets through what of a normal distribution is below x.
func Gelu(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }

// GeluTanh is nearly [Gelu]: what models were trained with before there was that.
func GeluTanh(x float64) float64 {
	return (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) / 2
}

// Apply replaces each value by what is let through of it; what is not a number by 0.
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
