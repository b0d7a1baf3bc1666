#include "textflag.h"

// func kernelAVX2(sums *[8]int32, x *int16, weights *byte, columns int)
//
// Y0-Y3 add up the first row with tokens 0-3, and Y4-Y7 the second row. Weights become 16
// bits wide; a product of pairs is added to 32 bits, which is exact.
TEXT ·kernelAVX2(SB), NOSPLIT, $0-32
	MOVQ  sums+0(FP), DI
	MOVQ  x+8(FP), SI
	MOVQ  weights+16(FP), DX
	MOVQ  columns+24(FP), CX
	LEAQ  (SI)(CX*2), R8
	LEAQ  (R8)(CX*2), R9
	LEAQ  (R9)(CX*2), R10
	LEAQ  (DX)(CX*1), R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ  AX, AX

loop:
	VPMOVSXBW (DX)(AX*1), Y8
	VPMOVSXBW (R11)(AX*1), Y9
	VMOVDQU   (SI)(AX*2), Y10
	VMOVDQU   (R8)(AX*2), Y11
	VMOVDQU   (R9)(AX*2), Y12
	VMOVDQU   (R10)(AX*2), Y13
	VPMADDWD  Y10, Y8, Y14
	VPADDD    Y14, Y0, Y0
	VPMADDWD  Y10, Y9, Y15
	VPADDD    Y15, Y4, Y4
	VPMADDWD  Y11, Y8, Y14
	VPADDD    Y14, Y1, Y1
	VPMADDWD  Y11, Y9, Y15
	VPADDD    Y15, Y5, Y5
	VPMADDWD  Y12, Y8, Y14
	VPADDD    Y14, Y2, Y2
	VPMADDWD  Y12, Y9, Y15
	VPADDD    Y15, Y6, Y6
	VPMADDWD  Y13, Y8, Y14
	VPADDD    Y14, Y3, Y3
	VPMADDWD  Y13, Y9, Y15
	VPADDD    Y15, Y7, Y7
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       loop

	// Each of the eight sums becomes one number: pairs of neighbours twice, then the
	// upper half onto the lower.
	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (DI)
	VPHADDD      Y5, Y4, Y4
	VPHADDD      Y7, Y6, Y6
	VPHADDD      Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VMOVDQU      X4, 16(DI)
	VZEROUPPER
	RET

// ROW multiplies the weights of a row by the tokens in Z20-Z23, each 64 bytes, and adds
// fours of products to its sums.
#define ROW(weights, a, b, c, d) \
	VPDPBUSD weights, Z20, a; \
	VPDPBUSD weights, Z21, b; \
	VPDPBUSD weights, Z22, c; \
	VPDPBUSD weights, Z23, d

// FOLD adds up the sums of one token with four rows, as far as they stand in the same
// quarter, and puts them side by side in each quarter of a.
#define FOLD(a, b, c, d) \
	VPUNPCKLDQ  b, a, Z16; \
	VPUNPCKHDQ  b, a, Z17; \
	VPADDD      Z17, Z16, Z16; \
	VPUNPCKLDQ  d, c, Z18; \
	VPUNPCKHDQ  d, c, Z19; \
	VPADDD      Z19, Z18, Z18; \
	VPUNPCKLQDQ Z18, Z16, Z17; \
	VPUNPCKHQDQ Z18, Z16, Z19; \
	VPADDD      Z19, Z17, a

// QUARTERS adds up neighbouring quarters of a and of b, in a.
#define QUARTERS(a, b) \
	VSHUFI32X4 $0x88, b, a, Z16; \
	VSHUFI32X4 $0xdd, b, a, Z17; \
	VPADDD     Z17, Z16, a

