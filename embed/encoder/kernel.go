package encoder

import "unsafe"

const (
	step       = 16 // columns that a kernel takes at once
	block      = 4  // tokens that a kernel takes at once
	maxColumns = 1 << 13

	narrowRows, narrowStep = 4, 64 // rows and columns that a kernel of bytes takes at once
)

// narrowFor returns the kernel of bytes if it can take a matrix of that size, else nil.
func narrowFor(rows, columns int) *narrow {
	if rows%narrowRows == 0 && columns%narrowStep == 0 {
		return here.narrow
	}
	return nil
}

// multiplyBytes is multiply of the tokens in w.bytes.
func multiplyBytes(w *Workspace, by *narrow, weights []byte, rows, columns, tokens int) {
	// Four rows and all tokens are in the nearest caches, so that weights are
	// read from far away once.
	x := unsafe.SliceData(w.bytes[:tokens*columns])
	for r := 0; r < rows; r += narrowRows {
		by.products(&w.sums[r], x, &weights[r*columns:][:narrowRows*columns][0], columns, tokens, rows)
	}
}

// multiply puts the product of each token with each row into w.sums, the rows
// of a token side by side. There are tokens in w.rounded, a multiple of block.
func multiply(w *Workspace, weights []byte, rows, columns, tokens int) {
	if here.products == nil {
		multiplyPlain(w, weights, rows, columns, tokens)
		return
	}
	var sums [2 * block]int32
	for r := 0; r < rows; r += 2 {
		// Two rows and all tokens are in the nearest caches, so that weights are
		// read from far away once.
		pair := weights[r*columns:][:2*columns]
		for t := 0; t < tokens; t += block {
			x := w.rounded[t*columns:][:block*columns]
			here.products(&sums, unsafe.SliceData(x), unsafe.SliceData(pair), columns)
			for i := range block {
				at := w.sums[(t+i)*rows+r:][:2]
				at[0], at[1] = sums[i], sums[block+i]
			}
		}
	}
}

// multiplyPlain is multiply without assembly, and what kernels are compared
// with. Two tokens share a 64-bit number: a sum stays below 2^31, so the lower
// half is the first token's, and the upper half the second's but for what the
// lower borrowed.
func multiplyPlain(w *Workspace, weights []byte, rows, columns, tokens int) {
	w.packed = Room(w.packed, tokens/2*columns)
	for t := 0; t < tokens; t += 2 {
		a, b := w.rounded[t*columns:][:columns], w.rounded[(t+1)*columns:][:columns]
		into := w.packed[t/2*columns:][:columns]
		for i := range into {
			into[i] = int64(a[i]) + int64(b[i])<<32
		}
	}
	var sums [block]int64
	for r := range rows {
		row := weights[r*columns:][:columns]
		for t := 0; t < tokens; {
			n := 2 * block
			if tokens-t < n {
				n = block
				twoProducts(&sums, row, w.packed[t/2*columns:][:n/2*columns])
			} else {
				fourProducts(&sums, row, w.packed[t/2*columns:][:n/2*columns])
			}
			for i, s := range sums[:n/2] {
				low := int32(s)
				w.sums[(t+2*i)*rows+r] = low
				w.sums[(t+2*i+1)*rows+r] = int32((s - int64(low)) >> 32)
			}
			t += n
		}
	}
}

// twoProducts multiplies a row with the first two of x, which are as long.
func twoProducts(sums *[block]int64, row []byte, x []int64) {
	n := len(row)
	a, b := x[:n], x[n:][:n]
	var s0, s1 int64
	for i, v := range row {
		y := int64(int8(v))
		s0 += y * a[i]
		s1 += y * b[i]
	}
	sums[0], sums[1] = s0, s1
}

// fourProducts is twoProducts for four: a weight is read once for eight tokens.
func fourProducts(sums *[block]int64, row []byte, x []int64) {
	n := len(row)
	a, b, c, d := x[:n], x[n:][:n], x[2*n:][:n], x[3*n:][:n]
	var s0, s1, s2, s3 int64
	for i, v := range row {
		y := int64(int8(v))
		s0 += y * a[i]
		s1 += y * b[i]
		s2 += y * c[i]
		s3 += y * d[i]
	}
	sums[0], sums[1], sums[2], sums[3] = s0, s1, s2, s3
}

// Dot is the sum of the products of two slices, the second at least as long.
func Dot(a, b []float32) float32 {
	if here.dot != nil && len(a) >= 8 {
		n := len(a) &^ 7
		sum := here.dot(unsafe.SliceData(a), unsafe.SliceData(b[:n]), n)
		return sum + dotPlain(a[n:], b[n:])
	}
	return dotPlain(a, b)
}

func dotPlain(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

// kernels are what a processor multiplies with; the zero value is plain Go.
type kernels struct {
	name string
	// products multiplies block tokens of columns values each, which lie one
	// behind the other, with two rows of weights: sums has the tokens' products
	// with the first row, then with the second.
	products func(sums *[2 * block]int32, x *int16, weights *byte, columns int)
	// narrow takes tokens of bytes where the size of a matrix allows it; nil for none.
	narrow *narrow
	// dot is [Dot] of n values, a multiple of 8.
	dot func(a, b *float32, n int) float32
	// passes are the rest of a layer; nil is plain Go.
	passes *passes
}

// passes are what a layer does beside its products.
type passes struct {
	// scores puts the products of a query with n keys, stride values apart, into out;
	// size, a multiple of 32, is how many values each has.
	scores func(out, query, keys *float32, n, stride, size int)
	// mix puts the sum of n weights times values, stride apart and of size each, a
	// multiple of 32, into out.
	mix func(out, weights, values *float32, n, stride, size int)
	// scaled puts (sum minus zero times whole) times (scale times the row's scale) plus bias
	// into out, for n rows, a multiple of 8.
	scaled func(out *float32, sums, whole *int32, scales, bias *float32, scale float32, zero int32, n int)
	// extent is the least and the most of n values, a multiple of 8, and 0, and the largest
	// without their signs; what is not a number is larger than all.
	extent func(x *float32, n int) (least, most, largest float32)
	// whole puts n values, a multiple of 16, times factor plus offset into out, without
	// what is behind the point.
	whole func(out *int16, x *float32, factor, offset float32, n int)
}

// narrow is how tokens are multiplied whose values are bytes without a sign.
type narrow struct {
	// products puts the products of the tokens, a multiple of block and of columns values
	// each, with narrowRows rows of weights into sums, rows values a token.
	products func(sums *int32, x, weights *byte, columns, tokens, rows int)
	// whole is that of passes.
	whole func(out *byte, x *float32, factor, offset float32, n int)
}

// here is what this machine multiplies with: the first of what it is able to, which is
// the best.
var here = append(able(), kernels{})[0]

// PlainGo is what [Kernel] returns where there is no assembly.
const PlainGo = "plain Go"

// Kernel names what multiplies on this machine: "avx512vnni", "avx2", "neon" or [PlainGo].
func Kernel() string {
	if here.products == nil {
		return PlainGo
	}
	return here.name
}
