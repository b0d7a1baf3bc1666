// Package recall finds what a bank knows about a question.
//
// A question goes through stages, each in a file of its own:
//
//	question.go   understand: words, literal parts, vector, categories
//	gather.go     three tiers: rank the categories, search inside the best
//	              ones, search everything as fallback and filler
//	features.go   measure every candidate in the same way, whoever found it
//	fuse.go       one score from 0 to 1; all weights stand there
//	diversify.go  fold near-duplicates into one result
//	pack.go       cut to the limit and to the caller's token budget
//
// Candidates come from a [memory.Searcher]: words in any inflection (BM25),
// literal parts and vectors. Which signal found a candidate does not matter
// for its score: features are computed from the document, the bank's
// statistics and the stored vector, so that two searchers which return the
// same candidates give the same order.
package recall
