#include "textflag.h"

// func productAVX2(unit *float32, values *int8, n int) float32
//
// Y0-Y3 add up eight products each of 32 values at a time.
TEXT ·productAVX2(SB), NOSPLIT, $0-28
	MOVQ   unit+0(FP), SI
	MOVQ   values+8(FP), DX
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   AX, AX

loop:
	VPMOVSXBD   (DX)(AX*1), Y4
	VPMOVSXBD   8(DX)(AX*1), Y5
	VPMOVSXBD   16(DX)(AX*1), Y6
	VPMOVSXBD   24(DX)(AX*1), Y7
	VCVTDQ2PS   Y4, Y4
	VCVTDQ2PS   Y5, Y5
	VCVTDQ2PS   Y6, Y6
	VCVTDQ2PS   Y7, Y7
	VFMADD231PS (SI)(AX*4), Y4, Y0
	VFMADD231PS 32(SI)(AX*4), Y5, Y1
	VFMADD231PS 64(SI)(AX*4), Y6, Y2
	VFMADD231PS 96(SI)(AX*4), Y7, Y3
	ADDQ        $32, AX
	CMPQ        AX, CX
	JLT         loop

	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET
