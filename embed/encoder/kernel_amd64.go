package encoder

import "golang.org/x/sys/cpu"

// chosen leaves the kernels out where GODEBUG says cpu.avx2=off.
func chosen() kernels {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return kernels{"avx2", kernelAVX2, dotAVX2}
	}
	return kernels{}
}

//go:noescape
func kernelAVX2(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func dotAVX2(a, b *float32, n int) float32
