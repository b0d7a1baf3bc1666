//go:build !amd64

package index

// product is the sum of the products of two lists of one length.
func product(unit []float32, values []int8) float32 { return productPlain(unit, values) }
