package index

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

// Document is what an index keeps of one document. Documents are added in
// ascending order of Seq.
type Document struct {
	Seq     int64
	Text    string    // what is searched: see memory.Document.SearchText
	Vector  []float32 // nil if it has none
	Encoded []float32 // vector by the sentence encoder, nil if it has none
	At      time.Time // when it happened
	Spoken  []Span    // the times that its text speaks of
	// Recurs reports whether something recurring that it tells of, such as "every Friday", falls
	// into a span; nil where it tells of nothing recurring.
	Recurs   func(Span) bool
	Category string    // of records; empty for turns
	Meaning  []float32 // vector by the semantic table, added to the centroid of its category; nil for none
	Session  string    // of turns, as the four below; empty for records
	Turn     int
	Speaker  string
	Role     memory.Role
	Asks     float64 // share of it that is questions, 0 to 1
	Dated    bool    // it mentions a time
}

// Statistics are document counts and frequencies of a whole bank, for an index over a part of it.
type Statistics = memory.Statistics

// Index holds the documents of one bank and corpus. It is safe for concurrent use: searches run at
// the same time, while documents are added none does.
type Index struct {
	table *semantics.Table
	fixed *Statistics // of the bank; nil: they are counted from the documents here

	mu         sync.RWMutex
	terms      vocabulary
	postings   []posting // of terms
	docs       []doc
	times      []int64                    // of documents: when it happened, microseconds
	spoken     map[uint32][]Span          // by document: the times that it speaks of
	recurs     map[uint32]func(Span) bool // by document
	categories []uint16                   // of documents: place in categoryOf + 1, 0 for none
	categoryOf map[string]uint16
	centroids  map[string]*centroid // by category
	lengths    []uint32             // of documents, in content stems
	words      []uint32             // terms of all documents, one document after the other; see doc.start
	vectors    vectors
	encoded    vectors // by the sentence encoder
	sessions   sessions
	speakers   map[uint32]bool   // terms that are somebody's first name
	firsts     map[string]uint32 // name → term of the first name + 1, 0 for none

	similarCache sync.Map // similarKey → cachedSimilar
	cached       atomic.Int64
}

// posting is the posting list of a term: the numbers of the documents that hold it, ascending, and
// how often each holds it.
type posting struct {
	docs     []uint32
	counts   []uint8 // one for each of docs, at most 255
	most     uint8   // largest of counts
	shortest uint32  // length of the shortest of docs, in stems
}

// doc has the fields of a document that are read when it is measured; before and after are read also
// when scores are spread to neighbours. Fields that a search reads of many more documents (times,
// lengths, categories) are in slices of their own, which keeps them close together in memory.
type doc struct {
	seq     int64
	start   uint32 // offset of its terms in Index.words
	before  uint32 // number of the document before it in its session + 1, 0 for none
	after   uint32 // likewise, of the one after it
	speaker uint32 // term of the speaker's first name + 1, 0 for none
	lean    int8   // what it tells of its conversation: 1 with an assistant, -1 among people; see lean
	user    bool
	asks    uint8 // share of it that is questions, in 255ths
	dated   bool
}

// New returns an empty index over a semantic table. It weighs words by the statistics fixed, or if
// that is nil by those of the documents that it holds.
func New(table *semantics.Table, fixed *Statistics) *Index {
	return &Index{
		table: table, fixed: fixed, terms: newVocabulary(table), sessions: sessions{last: map[uint64]uint32{}, seed: maphash.MakeSeed()},
		speakers: map[uint32]bool{}, firsts: map[string]uint32{}, categoryOf: map[string]uint16{}, centroids: map[string]*centroid{},
	}
}

// Len returns the number of documents.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.docs)
}

// Last returns the largest Seq, 0 for an empty index.
func (ix *Index) Last() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if len(ix.docs) == 0 {
		return 0
	}
	return ix.docs[len(ix.docs)-1].seq
}

