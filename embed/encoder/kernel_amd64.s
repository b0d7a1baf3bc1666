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
	VPMADDWD  (SI)(AX*2), Y8, Y10
	VPADDD    Y10, Y0, Y0
	VPMADDWD  (SI)(AX*2), Y9, Y11
	VPADDD    Y11, Y4, Y4
	VPMADDWD  (R8)(AX*2), Y8, Y12
	VPADDD    Y12, Y1, Y1
	VPMADDWD  (R8)(AX*2), Y9, Y13
	VPADDD    Y13, Y5, Y5
	VPMADDWD  (R9)(AX*2), Y8, Y10
	VPADDD    Y10, Y2, Y2
	VPMADDWD  (R9)(AX*2), Y9, Y11
	VPADDD    Y11, Y6, Y6
	VPMADDWD  (R10)(AX*2), Y8, Y12
	VPADDD    Y12, Y3, Y3
	VPMADDWD  (R10)(AX*2), Y9, Y13
	VPADDD    Y13, Y7, Y7
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       loop
	END

// func kernelVNNI(sums *[8]int32, x *int16, weights *byte, columns int)
//
// One instruction for a product of pairs and its addition.
TEXT ·kernelVNNI(SB), NOSPLIT, $0-32
	BEGIN

loop:
	VPMOVSXBW (DX)(AX*1), Y8
	VPMOVSXBW (R11)(AX*1), Y9
	VMOVDQU   (SI)(AX*2), Y10
	VMOVDQU   (R8)(AX*2), Y11
	VMOVDQU   (R9)(AX*2), Y12
	VMOVDQU   (R10)(AX*2), Y13
	VPDPWSSD  Y10, Y8, Y0
	VPDPWSSD  Y10, Y9, Y4
	VPDPWSSD  Y11, Y8, Y1
	VPDPWSSD  Y11, Y9, Y5
	VPDPWSSD  Y12, Y8, Y2
	VPDPWSSD  Y12, Y9, Y6
	VPDPWSSD  Y13, Y8, Y3
	VPDPWSSD  Y13, Y9, Y7
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       loop
	END

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
	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET
