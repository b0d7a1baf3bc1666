package index

// productPlain is product without assembly, and what that is compared with. Four sums
// do not wait for each other.
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
