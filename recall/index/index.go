package index

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"mcp-memory/analysis"
	"mcp-memory/memory"
	"mcp-memory/semantics"
)

// Document is what an index keeps of one document. Documents are added in
// ascending order of Seq.
type Document struct {
	Seq     int64
	Text    string    // what is searched: see memory.Document.SearchText
	Vector  []float32 // nil if it has none
	At      time.Time // when it happened
	Session string    // of turns, as the four below; empty for records
	Turn    int
	Speaker string
	Role    memory.Role
	Asks    bool // it is a question
}

// Statistics replace those of the index's own documents.
type Statistics = memory.Statistics

// Index holds documents. Searches may run at the same time, additions alone.
type Index struct {
	table *semantics.Table
	fixed *Statistics // nil: counted from the documents

	mu       sync.RWMutex
	terms    map[string]uint32
	names    []string  // of terms
	rows     []int32   // of terms in the semantic table, -1 for none
	known    []int32   // distinct rows of terms
	termOf   []uint32  // row → term + 1, 0 for none
	postings []posting // of terms
	docs     []doc
	words    []uint32 // terms of all documents in order
	vectors  vectors
	sessions map[string]uint32
	order    [][]uint32      // of sessions: their documents in order
	lengths  []int           // of sessions: content stems
	speakers map[uint32]bool // terms that are somebody's first name
	byRole   int             // documents with a role of user or assistant
	spoken   int             // documents of a conversation

	near sync.Map // stem → []similar, until a term is added
}

// posting lists the documents that hold a term, ascending, and how often.
type posting struct {
	docs   []uint32
	counts []uint8
}

type doc struct {
	seq     int64
	at      int64 // microseconds
	start   uint32
	length  uint32 // content stems
	session uint32 // index into order; noSession for records
	place   uint32 // position in the session's order
	speaker uint32 // term of the speaker's first name + 1, 0 for none
	user    bool
	asks    bool
}

const noSession = math.MaxUint32

// New returns an empty index over a semantic table. With statistics it weighs
// words by those; without, by its own documents'.
func New(table *semantics.Table, fixed *Statistics) *Index {
	return &Index{
		table: table, fixed: fixed, terms: map[string]uint32{}, sessions: map[string]uint32{}, speakers: map[uint32]bool{},
		termOf: make([]uint32, table.Len()),
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
	ix.mu.Lock()
	defer ix.mu.Unlock()
	before := len(ix.names)
	for _, d := range docs {
		ix.add(d)
	}
	if len(ix.names) > before {
		ix.near.Clear() // a new stem may be a neighbour of any
	}
}

func (ix *Index) add(d Document) {
	n := uint32(len(ix.docs))
	stems := analysis.Content(d.Text)
	one := doc{
		seq: d.Seq, at: d.At.UnixMicro(), start: uint32(len(ix.words)), length: uint32(len(stems)),
		session: noSession, user: d.Role == memory.RoleUser, asks: d.Asks,
	}
	for _, stem := range stems {
		t := ix.term(stem)
		ix.words = append(ix.words, t)
		p := &ix.postings[t]
		if last := len(p.docs) - 1; last >= 0 && p.docs[last] == n {
			if p.counts[last] < math.MaxUint8 {
				p.counts[last]++
			}
			continue
		}
		p.docs, p.counts = append(p.docs, n), append(p.counts, 1)
	}
	if d.Session != "" {
		ix.enterSession(&one, d, n)
	}
	ix.vectors.add(d.Vector)
	ix.docs = append(ix.docs, one)
}

// term returns the number of a stem, making it if it is new.
func (ix *Index) term(stem string) uint32 {
	if t, ok := ix.terms[stem]; ok {
		return t
	}
	t := uint32(len(ix.names))
	owned := string(append([]byte(nil), stem...)) // the stem may be part of a long text
	ix.terms[owned] = t
	ix.names = append(ix.names, owned)
	ix.postings = append(ix.postings, posting{})
	row := int32(-1)
	if id, ok := ix.table.Lookup(stem); ok {
		row = int32(id)
		ix.known = append(ix.known, row)
		ix.termOf[id] = t + 1
	}
	ix.rows = append(ix.rows, row)
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

// Similar returns the stems of the vocabulary, other than themselves, that
// some stems may also mean, from a similarity on.
func (ix *Index) Similar(stems []string, from float32) []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var found []string
	for _, stem := range stems {
		for _, s := range ix.similarTo(stem) {
			if s.sim >= from && ix.names[s.term] != stem {
				found = append(found, ix.names[s.term])
			}
		}
	}
	return found
}

func (ix *Index) enterSession(one *doc, d Document, n uint32) {
	s, ok := ix.sessions[d.Session]
	if !ok {
		s = uint32(len(ix.order))
		ix.sessions[d.Session] = s
		ix.order, ix.lengths = append(ix.order, nil), append(ix.lengths, 0)
	}
	one.session, one.place = s, uint32(len(ix.order[s]))
	ix.order[s] = append(ix.order[s], n)
	ix.lengths[s] += int(one.length)
	if name := analysis.Content(d.Speaker); len(name) > 0 {
		t := ix.term(name[0])
		ix.speakers[t] = true
		one.speaker = t + 1
	}
	ix.spoken++
	if d.Role == memory.RoleUser || d.Role == memory.RoleAssistant {
		ix.byRole++
	}
}

// SetVector gives a document the vector that it did not have.
func (ix *Index) SetVector(seq int64, vector []float32) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if n, ok := ix.find(seq); ok {
		ix.vectors.set(n, vector)
	}
}

func (ix *Index) find(seq int64) (int, bool) {
	return slices.BinarySearchFunc(ix.docs, seq, func(d doc, seq int64) int { return cmp.Compare(d.seq, seq) })
}

// Assisted reports whether the conversations are mostly those of a user with
// an assistant, as opposed to people talking with each other.
func (ix *Index) Assisted() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.assisted()
}

func (ix *Index) assisted() bool { return 2*ix.byRole > ix.spoken }

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
		if t, ok := ix.terms[stem]; ok {
			return len(ix.postings[t].docs)
		}
		return 0
	}
}
