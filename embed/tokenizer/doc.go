// Package tokenizer cuts texts into the pieces that an embedding model knows, by
// the rules of its tokenizer.json (the format of the library tokenizers): what
// changes a text, what splits it, and a vocabulary of the kind WordPiece (BERT) or
// Unigram (SentencePiece).
package tokenizer
