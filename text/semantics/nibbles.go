package semantics

import (
	"encoding/binary"
	"math/bits"
)

// lanes selects the low nibble of every other byte.
const lanes = 0x000f_000f_000f_000f

// product returns the dot product of two rows of codes. A byte has two codes,
// and a code is the value plus 8.
//
// It multiplies eight bytes at a time, as four products of words with a nibble
// in each 16-bit quarter. The second word is in reverse order of bytes, so the
// highest quarter of the product of two words is the sum of the four products
// of nibbles. No quarter exceeds 4·15·15, so none carries into the next.
func product(x, y []byte) int {
	sum, codes := 0, 0 // sum of the products, and of the codes themselves
	n := 2 * len(x)
	for ; len(x) >= 8 && len(y) >= 8; x, y = x[8:], y[8:] {
		a, b := binary.LittleEndian.Uint64(x), binary.LittleEndian.Uint64(y)
		turned := bits.ReverseBytes64(b)
		sum += int((a&lanes*(turned>>8&lanes) + a>>4&lanes*(turned>>12&lanes) +
			a>>8&lanes*(turned&lanes) + a>>12&lanes*(turned>>4&lanes)) >> 48)
		codes += nibbles(a) + nibbles(b)
	}
	for k := range x {
		a, b := int(x[k]), int(y[k])
		sum += a&15*(b&15) + a>>4*(b>>4)
		codes += a&15 + a>>4 + b&15 + b>>4
	}
	return sum - 8*codes + 64*n
}

// nibbles returns the sum of the 16 nibbles of a word, at most 240.
func nibbles(word uint64) int {
	const low, each = 0x0f0f_0f0f_0f0f_0f0f, 0x0101_0101_0101_0101
	return int((word&low + word>>4&low) * each >> 56)
}
