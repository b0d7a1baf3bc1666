package memory

import (
	"context"
	"slices"
	"strings"
)

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
	// Calls is what of the turn's tool calls is searched, see [TurnDetails.Text].
	Calls string

	Place *Place // of passages of files, else nil
}

// Place is where a passage stands.
type Place struct {
	Path    string // below the workspace with slashes, or in full
	Line    int    // its first, from 1
	Heading string // the headings above it, the outermost first; "" for none
	Record  string // id of the record that it mirrors, "" for none
	Words   string // what is searched, where that is asked for
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

// MaxTerms is how many words, or parts of words, one search takes.
const MaxTerms = 256

// Rarest bounds what a search for rare words costs.
type Rarest struct {
	Words    int // how many are looked for, at most
	Postings int // how many documents have them, added up, at most
}

// Searcher finds documents of one bank and corpus. Every method applies the
// filter before it cuts to the limit. Words are data: nothing in them is query
// syntax.
type Searcher interface {
	// Statistics returns the numbers for stems (see package analysis).
	Statistics(ctx context.Context, agent string, corpus Corpus, stems []string) (Statistics, error)
	// MatchWords returns up to limit documents that hold some of the words in
	// any inflection, best first by BM25. A word with blanks inside stands for
	// all of its words, one behind the other. Of more than [MaxTerms] the first are looked for.
	MatchWords(ctx context.Context, corpus Corpus, f Filter, words []string, limit int) ([]Hit, error)
	// MatchRarest returns id and content of up to limit memories that hold some of the rarest
	// of some words, the best by BM25, in no particular order. Words that occur are
	// looked for from the rarest on, as long as they are within bounds.
	MatchRarest(ctx context.Context, f Filter, words []string, within Rarest, limit int) ([]Record, error)
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

// SearchText is what of a document is searched: the content, and for what a
// person said in a conversation their name, so that a question about them
// finds it. The names of roles say nothing and are left out.
func (d Document) SearchText() string {
	if d.Place != nil {
		return d.Place.Words
	}
	return searchText(d.Speaker, d.Content, d.Calls)
}

// Person is the name of the speaker, empty where it is only that of a role.
func (d Document) Person() string { return person(d.Speaker) }

func person(speaker string) string {
	if slices.Contains(Roles(), Role(strings.ToLower(speaker))) {
		return ""
	}
	return speaker
}

// AmongPeople reports whether a turn tells by its role and speaker that people talk with each
// other, and not a user with an assistant: it has no role, or is an assistant's that bears a
// name. A user may have one.
func AmongPeople(role Role, speaker string) bool {
	return role == "" || role == RoleAssistant && person(speaker) != ""
}

// Person is [Document.Person] of the turn.
func (t Turn) Person() string { return person(t.Speaker) }

// SearchText is [Document.SearchText] of the turn.
func (t Turn) SearchText() string { return searchText(t.Speaker, t.Content, t.Details.Text()) }

func searchText(speaker, content, calls string) string {
	if name := person(speaker); name != "" {
		content = name + ": " + content
	}
	if calls != "" {
		content += "\n" + calls
	}
	return content
}

// Changes tells a cache of a bank whether it is still true.
type Changes struct {
	Writes   int64 // commits that changed the bank
	Rewrites int64 // those after which a document is gone, or in another category or time
}

// Mirror is what an in-process index of a bank is made of and kept current by.
// Of documents it gives what such an index needs: Seq, Corpus, Content, the
// times that they happened (OccurredAt, ValidFrom, CreatedAt), Category, and of turns
// Session, Index, Speaker, Role and Calls. Everything else is left out.
//
// Of [Thinking] there is After, Select, Newest and [Searcher.Documents], no index: the
// documents are those turns that have some, each with its thinking as Content.
type Mirror interface {
	// Changes returns the bank's counters; both are 0 for an agent without one.
	Changes(ctx context.Context, agent string) (Changes, error)
	// After returns up to limit documents with a larger Seq, in its order,
	// whatever their state.
	After(ctx context.Context, corpus Corpus, agent string, seq int64, limit int) ([]Document, error)
	// Vocabulary returns every stem of the corpus.
	Vocabulary(ctx context.Context, corpus Corpus, agent string) ([]string, error)
	// Around returns the documents with the given numbers and those within
	// radius places of them: turns of the same session, records of the same
	// OccurredAt; in order of Seq.
	Around(ctx context.Context, corpus Corpus, agent string, seqs []int64, radius int) ([]Document, error)
	// Select returns the numbers of all documents that pass a filter, ascending.
	Select(ctx context.Context, corpus Corpus, f Filter) ([]int64, error)
	// Newest returns the end of what Select returns: the numbers of the documents
	// that came last, up to limit of them, ascending; before, unless it is 0, is the number
	// that all of them are below.
	Newest(ctx context.Context, corpus Corpus, f Filter, before int64, limit int) ([]int64, error)
}
