package uselite

import (
	"math"
	"sync"

	"mcp-memory/embed/encoder"
)

// Dimensions is the length of a vector.
const Dimensions = 512

const (
	// MaxPieces is how many pieces of a text the network reads; it leaves out the rest.
	MaxPieces = 128

	narrow, wide, inner = 256, 512, 1536
	heads               = 4
	epsilon             = 1e-6
)

// Network is the network without its vocabulary.
type Network struct {
	Embeddings Rows           // a row of 256 values for each piece
	Widen      encoder.Linear // 256 values to 512, beside the first layer's attention
	Layers     [2]Layer
	Last       encoder.Linear // of the mean of all tokens
}

// Rows is a table of rows.
type Rows interface {
	// Row puts row r, from 0, into out, which has room for it.
	Row(r int, out []float32)
}

// Layer is one layer of the transformer.
type Layer struct {
	Before      encoder.Norm
	QueryKeyVal encoder.Linear
	Combine     encoder.Linear
	Between     encoder.Norm
	Expand      encoder.Linear
	Contract    encoder.Linear
}

// Vector returns the vector of a text of the given pieces, of length 1; nil for none.
func (n *Network) Vector(pieces []int32) []float32 {
	pieces = pieces[:min(len(pieces), MaxPieces)]
	if len(pieces) == 0 {
		return nil
	}
	var w encoder.Workspace
	x := make([]float32, len(pieces)*narrow)
	for t, p := range pieces {
		row := x[t*narrow:][:narrow]
		n.Embeddings.Row(int(p), row)
		addPosition(row, t)
	}
	residual := make([]float32, len(pieces)*wide)
	n.Widen.Apply(residual, x, &w)
	n.Layers[0].apply(residual, x, &w)
	n.Layers[1].apply(residual, residual, &w)
	mean := make([]float32, wide)
	for t := range pieces {
		for i, v := range residual[t*wide:][:wide] {
			mean[i] += v
		}
	}
	for i := range mean {
		mean[i] /= float32(len(pieces))
	}
	vector := make([]float32, Dimensions)
	n.Last.Apply(vector, mean, &w)
	for i, v := range vector {
		vector[i] = float32(math.Tanh(float64(v)))
	}
	encoder.Normalise(vector)
	return vector
}

// apply adds to residual what the layer makes of x, which may be residual.
func (l *Layer) apply(residual, x []float32, w *encoder.Workspace) {
	width := l.QueryKeyVal.Columns()
	tokens := len(x) / width
	normed, qkv := make([]float32, len(x)), make([]float32, 3*len(x))
	l.Before.Apply(normed, x)
	l.QueryKeyVal.Apply(qkv, normed, w)
	encoder.Attend(normed, qkv, width, heads, float32(1/math.Sqrt(float64(width/heads))))
	out := make([]float32, tokens*wide)
	l.Combine.Apply(out, normed, w)
	sum(residual, out)

	l.Between.Apply(out, residual)
	hidden := make([]float32, tokens*inner)
	l.Expand.Apply(hidden, out, w)
	encoder.Relu(hidden)
	l.Contract.Apply(out, hidden, w)
	sum(residual, out)
}

func sum(into, x []float32) {
	for i, v := range x {
		into[i] += v
	}
}

// positions are sines and cosines of the place of a piece, whose wavelengths grow
// from 2π to 20,000π: a row for each place.
var positions = sync.OnceValue(func() []float32 {
	const half = narrow / 2
	rows := make([]float32, MaxPieces*narrow)
	for i := range half {
		frequency := math.Pow(10000, -float64(i)/(half-1))
		for place := range MaxPieces {
			sin, cos := math.Sincos(float64(place) * frequency)
			rows[place*narrow+i], rows[place*narrow+half+i] = float32(sin), float32(cos)
		}
	}
	return rows
})

// addPosition doubles the row of a piece, as the original does, and adds that of
// its place.
func addPosition(row []float32, place int) {
	at := positions()[place*narrow:][:narrow]
	for i, v := range at {
		row[i] = 2*row[i] + v
	}
}
