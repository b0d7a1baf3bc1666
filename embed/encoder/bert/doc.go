// Package bert runs sentence encoders of the family of BERT that a user has installed in a
// directory: MiniLM, bge, e5, and others that are stored in the same form.
//
//	pieces       of the text, with those around it ([CLS], [SEP])
//	embeddings   the vectors of each piece and of its position, added and normalised
//	layers       attention, then two matrices with an activation in between; the input of
//	             each half is added to its result, and the sum is normalised
//	pooling      the mean of all pieces, or the first one; scaled to length 1
//
// Of the model's own files config.json has the sizes and model.safetensors the weights. They are
// rounded to 8 bits, at about 200 MB per second, and stored beside as model.8bit. That is an
// [encoder.Pack], which is made again when it is missing, damaged or made from other files. The
// matrices are read from it into memory when the first text is encoded. The table of pieces, which
// is most of a multilingual model, stays in the file.
//
// test/encoder compares the vectors with those of ONNX Runtime.
package bert
