package encoder

import "golang.org/x/sys/cpu"

// able returns none where GODEBUG says cpu.avx2=off.
func able() (list []kernels) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	if cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		list = append(list, kernels{"avx512vnni", kernelVNNI, dotAVX2})
	}
	return append(list, kernels{"avx2", kernelAVX2, dotAVX2})
}

//go:noescape
func kernelAVX2(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func kernelVNNI(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func dotAVX2(a, b *float32, n int) float32
