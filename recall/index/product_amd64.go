package index

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 reports whether the processor has AVX2 and FMA. GODEBUG=cpu.avx2=off makes it false.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// atOnce is how many values productAVX2 takes at once.
const atOnce = 32

// product returns the dot product of two vectors of the same length.
func product(unit []float32, values []int8) float32 {
	n := len(unit) &^ (atOnce - 1)
	if !hasAVX2 || n == 0 {
		return productPlain(unit, values)
	}
	return productAVX2(unsafe.SliceData(unit), unsafe.SliceData(values[:n]), n) + productPlain(unit[n:], values[n:])
}

// productAVX2 is product of the first n values; n is a multiple of atOnce above 0.
//
//go:noescape
func productAVX2(unit *float32, values *int8, n int) float32
