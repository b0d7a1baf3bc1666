package bert

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
)

// Rows is a table of vectors by number, of pieces or positions.
type Rows interface {
	// Row stores row r, from 0, in out, which has room for it.
	Row(r int, out []float32) error
}

// Source gives the tensors of a network. Names are those of model.safetensors, without the prefix
// that some files have before "embeddings" and "encoder".
type Source interface {
	// Rows returns a table; an error if it has another size.
	Rows(name string, rows, columns int) (Rows, error)
	// Matrix returns a matrix; an error if it has another size. Those of "attention.self" are the
	// query's, the key's and the value's, one below the other.
	Matrix(name string, rows, columns int) (encoder.Matrix, error)
	// Floats returns n values; an error if there are more or fewer.
	Floats(name string, n int) ([]float32, error)
}

// Network is a network without its vocabulary.
type Network struct {
	Config
	words    Rows
	places   Rows
	sentence []float32 // the embedding of token type 0, for a first sentence
	embedded encoder.Norm
	layers   []layer
	gate     encoder.Gate // nil is relu
	spare    atomic.Pointer[scratch]
}

type layer struct {
	queryKeyValue encoder.Linear
	combine       encoder.Linear
	attended      encoder.Norm
	expand        encoder.Linear
	contract      encoder.Linear
	contracted    encoder.Norm
}

// activations are the functions for [encoder.NewGate] by their names in config.json; nil is relu.
var activations = map[string]func(float64) float64{
	"gelu": encoder.Gelu, "gelu_new": encoder.GeluTanh, "gelu_pytorch_tanh": encoder.GeluTanh, "relu": nil,
}

// Load makes a network from the tensors of a source.
func Load(c Config, s Source) (*Network, error) {
	l := loader{Source: s, epsilon: c.Epsilon}
	n := &Network{Config: c, embedded: l.norm("embeddings.LayerNorm", c.Width)}
	if share := activations[c.Activation]; share != nil {
		n.gate = encoder.NewGate(share)
	}
	if l.err == nil {
		n.words, l.err = s.Rows(firstTensor, c.Vocabulary, c.Width)
	}
	if l.err == nil {
		n.places, l.err = s.Rows(placesTensor, c.Places, c.Width)
	}
	if kinds := l.floats("embeddings.token_type_embeddings.weight", c.Types*c.Width); l.err == nil {
		n.sentence = kinds[:c.Width]
	}
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		n.layers = append(n.layers, layer{
			queryKeyValue: l.linear(at+"attention.self", 3*c.Width, c.Width),
			combine:       l.linear(at+"attention.output.dense", c.Width, c.Width),
			attended:      l.norm(at+"attention.output.LayerNorm", c.Width),
			expand:        l.linear(at+"intermediate.dense", c.Inner, c.Width),
			contract:      l.linear(at+"output.dense", c.Width, c.Inner),
			contracted:    l.norm(at+"output.LayerNorm", c.Width),
		})
	}
	return n, l.err
}

// loader reads tensors until the first error, which it keeps.
type loader struct {
	Source
	epsilon float32
	err     error
}

func (l *loader) floats(name string, n int) (values []float32) {
	if l.err == nil {
		values, l.err = l.Floats(name, n)
	}
	return values
}

func (l *loader) linear(name string, rows, columns int) (m encoder.Linear) {
	m.Bias = l.floats(name+".bias", rows)
	if l.err == nil {
		m.Matrix, l.err = l.Matrix(name+".weight", rows, columns)
	}
	return m
}

func (l *loader) norm(name string, n int) encoder.Norm {
	return encoder.Norm{Scale: l.floats(name+".weight", n), Bias: l.floats(name+".bias", n), Epsilon: l.epsilon}
}

// Vector returns the vector, of length 1, of a text with the given pieces, which include those
// around it; nil if there are none. There may be at most [Config.Pieces], each below
// Config.Vocabulary. The error is that of reading the table of pieces.
func (n *Network) Vector(pieces []int32, pooling string) ([]float32, error) {
	if len(pieces) == 0 {
		return nil, nil
	}
	width, first := n.Width, n.firstPlace()
	s := n.borrow(len(pieces))
	x, place := s.tokens, s.out[:width]
	for t, p := range pieces {
		row := x[t*width:][:width]
		if err := errors.Join(n.words.Row(int(p), row), n.places.Row(first+t, place)); err != nil {
			return nil, err
		}
		add(row, place)
		add(row, n.sentence)
	}
	n.embedded.Apply(x, x)
	scale := float32(1 / math.Sqrt(float64(width/n.Heads)))
	for i := range n.layers {
		n.layer(&n.layers[i], x, scale, s)
	}
	vector := slices.Clone(x[:width])
	if pooling == modelfile.PoolMean {
		for t := 1; t < len(pieces); t++ {
			add(vector, x[t*width:][:width])
		}
	}
	encoder.Normalise(vector)
	n.giveBack(s)
	return vector, nil
}

func (n *Network) layer(l *layer, x []float32, scale float32, s *scratch) {
	l.queryKeyValue.Apply(s.queryKeyValue, x, &s.Workspace)
	encoder.Attend(s.mixed, s.queryKeyValue, n.Width, n.Heads, scale, &s.Workspace)
	l.combine.Apply(s.out, s.mixed, &s.Workspace)
	add(x, s.out)
	l.attended.Apply(x, x)

	l.expand.Apply(s.inner, x, &s.Workspace)
	if n.gate != nil {
		n.gate.Apply(s.inner)
	} else {
		encoder.Relu(s.inner)
	}
	l.contract.Apply(s.out, s.inner, &s.Workspace)
	add(x, s.out)
	l.contracted.Apply(x, x)
}

func add(into, x []float32) {
	for i, v := range x {
		into[i] += v
	}
}
