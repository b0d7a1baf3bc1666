package encoder

import (
	"encoding/binary"
	"fmt"
	"math"
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
	scales  []float32
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
	return &Matrix8{weights, scales, columns}, nil
}

// Rows implements [Matrix].
func (m *Matrix8) Rows() int { return len(m.scales) }

// Columns implements [Matrix].
func (m *Matrix8) Columns() int { return m.columns }

// Apply implements [Matrix].
func (m *Matrix8) Apply(out, x []float32, w *Workspace) { m.apply(out, x, nil, w) }

// apply is Apply with something to add to the rows of each token, nil for nothing.
func (m *Matrix8) apply(out, x, bias []float32, w *Workspace) {
	tokens, rows := len(x)/m.columns, len(m.scales)
	padded := (tokens + block - 1) / block * block
	w.rounded = Room(w.rounded, padded*m.columns)
	w.scales = Room(w.scales, tokens)
	w.sums = Room(w.sums, padded*rows)
	clear(w.rounded[tokens*m.columns:])
	for t := range tokens {
		w.scales[t] = round(w.rounded[t*m.columns:][:m.columns], x[t*m.columns:][:m.columns])
	}
	multiply(w, m.weights, rows, m.columns, padded)
	for t := range tokens {
		sums, into, scale := w.sums[t*rows:][:rows], out[t*rows:][:rows], w.scales[t]
		if here.passes != nil && rows%8 == 0 && len(bias) == rows {
			here.passes.scaled(&into[0], &sums[0], &m.scales[0], &bias[0], scale, rows)
			continue
		}
		for r, sum := range sums {
			into[r] = float32(sum) * (scale * m.scales[r])
		}
		for r, b := range bias {
			into[r] += b
		}
	}
}

// levels is what the largest value of a token is rounded to. With 127 for the
// largest weight and maxColumns products in a sum that stays below 2^31.
func levels(columns int) float32 {
	return float32(min(4095, math.MaxInt32/(math.MaxInt8*columns)))
}

// round brings values to whole numbers and returns what one of these stands for.
func round(rounded []int16, values []float32) float32 {
	const sign = 1 << 31
	largest := largestOf(values)
	if !(largest > 0) || math.IsInf(float64(largest), 0) {
		clear(rounded)
		return 0
	}
	top := levels(len(values))
	factor := top / largest
	rounded = rounded[:len(values)]
	if here.passes != nil {
		here.passes.whole(&rounded[0], &values[0], factor, len(values))
		return largest / top
	}
	half := math.Float32bits(0.5)
	for i, x := range values { // without a branch for the sign, which nothing could predict
		y := x * factor
		rounded[i] = int16(y + math.Float32frombits(half|math.Float32bits(y)&sign))
	}
	return largest / top
}

// largestOf is the largest of some values, a multiple of 16, without their signs: as whole
// numbers they are ordered as they are.
func largestOf(values []float32) float32 {
	if here.passes != nil {
		return here.passes.largest(&values[0], len(values))
	}
	const sign = 1 << 31
	var bits uint32
	for _, x := range values {
		bits = max(bits, math.Float32bits(x)&^sign)
	}
	return math.Float32frombits(bits)
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
