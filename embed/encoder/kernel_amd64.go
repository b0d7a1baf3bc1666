package encoder

import "golang.org/x/sys/cpu"

// able returns the kernels that the processor can run, the best first; none if GODEBUG has
// cpu.avx2=off.
func able() (list []kernels) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	avx2 := kernels{"avx2", kernelAVX2, nil, dotAVX2, &passes{scoresAVX2, mixAVX2, scaledAVX2, rangeAVX2, wholeAVX2}}
	if cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		vnni := avx2
		vnni.name, vnni.narrow = "avx512vnni", &narrow{bytesVNNI, wholeBytes}
		list = append(list, vnni)
	}
	return append(list, avx2)
}

//go:noescape
func kernelAVX2(sums *[2 * block]int32, x *int16, weights *byte, columns int)

//go:noescape
func bytesVNNI(sums *int32, x, weights *byte, columns, tokens, rows int)

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func scoresAVX2(out, query, keys *float32, n, stride, size int)

//go:noescape
func mixAVX2(out, weights, values *float32, n, stride, size int)

//go:noescape
func scaledAVX2(out *float32, sums, whole *int32, scales, bias *float32, scale float32, zero int32, n int)

//go:noescape
func rangeAVX2(x *float32, n int) (least, most, largest float32)

//go:noescape
func wholeAVX2(out *int16, x *float32, factor, offset float32, n int)

//go:noescape
func wholeBytes(out *byte, x *float32, factor, offset float32, n int)
