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
	// Rows is how many values the result has for a token.
	Rows() int
	// Columns is how many values a token has.
	Columns() int
	// Apply multiplies the matrix with each token of x, of Columns values, and stores Rows values
	// for each in out.
	Apply(out, x []float32, w *Workspace)
}

// Workspace is memory that computations reuse for their intermediate values. Only one goroutine may
// use it at a time. The zero value is ready for use.
type Workspace struct {
	rounded []int16
	bytes   []byte // like rounded, for narrow kernels
	tokens  []roundedToken
	sums    []int32
	packed  []int64
	weights []float32
	values  []float32
}

// Matrix8 is a matrix of 8-bit weights. It keeps the slices that it is made from.
type Matrix8 struct {
	weights []byte // int8, row by row
	scales  []float32
	columns int

	once  sync.Once
	whole []int32 // sums of the weights of each row
}

var _ Matrix = (*Matrix8)(nil)

// NewMatrix8 returns the matrix with len(scales) rows, which must be an even number. Columns must
// be a multiple of 16, at most 8,192.
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

// apply is Apply, and adds bias to the result of each token, unless it is nil.
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

// scaled computes a token's results from its sums of integer products.
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

// multiply stores the integer products of the tokens in w.sums; by is nil if they are in w.rounded
// instead of w.bytes.
func (m *Matrix8) multiply(w *Workspace, by *narrow, tokens int) {
	if by != nil {
		multiplyBytes(w, by, m.weights, len(m.scales), m.columns, tokens)
	} else {
		multiply(w, m.weights, len(m.scales), m.columns, tokens)
	}
}

// addUp computes whole, as the products of the rows with a token of ones.
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

// levels is the difference between the integers that the greatest and the least value of a token
// (or 0) are rounded to. With rounding the integers still fit into bytes, and maxColumns products
// with weights up to 127 have a sum below 2^31.
const levels = 254

// roundedToken says how a token was rounded: a value is (integer - zero) times scale. zero is the
// integer for 0. It is not in the middle of the range, since values behind an activation are
// further above 0 than below.
type roundedToken struct {
	scale, factor float32 // factor is 1/scale, and 0 for a token that counts as zero
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

// offset is what is added to a value times factor before truncation, which makes it rounding.
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

// extentOf returns the least and the greatest of 0 and some values, a multiple of 16, and the
// greatest absolute value, which is NaN if one of them is.
func extentOf(values []float32) (least, most, largest float32) {
	if here.passes != nil {
		return here.passes.extent(&values[0], len(values))
	}
	const sign = 1 << 31
	var bits uint32 // the bits of floats without sign are in the order of the floats, NaN last
	for _, x := range values {
		bits = max(bits, math.Float32bits(x)&^sign)
		least, most = min(least, x), max(most, x)
	}
	return least, most, math.Float32frombits(bits)
}

// Room returns a slice of n elements, s itself if it has room for them. Their values are arbitrary.
func Room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// ReadFloats decodes little-endian float32 values.
func ReadFloats(b []byte) []float32 {
	list := make([]float32, len(b)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return list
}
