// Package model2vec reads static embedding models in the format of Model2Vec: a table with one
// vector for each piece of a word, and the rules by which a text is cut into such pieces. The
// vector of a text is the mean of the rows of its pieces, scaled to length 1. A sentence takes
// microseconds, and neither a network nor a GPU nor C is needed.
//
// A model is a directory:
//
//	model.safetensors  the table: "embeddings", and in newer exports "mapping"
//	                   (the row of each piece) and "weights" (its weight)
//	tokenizer.json     the rules: normalisation, splitting, and a vocabulary of
//	                   the kind WordPiece (BERT) or Unigram (SentencePiece)
//	config.json        further settings of its authors
//	model.json         this project's manifest, see [modelfile.Manifest]
//
// [Open] reads only model.json, so a program that embeds nothing starts as quickly as without a
// model. The rules are read when first used. The table stays in its file and only the rows of a
// text's pieces are read, so a table of 500 MB takes no memory that the system could not reclaim.
//
// Package hub fetches models, package tokenizer reads the rules.
package model2vec
