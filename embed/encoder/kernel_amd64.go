package encoder

import "golang.org/x/sys/cpu"

// able returns none where GODEBUG says cpu.avx2=off.
func able() (list []kernels) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	if cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		list = append(list, avx2("avx512vnni", kernelVNNI))
	}
	return append(list, avx2("avx2", kernelAVX2))
}

func avx2(name string, products func(sums *[2 * block]int32, x *int16, weights *byte, columns int)) kernels {
	return kernels{name, products, dotAVX2, &passes{scoresAVX2, mixAVX2, scaledAVX2, largestAVX2, wholeAVX2}}
}

//go:noescape
func kernelAVX2(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func kernelVNNI(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func scoresAVX2(out, query, keys *float32, n, stride, size int)

//go:noescape
func mixAVX2(out, weights, values *float32, n, stride, size int)

//go:noescape
func scaledAVX2(out *float32, sums *int32, scales, bias *float32, scale float32, n int)

//go:noescape
func largestAVX2(x *float32, n int) float32

//go:noescape
func wholeAVX2(out *int16, x *float32, factor float32, n int)
