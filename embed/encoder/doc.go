// Package encoder computes neural networks that turn sentences into vectors,
// on the processor and in pure Go: matrices of 8-bit weights, the kernels that
// multiply with them, and the layers of a transformer.
//
// A weight is an int8 times the scale of its row. What a layer is given is
// rounded to 8 bits between the least and the most of a token, so the products of matrices are
// sums of integers: every kernel gives the same bits of those, and kernels are
// chosen by speed alone. What lies between the products, such as [Attend], sums floats,
// in an order that is the kernel's: vectors of two kinds of processors differ in
// their last bits, by less than 8 bits a weight do.
//
//	plain Go   two products in one 64-bit multiplication; every platform
//	AVX2       amd64, where the processor has it
//	NEON       arm64
//
// Package minilm has a model that is part of the program, package bert runs those that
// a user has fetched.
package encoder
