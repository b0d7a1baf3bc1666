package encoder

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Matrix is a linear map of Columns values to Rows values. Its methods may be
// called at the same time.
type Matrix interface {
	// Rows is how many values come out for a token.
	Rows() int
	// Columns is how many values a token has.
	Columns() int
	// Apply multiplies each of the tokens that x holds, Columns values a token,
	// and puts Rows values a token into out.
	Apply(out, x []float32, w *Workspace)
}

// Workspace is the memory that one computation needs beside its values. It is
// used by one goroutine at a time; the zero value is ready.
type Workspace struct {
	rounded []int16
	bytes   []byte // the same where that is what is multiplied
	tokens  []roundedToken
	sums    []int32
	packed  []int64
	weights []float32
	values  []float32
}

// Matrix8 is a matrix of 8-bit weights. It keeps the slices that it is made of.
type Matrix8 struct {
	weights []byte // int8, row by row
	scales  []float32
	columns int

	once  sync.Once
	whole []int32 // sums of the weights of each row
}

var _ Matrix = (*Matrix8)(nil)

// NewMatrix8 returns the matrix with len(scales) rows. Columns must be a
// multiple of 16, at most 8,192.
func NewMatrix8(weights []byte, scales []float32, columns int) (*Matrix8, error) {
	switch {
	case columns <= 0 || columns%step != 0 || columns > maxColumns:
		return nil, fmt.Errorf("a matrix of %d columns: not a multiple of %d up to %d", columns, step, maxColumns)
	case len(scales) == 0 || len(scales)%2 != 0:
		return nil, fmt.Errorf("a matrix of %d rows: not an even number", len(scales))
	case len(weights) != len(scales)*columns:
		return nil, fmt.Errorf("%d weights for a matrix of %d rows and %d columns", len(weights), len(scales), columns)
	}
	return &Matrix8{weights: weights, scales: scales, columns: columns}, nil
}

// Rows implements [Matrix].
func (m *Matrix8) Rows() int { return len(m.scales) }

// Columns implements [Matrix].
func (m *Matrix8) Columns() int { return m.columns }

// Apply implements [Matrix].
func (m *Matrix8) Apply(out, x []float32, w *Workspace) { m.apply(out, x, nil, w) }

// apply is Apply with something to add to the rows of each token, nil for nothing.
func (m *Matrix8) apply(out, x, bias []float32, w *Workspace) {
	m.once.Do(m.addUp)
	tokens, rows := len(x)/m.columns, len(m.scales)
	padded := (tokens + block - 1) / block * block
	w.tokens, w.sums = Room(w.tokens, tokens), Room(w.sums, padded*rows)
	by := narrowFor(rows, m.columns)
	if by != nil {
		w.bytes = Room(w.bytes, padded*m.columns)
		clear(w.bytes[tokens*m.columns:])
	} else {
		w.rounded = Room(w.rounded, padded*m.columns)
		clear(w.rounded[tokens*m.columns:])
	}
	for t := range tokens {
		values, at := x[t*m.columns:][:m.columns], t*m.columns
		w.tokens[t] = roundingOf(values)
		if by != nil {
			w.tokens[t].bytes(by, w.bytes[at:][:m.columns], values)
		} else {
			w.tokens[t].round(w.rounded[at:][:m.columns], values)
		}
	}
	m.multiply(w, by, padded)
	for t, one := range w.tokens {
		m.scaled(out[t*rows:][:rows], w.sums[t*rows:][:rows], bias, one)
	}
}

// scaled makes results of a token's sums of products.
func (m *Matrix8) scaled(out []float32, sums []int32, bias []float32, t roundedToken) {
	if rows := len(out); here.passes != nil && rows%8 == 0 && len(bias) == rows {
		here.passes.scaled(&out[0], &sums[0], &m.whole[0], &m.scales[0], &bias[0], t.scale, t.zero, rows)
		return
	}
	for r, sum := range sums {
		out[r] = float32(sum-t.zero*m.whole[r]) * (t.scale * m.scales[r])
	}
	for r, b := range bias {
		out[r] += b
	}
}

// multiply puts the products of so many tokens, which are bytes where there is a kernel of
// these, into w.sums.
func (m *Matrix8) multiply(w *Workspace, by *narrow, tokens int) {
	if by != nil {
		multiplyBytes(w, by, m.weights, len(m.scales), m.columns, tokens)
	} else {
		multiply(w, m.weights, len(m.scales), m.columns, tokens)
	}
}

// addUp makes the sums of rows: their products with a token of ones.
func (m *Matrix8) addUp() {
	rows, w := len(m.scales), Workspace{}
	w.sums = make([]int32, block*rows)
	by := narrowFor(rows, m.columns)
	if by != nil {
		w.bytes = slices.Repeat([]byte{1}, block*m.columns)
	} else {
		w.rounded = slices.Repeat([]int16{1}, block*m.columns)
	}
	m.multiply(&w, by, block)
	m.whole = slices.Clone(w.sums[:rows])
}

// levels is by how many steps the least and the most of a token's values, and 0, are apart:
// with what rounding adds they are bytes, and with 127 for the largest weight maxColumns
// products stay below 2^31.
const levels = 254

// roundedToken says what the rounded values of a token stand for: so many times scale, zero
// for 0. What follows a bend, as most values do, is not as far below 0 as above.
type roundedToken struct {
	scale, factor float32 // one is 1 through the other; 0 where all is taken for 0
	zero          int32
}

func roundingOf(values []float32) roundedToken {
	least, most, largest := extentOf(values)
	scale, factor := (most-least)/levels, levels/(most-least)
	if !(largest > 0) || math.IsInf(float64(scale), 0) || math.IsInf(float64(factor), 0) || math.IsInf(float64(largest), 0) {
		return roundedToken{}
	}
	return roundedToken{scale, factor, int32(float32(-least*factor) + 0.5)}
}

// offset is what is added to a value times the factor: zero, and what rounds.
func (t roundedToken) offset() float32 { return float32(t.zero) + 0.5 }

func (t roundedToken) round(rounded []int16, values []float32) {
	switch {
	case t.factor == 0:
		clear(rounded)
	case here.passes != nil:
		here.passes.whole(&rounded[0], &values[0], t.factor, t.offset(), len(values))
	default:
		for i, x := range values {
			rounded[i] = int16(float32(x*t.factor) + t.offset())
		}
	}
}

func (t roundedToken) bytes(by *narrow, rounded []byte, values []float32) {
	if t.factor == 0 {
		clear(rounded)
		return
	}
	by.whole(&rounded[0], &values[0], t.factor, t.offset(), len(values))
}

// extentOf is the least and the most of some values, a multiple of 16, and 0, and the largest
// without their signs, which is not a number if one of them is none.
func extentOf(values []float32) (least, most, largest float32) {
	if here.passes != nil {
		return here.passes.extent(&values[0], len(values))
	}
	const sign = 1 << 31
	var bits uint32 // as whole numbers they are ordered as they are
	for _, x := range values {
		bits = max(bits, math.Float32bits(x)&^sign)
		least, most = min(least, x), max(most, x)
	}
	return least, most, math.Float32frombits(bits)
}

// Room returns a slice of n elements, the given one if it has room for them.
func Room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// ReadFloats reads little-endian values of 4 bytes.
func ReadFloats(b []byte) []float32 {
	list := make([]float32, len(b)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return list
}
