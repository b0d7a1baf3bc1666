#include "textflag.h"

// Instructions that the assembler does not know, with registers by number.
// SXTL: the lower (SXTL2: upper) eight signed bytes of n become 16 bits wide.
// SMLAL: the products of the lower (SMLAL2: upper) four of n and m are added to d.
#define SXTL(d, n) WORD $(0x0F08A400 | (n)<<5 | (d))
#define SXTL2(d, n) WORD $(0x4F08A400 | (n)<<5 | (d))
#define SMLAL(d, n, m) WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(d, n, m) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d))

// TOKEN loads 16 values of a token and adds their products with the first row
// to a, with the second to b.
#define TOKEN(pointer, a, b) \
	VLD1.P 32(pointer), [V12.H8, V13.H8] \
	SMLAL(a, 8, 12)   \
	SMLAL2(a, 8, 12)  \
	SMLAL(a, 9, 13)   \
	SMLAL2(a, 9, 13)  \
	SMLAL(b, 10, 12)  \
	SMLAL2(b, 10, 12) \
	SMLAL(b, 11, 13)  \
	SMLAL2(b, 11, 13)

// SUM puts the sum of the four values of v into the results at a place.
#define SUM(v, place) \
	VADDV v.S4, V14    \
	VMOV  V14.S[0], R8 \
	MOVW  R8, place(R0)

// func kernelNEON(sums *[8]int32, x *int16, weights *byte, columns int)
TEXT ·kernelNEON(SB), NOSPLIT, $0-32
	MOVD sums+0(FP), R0
	MOVD x+8(FP), R1
	MOVD weights+16(FP), R2
	MOVD columns+24(FP), R3
	ADD  R3<<1, R1, R4
	ADD  R3<<1, R4, R5
	ADD  R3<<1, R5, R6
	ADD  R3, R2, R7
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

loop:
	VLD1.P 16(R2), [V16.B16]
	VLD1.P 16(R7), [V17.B16]
	SXTL(8, 16)
	SXTL2(9, 16)
	SXTL(10, 17)
	SXTL2(11, 17)
	TOKEN(R1, 0, 4)
	TOKEN(R4, 1, 5)
	TOKEN(R5, 2, 6)
	TOKEN(R6, 3, 7)
	SUBS   $16, R3, R3
	BGT    loop

	SUM(V0, 0)
	SUM(V1, 4)
	SUM(V2, 8)
	SUM(V3, 12)
	SUM(V4, 16)
	SUM(V5, 20)
	SUM(V6, 24)
	SUM(V7, 28)
	RET

// func dotNEON(a, b *float32, n int) float32
TEXT ·dotNEON(SB), NOSPLIT, $0-28
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD n+16(FP), R2
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16

next:
	VLD1.P 32(R0), [V2.S4, V3.S4]
	VLD1.P 32(R1), [V4.S4, V5.S4]
	VFMLA  V2.S4, V4.S4, V0.S4
	VFMLA  V3.S4, V5.S4, V1.S4
	SUBS   $8, R2, R2
	BGT    next

	// There is no sum across four floats: they are taken out one by one.
	VMOV  V0.S[1], V6.S[0]
	VMOV  V0.S[2], V7.S[0]
	VMOV  V0.S[3], V8.S[0]
	FADDS F6, F0, F0
	FADDS F8, F7, F7
	FADDS F7, F0, F0
	VMOV  V1.S[1], V6.S[0]
	VMOV  V1.S[2], V7.S[0]
	VMOV  V1.S[3], V8.S[0]
	FADDS F6, F1, F1
	FADDS F8, F7, F7
	FADDS F7, F1, F1
	FADDS F1, F0, F0
	FMOVS F0, ret+24(FP)
	RET
