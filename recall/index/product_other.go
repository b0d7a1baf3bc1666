//go:build !amd64

package index

// product returns the dot product of two vectors of the same length.
func product(unit []float32, values []int8) float32 { return productPlain(unit, values) }
