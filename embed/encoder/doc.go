// Package encoder computes neural networks that turn sentences into vectors, on the processor and
// without C: matrices of 8-bit weights, the kernels that multiply with them, and the layers of a
// transformer.
//
// A weight is an int8 times the scale of its row. The input of a layer is rounded to 8 bits,
// between the least and the greatest value of each token, so matrix products are sums of integers.
// Every kernel computes exactly the same sums, so kernels are chosen by speed alone. What is
// between the products, such as [Attend], sums floats in an order that depends on the kernel. So
// vectors of two kinds of processors differ in their last bits, by less than what rounding the
// weights to 8 bits changes.
//
//	plain Go   two products in one 64-bit multiplication; every platform
//	AVX2       amd64, where the processor has it; with AVX-512 VNNI if it has that
//	NEON       arm64
//
// Package minilm has a model that is part of the program, package bert runs those that a user has
// fetched.
package encoder
