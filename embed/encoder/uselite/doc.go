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
// What the original gives for a text, this gives, with a cosine above 0.9999
// from float32 weights and above 0.999 from those in the program: test/encoder
// runs both. [Original] reads the model as its authors ship it, and
//
//	go run ./embed/encoder/uselite/generate DIR
//
// makes the file in this folder of it.
package uselite
