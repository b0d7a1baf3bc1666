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
	// Calls is the searched text of the turn's tool calls, see [TurnDetails.Text].
	Calls string

	Place *Place // of passages of files, else nil
}

// Place says where a passage of a file is.
type Place struct {
	Path    string // relative to the workspace with forward slashes, or absolute
	Line    int    // its first line, from 1
	Heading string // the headings above it, the outermost first; "" for none
	Record  string // id of the record whose content it repeats, "" for none
	Words   string // the text that is searched, where that is asked for
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

// Rarest bounds the cost of [Searcher.MatchRarest].
type Rarest struct {
	Words    int // at most how many words are looked for
	Postings int // at most how many entries the posting lists of these words have together
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
	// MatchRarest returns id and content of the up to limit memories that are best by BM25 for
	// the rarest of some words, in no particular order. Of the words that occur in the bank, it
	// looks for the rarest first, as many as are within the bounds.
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

// SearchText returns the text of a document that is searched: its content and tool calls, for a
// turn preceded by the name of the person who said it ("Anna: ..."), so that a question about that
// person finds it. A speaker that is only the name of a role is left out.
func (d Document) SearchText() string {
	if d.Place != nil {
		return d.Place.Words
	}
	return searchText(d.Speaker, d.Content, d.Calls)
}

// Person returns the name of the speaker, or "" if that is only the name of a role.
func (d Document) Person() string { return person(d.Speaker) }

func person(speaker string) string {
	if slices.Contains(Roles(), Role(strings.ToLower(speaker))) {
		return ""
	}
	return speaker
}

// AmongPeople reports whether a turn's role and speaker show that people talk with each other, and
// not a user with an assistant: it has no role, or the role of an assistant with a person's name.
// A name with the role of a user shows nothing.
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

// Changes are counters by which a cache of a bank tells whether it is still current.
type Changes struct {
	Writes   int64 // commits that changed the bank
	Rewrites int64 // of these, commits that removed a document or changed its category or times: an index must be rebuilt
}

// Mirror reads what an in-process index of a bank is made of and kept current by.
// Of documents it gives what such an index needs: Seq, Corpus, Content, the
// times that they happened (OccurredAt, ValidFrom, CreatedAt), Category, and of turns
// Session, Index, Speaker, Role and Calls. Everything else is left out.
//
// The corpus [Thinking] has no index; only After, Select, Newest and [Searcher.Documents] know it.
// Its documents are the turns that have thinking, each with that as Content.
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
	// Newest returns the last up to limit numbers of those that Select returns, ascending;
	// if before is not 0, only of those below it.
	Newest(ctx context.Context, corpus Corpus, f Filter, before int64, limit int) ([]int64, error)
}
