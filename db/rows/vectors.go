package rows

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Nothing reports whether a vector is all zeros. Such a vector has no direction and is not stored.
func Nothing(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

// CheckDimensions refuses a vector of other dimensions than its set has.
func CheckDimensions(v []float32, dimensions int) error {
	if len(v) != dimensions {
		return fmt.Errorf("vector of %d dimensions for a set of %d", len(v), dimensions)
	}
	return nil
}

// Floats returns a vector as it is stored: each value as a little-endian float32.
func Floats(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Vector reads what Floats gave.
func Vector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = Float(b, i)
	}
	return v
}

// Float reads one value of what Floats gave.
func Float(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}
