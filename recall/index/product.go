package index

// productPlain is product without assembly, and the reference for the assembly's tests. It adds up
// four sums, as additions that do not depend on each other run in parallel.
func productPlain(unit []float32, values []int8) float32 {
	values = values[:len(unit)]
	var a, b, c, d float32
	i := 0
	for ; i+4 <= len(unit); i += 4 {
		a += unit[i] * float32(values[i])
		b += unit[i+1] * float32(values[i+1])
		c += unit[i+2] * float32(values[i+2])
		d += unit[i+3] * float32(values[i+3])
	}
	for ; i < len(unit); i++ {
		a += unit[i] * float32(values[i])
	}
	return (a + b) + (c + d)
}
