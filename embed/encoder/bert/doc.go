// Package bert runs sentence encoders of the family of BERT that a user has put
// into a directory: MiniLM, bge, e5, and others that are stored in the same form.
//
//	pieces       of the text, with those around it ([CLS], [SEP])
//	embeddings   of each piece and of its place, normalised
//	layers       attention, then two matrices with a gate in between; what goes in is
//	             added to what comes out, and the sum is normalised
//	pooling      the mean of all pieces, or the first one; length 1
//
// Of the model's own files config.json says the sizes, and model.safetensors has the
// weights. They are rounded to 8 bits, which takes a second for each 200 MB or so, and
// kept beside in model.8bit, a file of package encoder with a checksum, that is made
// again when it is missing, damaged or of other files. From there the matrices are
// read into memory when the first text is encoded; the table of pieces, which is most
// of a model for many languages, stays in the file.
//
// test/encoder compares the vectors with those of ONNX Runtime.
package bert
