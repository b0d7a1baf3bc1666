// Package modelfile reads the files of embedding models of every kind: tensors in the safetensors
// format, this project's manifest (model.json, see [Manifest]), and the prefixes that models expect
// before a text.
//
// A model is a directory:
//
//	model.safetensors  the numbers
//	tokenizer.json     how a text is cut into pieces, see package tokenizer
//	config.json        settings of its authors
//	model.json         this project's manifest
package modelfile
