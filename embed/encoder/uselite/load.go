package uselite

import (
	"encoding/binary"
	"fmt"
	"math"

	"mcp-memory/embed/encoder"
)

// Names of the tensors in a file.
const (
	VocabularyName = "vocabulary"
	EmbeddingsName = "embeddings"
	WidenName      = "widen"
	LastName       = "last"
)

// LayerName is the name of a part of a layer, 0 or 1.
func LayerName(layer int, part string) string { return fmt.Sprintf("layer %d %s", layer, part) }

// Source is where the tensors of a network come from. Matrices are given row by
// row: a row for each value that comes out.
type Source interface {
	// Rows returns a table of this size; an error for one of another.
	Rows(name string, rows, columns int) (Rows, error)
	// Matrix returns a matrix of this size; an error for one of another.
	Matrix(name string, rows, columns int) (encoder.Matrix, error)
	// Floats returns n values; an error where there are more or fewer.
	Floats(name string, n int) ([]float32, error)
}

// Load makes the network of the tensors of a source.
func Load(s Source) (*Network, error) {
	l := loader{Source: s}
	n := &Network{Widen: l.linear(WidenName, wide, narrow), Last: l.linear(LastName, wide, wide)}
	n.Embeddings, l.err = l.rows()
	for i, width := range []int{narrow, wide} {
		name := func(part string) string { return LayerName(i, part) }
		n.Layers[i] = Layer{
			Before: l.norm(name("before"), width), QueryKeyVal: l.linear(name("query key value"), 3*width, width),
			Combine: l.linear(name("combine"), wide, width), Between: l.norm(name("between"), wide),
			Expand: l.linear(name("expand"), inner, wide), Contract: l.linear(name("contract"), wide, inner),
		}
	}
	return n, l.err
}

// pieces is how many rows the table of embeddings has: two more than the vocabulary.
const pieces = 8002

// loader keeps the first error.
type loader struct {
	Source
	err error
}

func (l *loader) rows() (Rows, error) {
	if l.err != nil {
		return nil, l.err
	}
	return l.Rows(EmbeddingsName, pieces, narrow)
}

func (l *loader) floats(name string, n int) (values []float32) {
	if l.err == nil {
		values, l.err = l.Floats(name, n)
	}
	return values
}

func (l *loader) linear(name string, rows, columns int) (m encoder.Linear) {
	m.Bias = l.floats(name+" bias", rows)
	if l.err == nil {
		m.Matrix, l.err = l.Matrix(name, rows, columns)
	}
	return m
}

func (l *loader) norm(name string, n int) encoder.Norm {
	return encoder.Norm{Scale: l.floats(name+" norm scale", n), Bias: l.floats(name+" norm bias", n), Epsilon: epsilon}
}

// packed is a file as a source.
type packed struct{ *encoder.Pack }

func (p packed) Rows(name string, rows, columns int) (Rows, error) {
	return p.Pack.Matrix(name, rows, columns)
}

func (p packed) Matrix(name string, rows, columns int) (encoder.Matrix, error) {
	return p.Pack.Matrix(name, rows, columns)
}

// Read returns the network and the tokenizer in a file. The error says what is
// wrong with it.
func Read(file []byte) (*Network, *Tokenizer, error) {
	pack, err := encoder.OpenPack(file)
	if err != nil {
		return nil, nil, err
	}
	network, err := Load(packed{pack})
	if err != nil {
		return nil, nil, err
	}
	b, err := pack.Bytes(VocabularyName)
	if err != nil {
		return nil, nil, err
	}
	vocabulary, err := readVocabulary(b)
	if err != nil {
		return nil, nil, err
	}
	return network, NewTokenizer(vocabulary), nil
}

// readVocabulary reads pieces: a float32, a byte with the length, the text.
func readVocabulary(b []byte) (vocabulary []Piece, err error) {
	for len(b) > 0 {
		if len(b) < 5 || len(b) < 5+int(b[4]) {
			return nil, fmt.Errorf("the vocabulary ends inside of a piece")
		}
		n := 5 + int(b[4])
		vocabulary = append(vocabulary, Piece{string(b[5:n]), math.Float32frombits(binary.LittleEndian.Uint32(b))})
		b = b[n:]
	}
	if len(vocabulary) > pieces || len(vocabulary) <= reserved {
		return nil, fmt.Errorf("a vocabulary of %d pieces", len(vocabulary))
	}
	return vocabulary, nil
}
