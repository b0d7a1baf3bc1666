package memory

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Fingerprint identifies what made a vector. Vectors of different
// fingerprints are never compared; a store keeps one set for each.
type Fingerprint struct {
	Model      string // for example "builtin/semantic-40k"
	Dimensions int
	// Prefix is what is put before a document; two prefixes make two sets.
	Prefix string
}

// String returns a form that is equal exactly for equal fingerprints.
func (f Fingerprint) String() string {
	if f.Prefix == "" {
		return fmt.Sprintf("%s@%d", f.Model, f.Dimensions)
	}
	return fmt.Sprintf("%s@%d+%q", f.Model, f.Dimensions, f.Prefix)
}

// EncoderModels is the prefix of the names of models that are a bank's second embedder, a sentence
// encoder: their vectors are made later than those of the store's own embedder.
const EncoderModels = "encoder/"

// Second reports whether the fingerprint is that of a bank's second embedder.
func (f Fingerprint) Second() bool { return strings.HasPrefix(f.Model, EncoderModels) }

// Embedder turns text into vectors of length 1 (or 0, where the text has
// nothing that the model knows).
type Embedder interface {
	// Fingerprint never changes during the life of an embedder.
	Fingerprint() Fingerprint
	// EmbedDocuments returns one vector a text, in order. [CodeUnavailable]
	// when the model does not answer.
	EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error)
	// EmbedQuery returns the vector of a question; some models embed questions otherwise than
	// documents. Errors are as for EmbedDocuments.
	EmbedQuery(ctx context.Context, query string) ([]float32, error)
	// Local reports whether the embedder answers in well under a millisecond
	// and cannot be away: then a save waits for its vector.
	Local() bool
}

// VectorJob is one document that waits for a vector of the current embedder.
type VectorJob struct {
	Agent    string
	Corpus   Corpus
	Seq      int64
	Content  string
	People   bool // it is a turn that was said among people; see [AmongPeople]
	Attempts int  // how often it was tried and failed
}

// VectorQueue is the durable list of documents without a vector: saved while
// the embedder was away, or before it became the current one. Several
// processes may work on it; doing a job twice is harmless.
type VectorQueue interface {
	// VectorJobs returns up to limit jobs whose time has come, memories first and of each
	// corpus the oldest: of some corpora, or of all if none is named.
	VectorJobs(ctx context.Context, now time.Time, limit int, of ...Corpus) ([]VectorJob, error)
	// FinishVectorJobs stores the vectors, one a job, and removes the jobs.
	FinishVectorJobs(ctx context.Context, jobs []VectorJob, vectors [][]float32) error
	// DeferVectorJobs counts a failed attempt and sets the time of the next.
	DeferVectorJobs(ctx context.Context, jobs []VectorJob, until time.Time, reason string) error
	// VectorBacklog counts the jobs of all banks.
	VectorBacklog(ctx context.Context) (int, error)
}

// VectorSet is the set of one embedder's vectors, other than the store's own.
type VectorSet interface {
	VectorQueue
	// Vectors returns the stored vectors of documents, without those that have none.
	Vectors(ctx context.Context, agent string, corpus Corpus, seqs []int64) (map[int64][]float32, error)
	// Queued returns the first documents of a bank that are in the queue, due or
	// deferred, in ascending order and at most limit.
	Queued(ctx context.Context, agent string, corpus Corpus, limit int) ([]int64, error)
}

// VectorSets opens sets of vectors beside the store's own.
type VectorSets interface {
	// VectorSet returns the set of an embedder. When it is opened for the first time all
	// documents are queued for it; from then on every save is. A set that nobody has opened for
	// 30 days is dropped when another one is opened, so a process that uses a set for long
	// opens it daily. [CodeUnavailable] for a read-only store that has no such set.
	VectorSet(ctx context.Context, f Fingerprint) (VectorSet, error)
}

// SameContent returns the form in which two contents are compared: blanks
// collapsed, letters in lower case, no final full stop. Equal forms say the same.
func SameContent(content string) string {
	folded := strings.ToLower(content)
	if !collapsed(folded) {
		folded = strings.Join(strings.FieldsFunc(folded, unicode.IsSpace), " ")
	}
	return strings.TrimSuffix(folded, ".")
}

// collapsed reports whether the only white space in a text is single blanks between words, as in
// most contents.
func collapsed(text string) bool {
	blank := true // whether the character before was white space
	for _, r := range text {
		if !unicode.IsSpace(r) {
			blank = false
			continue
		}
		if blank || r != ' ' {
			return false
		}
		blank = true
	}
	return !blank || text == ""
}