// func bytesVNNI(sums *int32, x, weights *byte, columns, tokens, rows int)
//
// Z0-Z3 add up the first token with rows 0-3, Z4-Z7 the second, and so on. While the
// first tokens are multiplied, the rows behind these are fetched.
TEXT ·bytesVNNI(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ weights+16(FP), DX
	MOVQ columns+24(FP), CX
	LEAQ (DX)(CX*1), R8
	LEAQ (R8)(CX*1), R9
	LEAQ (R9)(CX*1), R10
	LEAQ (R10)(CX*1), BX

tokens:
	LEAQ   (SI)(CX*1), R11
	LEAQ   (R11)(CX*1), R12
	LEAQ   (R12)(CX*1), R13
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	XORQ   AX, AX

columns:
	VMOVDQU32 (SI)(AX*1), Z20
	VMOVDQU32 (R11)(AX*1), Z21
	VMOVDQU32 (R12)(AX*1), Z22
	VMOVDQU32 (R13)(AX*1), Z23
	VMOVDQU32 (DX)(AX*1), Z16
	VMOVDQU32 (R8)(AX*1), Z17
	VMOVDQU32 (R9)(AX*1), Z18
	VMOVDQU32 (R10)(AX*1), Z19
	ROW(Z16, Z0, Z4, Z8, Z12)
	ROW(Z17, Z1, Z5, Z9, Z13)
	ROW(Z18, Z2, Z6, Z10, Z14)
	ROW(Z19, Z3, Z7, Z11, Z15)
	PREFETCHT0 (BX)(AX*1)
	ADDQ       $64, AX
	CMPQ       AX, CX
	JLT        columns

	FOLD(Z0, Z1, Z2, Z3)
	FOLD(Z4, Z5, Z6, Z7)
	FOLD(Z8, Z9, Z10, Z11)
	FOLD(Z12, Z13, Z14, Z15)
	QUARTERS(Z0, Z4)
	QUARTERS(Z8, Z12)
	QUARTERS(Z0, Z8)
	MOVQ          rows+40(FP), AX
	VMOVDQU       X0, (DI)
	LEAQ          (DI)(AX*4), DI
	VEXTRACTI32X4 $1, Z0, (DI)
	LEAQ          (DI)(AX*4), DI
	VEXTRACTI32X4 $2, Z0, (DI)
	LEAQ          (DI)(AX*4), DI
	VEXTRACTI32X4 $3, Z0, (DI)
	LEAQ          (DI)(AX*4), DI
	LEAQ          (R13)(CX*1), SI
	ADDQ          CX, BX
	SUBQ          $4, tokens+32(FP)
	JNZ           tokens
	VZEROUPPER
	RET

// SUM8 adds up the eight values of Y0 in X0.
#define SUM8 \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPS       X1, X0, X0; \
	VHADDPS      X0, X0, X0; \
	VHADDPS      X0, X0, X0

// func dotAVX2(a, b *float32, n int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DX
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX
	MOVQ   CX, R8
	ANDQ   $-16, R8
	JZ     eight

sixteen:
	VMOVUPS     (SI)(AX*4), Y2
	VMOVUPS     32(SI)(AX*4), Y3
	VFMADD231PS (DX)(AX*4), Y2, Y0
	VFMADD231PS 32(DX)(AX*4), Y3, Y1
	ADDQ        $16, AX
	CMPQ        AX, R8
	JLT         sixteen

eight:
	CMPQ        AX, CX
	JGE         done
	VMOVUPS     (SI)(AX*4), Y2
	VFMADD231PS (DX)(AX*4), Y2, Y0

done:
	VADDPS Y1, Y0, Y0
	SUM8
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func scoresAVX2(out, query, keys *float32, n, stride, size int)
TEXT ·scoresAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ query+8(FP), SI
	MOVQ keys+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ stride+32(FP), R8
	MOVQ size+40(FP), R9
	SHLQ $2, R8

key:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   AX, AX

part:
	VMOVUPS     (SI)(AX*4), Y4
	VMOVUPS     32(SI)(AX*4), Y5
	VMOVUPS     64(SI)(AX*4), Y6
	VMOVUPS     96(SI)(AX*4), Y7
	VFMADD231PS (DX)(AX*4), Y4, Y0
	VFMADD231PS 32(DX)(AX*4), Y5, Y1
	VFMADD231PS 64(DX)(AX*4), Y6, Y2
	VFMADD231PS 96(DX)(AX*4), Y7, Y3
	ADDQ        $32, AX
	CMPQ        AX, R9
	JLT         part
	VADDPS      Y1, Y0, Y0
	VADDPS      Y3, Y2, Y2
	VADDPS      Y2, Y0, Y0
	SUM8
	VMOVSS      X0, (DI)
	ADDQ        $4, DI
	ADDQ        R8, DX
	DECQ        CX
	JNZ         key
	VZEROUPPER
	RET

// func mixAVX2(out, weights, values *float32, n, stride, size int)
TEXT ·mixAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ weights+8(FP), SI
	MOVQ values+16(FP), DX
	MOVQ stride+32(FP), R8
	MOVQ size+40(FP), R9
	SHLQ $2, R8

columns:
	MOVQ   n+24(FP), CX
	MOVQ   SI, R10
	MOVQ   DX, R11
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

value:
	VBROADCASTSS (R10), Y4
	VFMADD231PS  (R11), Y4, Y0
	VFMADD231PS  32(R11), Y4, Y1
	VFMADD231PS  64(R11), Y4, Y2
	VFMADD231PS  96(R11), Y4, Y3
	ADDQ         $4, R10
	ADDQ         R8, R11
	DECQ         CX
	JNZ          value
	VMOVUPS      Y0, (DI)
	VMOVUPS      Y1, 32(DI)
	VMOVUPS      Y2, 64(DI)
	VMOVUPS      Y3, 96(DI)
	ADDQ         $128, DI
	ADDQ         $128, DX
	SUBQ         $32, R9
	JNZ          columns
	VZEROUPPER
	RET

// func scaledAVX2(out *float32, sums, whole *int32, scales, bias *float32, scale float32, zero int32, n int)
TEXT ·scaledAVX2(SB), NOSPLIT, $0-56
	MOVQ         out+0(FP), DI
	MOVQ         sums+8(FP), SI
	MOVQ         whole+16(FP), R9
	MOVQ         scales+24(FP), DX
	MOVQ         bias+32(FP), R8
	VBROADCASTSS scale+40(FP), Y0
	VBROADCASTSS zero+44(FP), Y3
	MOVQ         n+48(FP), CX
	XORQ         AX, AX

eight:
	VMOVDQU   (SI)(AX*4), Y1
	VPMULLD   (R9)(AX*4), Y3, Y2
	VPSUBD    Y2, Y1, Y1
	VCVTDQ2PS Y1, Y1
	VMULPS    (DX)(AX*4), Y0, Y2
	VMULPS    Y2, Y1, Y1
	VADDPS    (R8)(AX*4), Y1, Y1
	VMOVUPS   Y1, (DI)(AX*4)
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       eight
	VZEROUPPER
	RET

DATA signs<>+0(SB)/4, $0x80000000
GLOBL signs<>(SB), RODATA|NOPTR, $4

// func rangeAVX2(x *float32, n int) (least, most, largest float32)
TEXT ·rangeAVX2(SB), NOSPLIT, $0-28
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS signs<>(SB), Y3
	VXORPS       Y0, Y0, Y0
	VXORPS       Y4, Y4, Y4
	VXORPS       Y5, Y5, Y5
	XORQ         AX, AX

eight:
	VMOVUPS (SI)(AX*4), Y2
	VANDNPS Y2, Y3, Y1
	VPMAXUD Y1, Y0, Y0
	VMINPS  Y2, Y4, Y4
	VMAXPS  Y2, Y5, Y5
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     eight

	VEXTRACTI128 $1, Y0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPMAXUD      X1, X0, X0
	VMOVSS       X0, largest+24(FP)
	VEXTRACTF128 $1, Y4, X1
	VMINPS       X1, X4, X4
	VPSHUFD      $0x4e, X4, X1
	VMINPS       X1, X4, X4
	VPSHUFD      $0xb1, X4, X1
	VMINPS       X1, X4, X4
	VMOVSS       X4, least+16(FP)
	VEXTRACTF128 $1, Y5, X1
	VMAXPS       X1, X5, X5
	VPSHUFD      $0x4e, X5, X1
	VMAXPS       X1, X5, X5
	VPSHUFD      $0xb1, X5, X1
	VMAXPS       X1, X5, X5
	VMOVSS       X5, most+20(FP)
	VZEROUPPER
	RET

// func wholeAVX2(out *int16, x *float32, factor, offset float32, n int)
TEXT ·wholeAVX2(SB), NOSPLIT, $0-32
	MOVQ         out+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS factor+16(FP), Y0
	VBROADCASTSS offset+20(FP), Y3
	MOVQ         n+24(FP), CX
	XORQ         AX, AX

sixteen:
	VMULPS     (SI)(AX*4), Y0, Y1
	VMULPS     32(SI)(AX*4), Y0, Y2
	VADDPS     Y3, Y1, Y1
	VADDPS     Y3, Y2, Y2
	VCVTTPS2DQ Y1, Y1
	VCVTTPS2DQ Y2, Y2
	VPACKSSDW  Y2, Y1, Y1
	VPERMQ     $0xd8, Y1, Y1
	VMOVDQU    Y1, (DI)(AX*2)
	ADDQ       $16, AX
	CMPQ       AX, CX
	JLT        sixteen
	VZEROUPPER
	RET

// func wholeBytes(out *byte, x *float32, factor, offset float32, n int)
TEXT ·wholeBytes(SB), NOSPLIT, $0-32
	MOVQ         out+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS factor+16(FP), Z0
	VBROADCASTSS offset+20(FP), Z3
	MOVQ         n+24(FP), CX
	XORQ         AX, AX

sixteen:
	VMULPS     (SI)(AX*4), Z0, Z1
	VADDPS     Z3, Z1, Z1
	VCVTTPS2DQ Z1, Z1
	VPMOVDB    Z1, (DI)(AX*1)
	ADDQ       $16, AX
	CMPQ       AX, CX
	JLT        sixteen
	VZEROUPPER
	RET
