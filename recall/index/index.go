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
	Spoken  []Span    // the times that it speaks of
	// Recurs reports whether what it tells comes again in a span; nil where it does not.
	Recurs   func(Span) bool
	Category string    // of records; empty for turns
	Meaning  []float32 // vector in the semantic table that the centroid of its category is made of; nil for none
	Session  string    // of turns, as the four below; empty for records
	Turn     int
	Speaker  string
	Role     memory.Role
	Asks     float64 // share of it that is questions, 0 to 1
	Dated    bool    // it mentions a time
}

// Statistics replace those of the index's own documents.
type Statistics = memory.Statistics

// Index holds documents. Searches may run at the same time, additions alone.
type Index struct {
	table *semantics.Table
	fixed *Statistics // nil: counted from the documents

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
	words      []uint32             // terms of all documents in order
	vectors    vectors
	encoded    vectors // by the sentence encoder
	sessions   sessions
	speakers   map[uint32]bool   // terms that are somebody's first name
	firsts     map[string]uint32 // name → term of the first name + 1, 0 for none

	similarCache sync.Map // similarKey → cachedSimilar
	cached       atomic.Int64
}

// posting lists the documents that hold a term, ascending, and how often.
type posting struct {
	docs     []uint32
	counts   []uint8
	most     uint8  // of counts
	shortest uint32 // length of the shortest document
}

// doc is what is only read of documents that are measured; what is read of
// all that match stands in slices of its own.
type doc struct {
	seq     int64
	start   uint32 // in words
	before  uint32 // documents next to it in its session + 1, 0 for none
	after   uint32
	speaker uint32 // term of the speaker's first name + 1, 0 for none
	lean    int8   // what it says about its conversation: 1 with an assistant, -1 among people
	user    bool
	asks    uint8 // share of it that is questions, in 255ths
	dated   bool
}

// New returns an empty index over a semantic table. With statistics it weighs
// words by those; without, by its own documents'.
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

// Add adds documents.
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

// add counts a term of document n, which has length terms.
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

// term returns the number of a stem, making it if it is new.
func (ix *Index) term(stem string) uint32 {
	t, isNew := ix.terms.add(stem)
	if isNew {
		ix.postings = append(ix.postings, posting{})
	}
	return t
}

// Learn makes stems known that no document of the index has: what they mean is
// the vocabulary in which similar stems are looked for.
func (ix *Index) Learn(stems []string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, stem := range stems {
		ix.term(stem)
	}
}

// Trim gives back the room that lists keep for growing, a fifth of an index.
// It is for the end of a long row of additions.
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

// SetVector gives a document the vector that it did not have.
func (ix *Index) SetVector(seq int64, vector []float32) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if n, ok := ix.find(seq); ok {
		ix.vectors.set(n, vector)
	}
}

// SetEncoded gives a document the vector by the sentence encoder that it did not have.
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

// statistics returns n, the average length and the function for df.
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

// EncodedLikeness returns the cosines of documents by the sentence encoder, a row for
// each; 0 for those without a vector.
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

// EncodedAlong returns how far each of some documents lies in a direction by the sentence encoder: the
// product of its vector, of length 1, with it. 0 is one without a vector, or with another's.
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
