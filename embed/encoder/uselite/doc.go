// Package uselite has the Universal Sentence Encoder lite: a transformer of two
// layers that turns an English sentence into 512 values, 7 MB at 8 bits, part of
// the program unless it is built with the tag noencoder.
//
//	pieces      of the text after NFKC, up to 128, by a vocabulary of 8,000
//	twice a piece's row of 256 values, and sines and cosines of its place
//	layer 1     widens them to 512; 4 heads of 64, then 1,536 in between
//	layer 2     4 heads of 128, then 1,536 in between
//	the mean of all tokens, a last matrix, tanh, length 1
//
// What the original gives for a text, this gives, with a cosine of 1.0000 from
// float32 weights and 0.9986 or more from those in the program, over 500 texts:
// test/encoder runs both, and wants 0.999 and 0.995.
//
//	go run ./embed/encoder/uselite/generate DIR
//
// reads the model as its authors ship it and makes the file in this folder of it.
package uselite
