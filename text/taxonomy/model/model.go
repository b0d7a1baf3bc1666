package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"mcp-memory/text/semantics"
)

// Model computes from the features of a text how likely each category is. It
// never changes, so any number of goroutines may use it at once.
type Model struct {
	names  []string
	origin Origin
	bias   []float32
	dense  []float32 // a row of len(names) for each dense value
	scales []float32 // scales[c] × a sparse weight (int8) is its value for category c
	sparse []byte    // a row of len(names) signed bytes for each slot
}

// Origin identifies the table and the sentences from which a model was made.
type Origin struct {
	Rows, Dim uint32   // of the table
	Rare      float32  // of the table
	Sentences [32]byte // SHA-256 over lexicon and sentences
}

// OriginOf returns the origin of a model made from a table and sentences with
// that sum.
func OriginOf(table *semantics.Table, sentences [32]byte) Origin {
	return Origin{uint32(table.Len()), uint32(table.Dim()), table.Rare(), sentences}
}

// Weights are the weights of a model as training computes them: a bias for each
// category, and for each dense value and each slot a row with one weight for
// each category.
type Weights struct {
	Bias   []float64
	Dense  [][]float64
	Sparse [][]float64 // Slots rows
}

// header is the beginning of a model's file. After it come the names (a length
// byte and the bytes of each), the bias, the dense weights and the scales
// (float32), and the sparse weights (int8).
type header struct {
	Magic      [4]byte
	Version    uint16
	Categories uint16
	Names      uint32 // bytes
	Sum        uint32 // CRC-32 of all that follows the header
	Origin     Origin
}

var magic = [4]byte{'T', 'A', 'X', 'M'}

const version = 1

// ErrFormat is returned for a file that is not a model of this version.
var ErrFormat = errors.New("not a version 1 model of categories")

// Encode returns the file of a model for the categories names.
func Encode(names []string, origin Origin, w Weights) []byte {
	var body bytes.Buffer
	for _, name := range names {
		body.WriteByte(byte(len(name)))
		body.WriteString(name)
	}
	head := header{Magic: magic, Version: version, Categories: uint16(len(names)), Names: uint32(body.Len()), Origin: origin}
	put := func(values ...float64) {
		for _, v := range values {
			_ = binary.Write(&body, binary.LittleEndian, float32(v)) // a buffer takes all
		}
	}
	put(w.Bias...)
	for _, row := range w.Dense {
		put(row...)
	}
	scales := make([]float64, len(names))
	for _, row := range w.Sparse {
		for c, v := range row {
			scales[c] = max(scales[c], math.Abs(v)/127)
		}
	}
	put(scales...)
	for _, row := range w.Sparse {
		for c, v := range row {
			body.WriteByte(byte(int8(math.Round(v / max(scales[c], 1e-30)))))
		}
	}
	head.Sum = crc32.ChecksumIEEE(body.Bytes())
	var file bytes.Buffer
	_ = binary.Write(&file, binary.LittleEndian, head)
	file.Write(body.Bytes())
	return file.Bytes()
}

// Decode opens the file of a model. The file must not change afterwards,
// because the model uses its bytes. The error wraps [ErrFormat].
func Decode(file []byte) (*Model, error) {
	var head header
	size := binary.Size(head)
	if len(file) < size {
		return nil, fmt.Errorf("%w: %d bytes", ErrFormat, len(file))
	}
	_ = binary.Read(bytes.NewReader(file), binary.LittleEndian, &head) // file is long enough
	body := file[size:]
	categories, denses := int(head.Categories), 2*int(head.Origin.Dim)
	want := int(head.Names) + 4*categories*(2+denses) + categories*Slots
	if head.Magic != magic || head.Version != version || len(body) != want || crc32.ChecksumIEEE(body) != head.Sum {
		return nil, ErrFormat
	}
	m := &Model{origin: head.Origin}
	for rest := body[:head.Names]; len(rest) > 0; {
		n := int(rest[0])
		if n >= len(rest) {
			return nil, fmt.Errorf("%w: names", ErrFormat)
		}
		m.names, rest = append(m.names, string(rest[1:1+n])), rest[1+n:]
	}
	if len(m.names) != categories {
		return nil, fmt.Errorf("%w: %d names", ErrFormat, len(m.names))
	}
	body = body[head.Names:]
	take := func(n int) []float32 {
		values := make([]float32, n)
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
		}
		body = body[4*n:]
		return values
	}
	m.bias, m.dense, m.scales = take(categories), take(categories*denses), take(categories)
	m.sparse = body
	return m, nil
}

// Names returns the categories, in the order of [Model.Probabilities].
func (m *Model) Names() []string { return m.names }

// Origin returns what the model was made from.
func (m *Model) Origin() Origin { return m.origin }

// Fits reports whether the model was made with a table like this one.
func (m *Model) Fits(table *semantics.Table) bool {
	return m.origin == OriginOf(table, m.origin.Sentences)
}

// Probabilities returns how likely a text with these features belongs to each
// category, from 0 to 1 and together 1. The features must be from a [Reader]
// over a table that the model fits.
func (m *Model) Probabilities(f Features) []float64 {
	k := len(m.names)
	sums, words := make([]float32, k), make([]int32, k)
	copy(sums, m.bias)
	for i, x := range f.Dense {
		if x != 0 {
			for c, w := range m.dense[i*k : (i+1)*k] {
				sums[c] += w * x
			}
		}
	}
	for _, slot := range f.Sparse {
		for c, w := range m.sparse[slot*k : (slot+1)*k] {
			words[c] += int32(int8(w))
		}
	}
	logits := make([]float64, k)
	for c := range logits {
		logits[c] = float64(sums[c]) + float64(words[c])*float64(m.scales[c])*f.Weight()
	}
	Softmax(logits)
	return logits
}

// Softmax replaces logits by probabilities.
func Softmax(logits []float64) {
	top := math.Inf(-1)
	for _, x := range logits {
		top = max(top, x)
	}
	sum := 0.0
	for i, x := range logits {
		logits[i] = math.Exp(x - top)
		sum += logits[i]
	}
	for i := range logits {
		logits[i] /= sum
	}
}
