// Package minilm has the model all-MiniLM-L6-v2: a transformer of six layers that turns a text into
// a vector of 384 values. It has 17 MB and is part of the program unless that is built with the tag
// noencoder.
//
//	pieces    of the text in lower case, up to 256, by a vocabulary of 30,522
//	layers    of the network of package bert, at 8 bits; the table of pieces at 4
//	vector    the mean of all pieces, of length 1
//
// It was trained on a billion pairs of English texts that belong together: questions and answers,
// titles and abstracts, comments and code.
//
// minilm.enc is made from the model's original files by
//
//	go run ./embed/encoder/minilm/generate DIR
//
// and test/encoder compares pieces and vectors with those of the original.
package minilm
