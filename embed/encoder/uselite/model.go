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
	s := borrow(len(pieces))
	defer s.giveBack()
	x := s.tokens
	for t, p := range pieces {
		row := x[t*narrow:][:narrow]
		n.Embeddings.Row(int(p), row)
		addPosition(row, t)
	}
	n.Widen.Apply(s.residual, x, &s.Workspace)
	n.Layers[0].apply(x, s)
	n.Layers[1].apply(s.residual, s)
	mean := make([]float32, wide)
	for t := range pieces {
		for i, v := range s.residual[t*wide:][:wide] {
			mean[i] += v
		}
	}
	for i := range mean {
		mean[i] /= float32(len(pieces))
	}
	vector := make([]float32, Dimensions)
	n.Last.Apply(vector, mean, &s.Workspace)
	for i, v := range vector {
		vector[i] = float32(math.Tanh(float64(v)))
	}
	encoder.Normalise(vector)
	return vector
}

// apply adds to the residual what the layer makes of x, which may be the residual.
func (l *Layer) apply(x []float32, s *scratch) {
	width := l.QueryKeyVal.Columns()
	normed, qkv := s.normed[:len(x)], s.qkv[:3*len(x)]
	l.Before.Apply(normed, x)
	l.QueryKeyVal.Apply(qkv, normed, &s.Workspace)
	encoder.Attend(normed, qkv, width, heads, float32(1/math.Sqrt(float64(width/heads))))
	l.Combine.Apply(s.out, normed, &s.Workspace)
	sum(s.residual, s.out)

	l.Between.Apply(s.out, s.residual)
	l.Expand.Apply(s.hidden, s.out, &s.Workspace)
	encoder.Relu(s.hidden)
	l.Contract.Apply(s.out, s.hidden, &s.Workspace)
	sum(s.residual, s.out)
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
