package index

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 is false where GODEBUG says cpu.avx2=off.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// atOnce is how many values productAVX2 takes at once.
const atOnce = 32

// product is the sum of the products of two lists of one length.
func product(unit []float32, values []int8) float32 {
	n := len(unit) &^ (atOnce - 1)
	if !hasAVX2 || n == 0 {
		return productPlain(unit, values)
	}
	return productAVX2(unsafe.SliceData(unit), unsafe.SliceData(values[:n]), n) + productPlain(unit[n:], values[n:])
}

// productAVX2 is product of n values, a multiple of atOnce above 0.
//
//go:noescape
func productAVX2(unit *float32, values *int8, n int) float32
