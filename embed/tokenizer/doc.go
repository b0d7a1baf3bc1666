// Package tokenizer cuts texts into the pieces of an embedding model's vocabulary, by the rules of
// its tokenizer.json (the format of Hugging Face's library tokenizers): normalizers change a text,
// pre-tokenizers split it into words, and a vocabulary of the kind WordPiece (BERT) or Unigram
// (SentencePiece) cuts these into pieces.
package tokenizer