// Add adds documents, in ascending order of Seq and all behind [Index.Last].
func (ix *Index) Add(docs []Document) {
	stems := make([][]string, len(docs))
	for i, d := range docs { // the expensive part, while searches still run
		stems[i] = analysis.Content(d.Text)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for i, d := range docs {
		ix.add(d, stems[i])
	}
}

func (ix *Index) add(d Document, stems []string) {
	n := uint32(len(ix.docs))
	one := doc{
		seq: d.Seq, start: uint32(len(ix.words)), user: d.Role == memory.RoleUser,
		asks: uint8(math.Ceil(min(1, d.Asks) * math.MaxUint8)), dated: d.Dated,
		lean: lean(d.Role, d.Speaker),
	}
	for _, stem := range stems {
		t := ix.term(stem)
		ix.words = append(ix.words, t)
		ix.postings[t].add(n, uint32(len(stems)))
	}
	ix.lengths = append(ix.lengths, uint32(len(stems)))
	ix.docs = append(ix.docs, one)
	ix.times = append(ix.times, d.At.UnixMicro())
	if len(d.Spoken) > 0 {
		if ix.spoken == nil {
			ix.spoken = map[uint32][]Span{}
		}
		ix.spoken[n] = d.Spoken
	}
	if d.Recurs != nil {
		if ix.recurs == nil {
			ix.recurs = map[uint32]func(Span) bool{}
		}
		ix.recurs[n] = d.Recurs
	}
	ix.categories = append(ix.categories, ix.category(d.Category))
	ix.vectors.add(d.Vector)
	ix.encoded.add(d.Encoded)
	ix.addToCentroid(d.Category, d.Meaning)
	if d.Session == "" {
		ix.sessions.of = append(ix.sessions.of, noSession)
		return
	}
	ix.enterSession(d, n)
}

// add counts one occurrence of the term in document n, whose length is in terms.
func (p *posting) add(n, length uint32) {
	last := len(p.docs) - 1
	if last < 0 || p.docs[last] != n {
		p.docs, p.counts = append(p.docs, n), append(p.counts, 0)
		last++
	}
	if p.counts[last] < math.MaxUint8 {
		p.counts[last]++
	}
	if last == 0 {
		p.shortest = length
	}
	p.most, p.shortest = max(p.most, p.counts[last]), min(p.shortest, length)
}

// term returns the number of a stem, and gives it one with an empty posting list if it is new.
func (ix *Index) term(stem string) uint32 {
	t, isNew := ix.terms.add(stem)
	if isNew {
		ix.postings = append(ix.postings, posting{})
	}
	return t
}

// Learn adds stems to the vocabulary that no document of the index need have. An index over some
// documents of a bank so looks for similar stems in the vocabulary of the whole bank.
func (ix *Index) Learn(stems []string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, stem := range stems {
		ix.term(stem)
	}
}

// Trim gives back the memory that slices keep for growing, about a fifth of an index. It is worth
// its copying at the end of many additions.
func (ix *Index) Trim() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for i := range ix.postings {
		p := &ix.postings[i]
		p.docs, p.counts = trimmed(p.docs), trimmed(p.counts)
	}
	ix.docs, ix.lengths, ix.words, ix.times = trimmed(ix.docs), trimmed(ix.lengths), trimmed(ix.words), trimmed(ix.times)
	ix.sessions.of = trimmed(ix.sessions.of)
	for _, v := range []*vectors{&ix.vectors, &ix.encoded} {
		v.signs, v.norms = trimmed(v.signs), trimmed(v.norms)
	}
}

func trimmed[T any](list []T) []T {
	if cap(list)-len(list) <= len(list)/16 {
		return list
	}
	return append(make([]T, 0, len(list)), list...)
}

// SetVector sets the vector of a document that was added without one; an unknown seq is ignored.
func (ix *Index) SetVector(seq int64, vector []float32) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if n, ok := ix.find(seq); ok {
		ix.vectors.set(n, vector)
	}
}

// SetEncoded is SetVector for the vector by the sentence encoder.
func (ix *Index) SetEncoded(seq int64, vector []float32) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if n, ok := ix.find(seq); ok {
		ix.encoded.set(n, vector)
	}
}

func (ix *Index) find(seq int64) (int, bool) {
	return slices.BinarySearchFunc(ix.docs, seq, func(d doc, seq int64) int { return cmp.Compare(d.seq, seq) })
}

// statistics returns the number of documents, their average length in stems and a function for the
// document frequency of a stem: of the bank where they are fixed, else of the index.
func (ix *Index) statistics() (n int, average float64, df func(stem string) int) {
	if ix.fixed != nil {
		return ix.fixed.Documents, ix.fixed.AverageLength, func(stem string) int { return ix.fixed.Frequency[stem] }
	}
	average = 1
	if len(ix.docs) > 0 {
		average = max(1, float64(len(ix.words))/float64(len(ix.docs)))
	}
	return len(ix.docs), average, func(stem string) int {
		if t, ok := ix.terms.find(stem); ok {
			return len(ix.postings[t].docs)
		}
		return 0
	}
}

// EncodedLikeness returns the cosines by the sentence encoder between all pairs of documents, as a
// symmetric matrix with zeros on the diagonal; 0 too where one has no vector.
func (ix *Index) EncodedLikeness(seqs []int64) [][]float64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	table := make([][]float64, len(seqs))
	for i, seq := range seqs {
		table[i] = make([]float64, len(seqs))
		a, found := ix.find(seq)
		for k := range i {
			if b, ok := ix.find(seqs[k]); found && ok {
				table[i][k] = ix.encoded.likeness(a, b)
				table[k][i] = table[i][k]
			}
		}
	}
	return table
}

// EncodedAlong returns for each document the dot product of its vector by the sentence encoder,
// scaled to length 1, with a direction: how far it lies that way. It is 0 for a document without a
// vector, and for a direction of other dimensions.
func (ix *Index) EncodedAlong(direction []float32, seqs []int64) []float64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	along := make([]float64, len(seqs))
	for i, seq := range seqs {
		if n, found := ix.find(seq); found {
			along[i] = ix.encoded.cosine(direction, uint32(n))
		}
	}
	return along
}
