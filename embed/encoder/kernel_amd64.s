#include "textflag.h"

// Both kernels have Y0-Y3 add up the first row with tokens 0-3, and Y4-Y7 the second
// row. Weights become 16 bits wide; a product of pairs is added to 32 bits, which is exact.

// BEGIN points SI and R8-R10 to the tokens, DX and R11 to the rows, and clears the sums.
#define BEGIN \
	MOVQ  sums+0(FP), DI; \
	MOVQ  x+8(FP), SI; \
	MOVQ  weights+16(FP), DX; \
	MOVQ  columns+24(FP), CX; \
	LEAQ  (SI)(CX*2), R8; \
	LEAQ  (R8)(CX*2), R9; \
	LEAQ  (R9)(CX*2), R10; \
	LEAQ  (DX)(CX*1), R11; \
	VPXOR Y0, Y0, Y0; \
	VPXOR Y1, Y1, Y1; \
	VPXOR Y2, Y2, Y2; \
	VPXOR Y3, Y3, Y3; \
	VPXOR Y4, Y4, Y4; \
	VPXOR Y5, Y5, Y5; \
	VPXOR Y6, Y6, Y6; \
	VPXOR Y7, Y7, Y7; \
	XORQ  AX, AX

// END makes each of the eight sums one number: pairs of neighbours twice, then the
// upper half onto the lower.
#define END \
	VPHADDD      Y1, Y0, Y0; \
	VPHADDD      Y3, Y2, Y2; \
	VPHADDD      Y2, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPADDD       X1, X0, X0; \
	VMOVDQU      X0, (DI); \
	VPHADDD      Y5, Y4, Y4; \
	VPHADDD      Y7, Y6, Y6; \
	VPHADDD      Y6, Y4, Y4; \
	VEXTRACTI128 $1, Y4, X5; \
	VPADDD       X5, X4, X4; \
	VMOVDQU      X4, 16(DI); \
	VZEROUPPER; \
	RET

// func kernelAVX2(sums *[8]int32, x *int16, weights *byte, columns int)
TEXT ·kernelAVX2(SB), NOSPLIT, $0-32
	BEGIN

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
	END

// PRODUCTS multiplies the weights in Z8 and Z9 by the tokens in Z10-Z13, adds pairs of
// products, and adds these to the sums.
#define PRODUCTS \
	VPDPWSSD Z10, Z8, Z0; \
	VPDPWSSD Z10, Z9, Z4; \
	VPDPWSSD Z11, Z8, Z1; \
	VPDPWSSD Z11, Z9, Z5; \
	VPDPWSSD Z12, Z8, Z2; \
	VPDPWSSD Z12, Z9, Z6; \
	VPDPWSSD Z13, Z8, Z3; \
	VPDPWSSD Z13, Z9, Z7

// func kernelVNNI(sums *[8]int32, x *int16, weights *byte, columns int)
//
// Twice as many columns at a time, and one instruction for a product of pairs and its
// addition. Of the last 16 columns, where there are some left, the upper halves are zero.
TEXT ·kernelVNNI(SB), NOSPLIT, $0-32
	BEGIN
	MOVQ CX, R12
	ANDQ $-32, R12
	JZ   half

loop:
	VPMOVSXBW (DX)(AX*1), Z8
	VPMOVSXBW (R11)(AX*1), Z9
	VMOVDQU32 (SI)(AX*2), Z10
	VMOVDQU32 (R8)(AX*2), Z11
	VMOVDQU32 (R9)(AX*2), Z12
	VMOVDQU32 (R10)(AX*2), Z13
	PRODUCTS
	ADDQ      $32, AX
	CMPQ      AX, R12
	JLT       loop

half:
	CMPQ      AX, CX
	JGE       fold
	VPMOVSXBW (DX)(AX*1), Y8
	VPMOVSXBW (R11)(AX*1), Y9
	VMOVDQU   (SI)(AX*2), Y10
	VMOVDQU   (R8)(AX*2), Y11
	VMOVDQU   (R9)(AX*2), Y12
	VMOVDQU   (R10)(AX*2), Y13
	PRODUCTS

fold:
	VEXTRACTI64X4 $1, Z0, Y8
	VEXTRACTI64X4 $1, Z1, Y9
	VEXTRACTI64X4 $1, Z2, Y10
	VEXTRACTI64X4 $1, Z3, Y11
	VPADDD        Y8, Y0, Y0
	VPADDD        Y9, Y1, Y1
	VPADDD        Y10, Y2, Y2
	VPADDD        Y11, Y3, Y3
	VEXTRACTI64X4 $1, Z4, Y8
	VEXTRACTI64X4 $1, Z5, Y9
	VEXTRACTI64X4 $1, Z6, Y10
	VEXTRACTI64X4 $1, Z7, Y11
	VPADDD        Y8, Y4, Y4
	VPADDD        Y9, Y5, Y5
	VPADDD        Y10, Y6, Y6
	VPADDD        Y11, Y7, Y7
	END

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

// func scaledAVX2(out *float32, sums *int32, scales, bias *float32, scale float32, n int)
TEXT ·scaledAVX2(SB), NOSPLIT, $0-48
	MOVQ         out+0(FP), DI
	MOVQ         sums+8(FP), SI
	MOVQ         scales+16(FP), DX
	MOVQ         bias+24(FP), R8
	VBROADCASTSS scale+32(FP), Y0
	MOVQ         n+40(FP), CX
	XORQ         AX, AX

eight:
	VCVTDQ2PS (SI)(AX*4), Y1
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
DATA halves<>+0(SB)/4, $0x3f000000
GLOBL halves<>(SB), RODATA|NOPTR, $4

// func largestAVX2(x *float32, n int) float32
TEXT ·largestAVX2(SB), NOSPLIT, $0-20
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS signs<>(SB), Y3
	VXORPS       Y0, Y0, Y0
	XORQ         AX, AX

eight:
	VANDNPS (SI)(AX*4), Y3, Y1
	VPMAXUD Y1, Y0, Y0
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     eight

	VEXTRACTI128 $1, Y0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPMAXUD      X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func wholeAVX2(out *int16, x *float32, factor float32, n int)
TEXT ·wholeAVX2(SB), NOSPLIT, $0-32
	MOVQ         out+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS factor+16(FP), Y0
	MOVQ         n+24(FP), CX
	VBROADCASTSS signs<>(SB), Y6
	VBROADCASTSS halves<>(SB), Y7
	XORQ         AX, AX

sixteen:
	VMULPS     (SI)(AX*4), Y0, Y1
	VMULPS     32(SI)(AX*4), Y0, Y2
	VANDPS     Y6, Y1, Y3
	VORPS      Y7, Y3, Y3
	VADDPS     Y3, Y1, Y1
	VANDPS     Y6, Y2, Y4
	VORPS      Y7, Y4, Y4
	VADDPS     Y4, Y2, Y2
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
