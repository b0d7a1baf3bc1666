package encoder

// able returns the kernel for arm64, which every such processor can run.
func able() []kernels { return []kernels{{"neon", kernelNEON, nil, dotNEON, nil}} }

//go:noescape
func kernelNEON(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func dotNEON(a, b *float32, n int) float32
