package encoder

import "unsafe"

const (
	step       = 16 // columns that a kernel takes at once
	block      = 4  // tokens that a kernel takes at once
	maxColumns = 1 << 13

	narrowRows, narrowStep = 4, 64 // rows and columns that a narrow kernel takes at once
)

// narrowFor returns this machine's narrow kernel if it has one that can take a matrix of that size,
// else nil.
func narrowFor(rows, columns int) *narrow {
	if rows%narrowRows == 0 && columns%narrowStep == 0 {
		return here.narrow
	}
	return nil
}

// multiplyBytes is multiply for tokens in w.bytes.
func multiplyBytes(w *Workspace, by *narrow, weights []byte, rows, columns, tokens int) {
	// Four rows and all tokens fit into the nearest caches, so weights are read from main memory
	// once.
	x := unsafe.SliceData(w.bytes[:tokens*columns])
	for r := 0; r < rows; r += narrowRows {
		by.products(&w.sums[r], x, &weights[r*columns:][:narrowRows*columns][0], columns, tokens, rows)
	}
}

// multiply stores the dot product of each token in w.rounded with each row of weights in w.sums,
// all rows of a token in sequence. tokens is a multiple of block.
func multiply(w *Workspace, weights []byte, rows, columns, tokens int) {
	if here.products == nil {
		multiplyPlain(w, weights, rows, columns, tokens)
		return
	}
	var sums [2 * block]int32
	for r := 0; r < rows; r += 2 {
		// Two rows and all tokens fit into the nearest caches, so weights are read from main memory
		// once.
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

// multiplyPlain is multiply without assembly, with which kernels are compared. Two tokens share a
// 64-bit number, so that one multiplication makes two products. A sum stays below 2^31, so the
// lower half is the first token's sum, and the upper half is the second's, less 1 if the lower one
// is negative.
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

// twoProducts computes the dot products of a row with the first two of x, which are as long as the
// row.
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

// fourProducts is twoProducts for four of x, which are eight tokens: each weight is read once for
// all.
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

// Dot returns the dot product of a with the first len(a) values of b.
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

// kernels are the functions that a processor computes with. In the zero value they are plain Go.
type kernels struct {
	name string
	// products computes the dot products of block tokens, of columns values each and in sequence,
	// with two rows of weights. sums gets the tokens' products with the first row, then those with
	// the second.
	products func(sums *[2 * block]int32, x *int16, weights *byte, columns int)
	// narrow is used instead of products for matrices whose size allows it; nil if there is none.
	narrow *narrow
	// dot is [Dot] for n values, a multiple of 8.
	dot func(a, b *float32, n int) float32
	// passes compute the rest of a layer; nil is plain Go.
	passes *passes
}

// passes are what a layer computes beside its matrix products.
type passes struct {
	// scores stores the dot products of a query with n keys in out. A key begins stride values
	// after the one before; query and keys have size values, a multiple of 32.
	scores func(out, query, keys *float32, n, stride, size int)
	// mix stores the sum of n values, each times its weight, in out. The values are vectors of size
	// numbers, a multiple of 32, that begin stride numbers apart.
	mix func(out, weights, values *float32, n, stride, size int)
	// scaled stores (sum - zero·whole)·(scale·scales) + bias in out, for n rows, a multiple of 8.
	scaled func(out *float32, sums, whole *int32, scales, bias *float32, scale float32, zero int32, n int)
	// extent returns the least and the greatest of 0 and n values, a multiple of 8, and the
	// greatest absolute value, which is NaN if one of them is.
	extent func(x *float32, n int) (least, most, largest float32)
	// whole stores x·factor + offset, truncated to integers, in out, for n values, a multiple of
	// 16.
	whole func(out *int16, x *float32, factor, offset float32, n int)
}

// narrow are the functions for tokens whose values are unsigned bytes.
type narrow struct {
	// products stores the dot products of tokens with narrowRows rows of weights in sums. There are
	// tokens (a multiple of block) of columns bytes each; the sums of a token begin rows values
	// after those of the one before.
	products func(sums *int32, x, weights *byte, columns, tokens, rows int)
	// whole is that of passes, with bytes as result.
	whole func(out *byte, x *float32, factor, offset float32, n int)
}

// here is the best that this machine can compute with.
var here = append(able(), kernels{})[0]

// PlainGo is the name that [Kernel] returns on machines without assembly.
const PlainGo = "plain Go"

// Kernel returns the name of what this machine multiplies with: "avx512vnni", "avx2", "neon" or
// [PlainGo].
func Kernel() string {
	if here.products == nil {
		return PlainGo
	}
	return here.name
}
