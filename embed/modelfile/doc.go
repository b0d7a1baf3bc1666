// Package modelfile reads the files that embedding models are made of, whatever
// computes with them: tensors in the safetensors format, our own manifest
// (model.json, see [Manifest]), and what models want before a text.
//
// A model is a directory:
//
//	model.safetensors  the numbers
//	tokenizer.json     how a text is cut into pieces, see package tokenizer
//	config.json        what its makers noted
//	model.json         our own: what the files are
package modelfile
