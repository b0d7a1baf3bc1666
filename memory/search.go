package memory

import "context"

// Document is what a search finds: a record, or a turn in the same form (kind
// [KindTurn], OccurredAt when it was said).
type Document struct {
	Seq    int64 // the store's number for it, ascending in order of arrival
	Corpus Corpus
	Record

	Session string // of turns, as the three below
	Index   int
	Speaker string
	Role    Role
}

// Hit is a document that a search found, with its score in that search:
// larger is better, and only comparable within one answer.
type Hit struct {
	Seq   int64
	Score float64
}

// Statistics are what term weighting needs of one bank's corpus. They count
// every stored document, also archived ones, and never those of other banks.
type Statistics struct {
	Documents     int            // how many there are
	AverageLength float64        // content stems of a document, at least 1
	Frequency     map[string]int // stem → documents that hold it
}

// Searcher finds documents of one bank and corpus. Every method applies the
// filter before it cuts to the limit. Words are data: nothing in them is query
// syntax.
type Searcher interface {
	// Statistics returns the numbers for stems (see package analysis).
	Statistics(ctx context.Context, agent string, corpus Corpus, stems []string) (Statistics, error)
	// MatchWords returns up to limit documents that hold some of the words in
	// any inflection, best first by BM25.
	MatchWords(ctx context.Context, corpus Corpus, f Filter, words []string, limit int) ([]Hit, error)
	// MatchSubstrings returns up to limit documents that hold some of the
	// parts literally, without regard to case; parts shorter than three
	// characters find nothing.
	MatchSubstrings(ctx context.Context, corpus Corpus, f Filter, parts []string, limit int) ([]Hit, error)
	// NearestVectors returns up to limit documents by cosine similarity
	// (-1 to 1, exact) to vector, which is of the store's current embedder.
	NearestVectors(ctx context.Context, corpus Corpus, f Filter, vector []float32, limit int) ([]Hit, error)
	// Vectors returns the stored vectors of documents, without those that have none.
	Vectors(ctx context.Context, agent string, corpus Corpus, seqs []int64) (map[int64][]float32, error)
	// Documents returns the documents with those numbers that pass the
	// filter, in no particular order.
	Documents(ctx context.Context, corpus Corpus, f Filter, seqs []int64) ([]Document, error)
}
