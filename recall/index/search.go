package index

import (
	"math"
	"slices"

	"mcp-memory/text/semantics"
)

// Query is a question to an index.
type Query struct {
	Stems  []string  // content stems in order, repeats kept
	Words  []string  // the words that they were made of, or nil
	Vector []float32 // of length 1, or nil
	// Encoded returns the question's vector by the sentence encoder, of length 1, or nil if it
	// has none; a nil Encoded never has. It is called last, as the vector may be computed
	// meanwhile, and with the hits that were found without it, for which it may do other work
	// before it waits.
	Encoded func(found []Hit) []float32
	// Summed says that Vector was summed from rows of the index's own semantic table. If then
	// no content stem is known to the table or the bank, Vector comes from stop words alone and
	// is ignored.
	Summed bool
	// Allowed are the documents that may be found, ascending; nil is all.
	Allowed []int64
	// Categories are searched first in a large index. That is quicker if the best documents are
	// of these categories; what is found does not depend on it.
	Categories []string
	// Times are the times that the question asks about, of which the first four count; nil is
	// any time.
	Times []Span
	// Recurring says that what recurs in these times is asked for, too: see [Document.Recurs].
	Recurring bool
	// Kin says that documents are to be found, too, that share a rare stem with one of the best:
	// see [Hit.Kin].
	Kin bool
	// Synonyms are what a document may say in place of some of Stems; nil is none.
	Synonyms []Synonym
}

// word returns the word that the i-th stem was made of, or the stem if the word is not known.
func (q Query) word(i int) string {
	if i < len(q.Words) {
		return q.Words[i]
	}
	return q.Stems[i]
}

// Hit is a document that was found, with its measures; these are from 0 to about 1 if not said
// otherwise.
type Hit struct {
	Seq int64

	Lexical  float64 // BM25 as a share of the ideal
	Coverage float64 // share of the question's words it has, by their weight
	Soft     float64 // soft match
	Synonyms float64 // share of the question's words, by weight, for which it has synonyms
	Bigrams  float64 // share of the question's pairs of words that stand together in it
	Vector   float64 // cosine, -1 to 1
	Encoded  float64 // cosine by the sentence encoder, -1 to 1; 0 where question or document has no such vector

	// Before to Answers are 0 for a document that is alone in its session.
	Before   float64 // base score of the turn before
	After    float64 // base score of the turn after
	Around   float64 // mean base score of the turns two places before and after
	Answers  float64 // base score of the turn before, if that one asks something
	Session  float64 // BM25 of its session as a share of the ideal; Lexical if it stands alone
	Theme    float64 // soft match of its session as a whole; Soft if it stands alone
	Best     float64 // base score of its session's best turn; of itself if it stands alone
	Next     float64 // of its session's second best turn; 0 if it stands alone
	User     bool    // said by the user, to an assistant
	Named    bool    // the question names its speaker
	Others   bool    // the question names other speakers of the bank, but not its own
	Assisted bool    // it is from a conversation of a user with an assistant
	Asks     bool    // it asks something
	Asking   float64 // square of the share of it that is questions
	Dated    bool    // it mentions a time
	Time     float64 // nearness to the time asked for, 1 inside; 0 if none was
	Short    float64 // 1 for no content words, towards 0 for many

	Matched []string // the question's stems that it has
	Kin     bool     // it shares a stem with one of the best hits that at most [Rarely] documents have
}

// Base returns the base score: the weighted sum of Lexical and Soft, without neighbours and session.
func (h Hit) Base() float64 { return baseLexical*h.Lexical + baseSoft*h.Soft }

// Weights of the base score, by which candidates, neighbours and sessions are compared.
const (
	baseLexical = 0.45
	baseSoft    = 0.55
)

// k1 and b are the parameters of BM25.
const (
	k1 = 1.2
	b  = 0.75
	// sessionDocs is the length of an ordinary session, in documents.
	sessionDocs = 20
)

// softStems is how many stems of a question, those of the largest weight, are matched with similar
// terms. A question has a few; a pasted log has hundreds, of which the exact matches are enough.
const softStems = 32

// inTimeOf says how many documents of the time asked for are found beside the best: depth/inTimeOf.
const inTimeOf = 3

// maxTimes is how many times of a question count.
const maxTimes = 4

// bitset is a set of documents, a bit for each; nil is the set of all.
type bitset []uint64

func (s bitset) has(n uint32) bool { return s == nil || s[n/64]>>(n%64)&1 != 0 }

// allowed returns the set of the documents with the given Seq, which are ascending; nil is all.
func (ix *Index) allowed(seqs []int64) bitset {
	if seqs == nil {
		return nil
	}
	list := make(bitset, len(ix.docs)/64+1)
	if 16*len(seqs) < len(ix.docs) {
		for _, seq := range seqs {
			if n, ok := ix.find(seq); ok {
				list[n/64] |= 1 << (n % 64)
			}
		}
		return list
	}
	i := 0
	for n := range ix.docs {
		for i < len(seqs) && seqs[i] < ix.docs[n].seq {
			i++
		}
		if i < len(seqs) && seqs[i] == ix.docs[n].seq {
			list[n/64] |= 1 << (n % 64)
		}
	}
	return list
}

// queryStem is a stem of the question.
type queryStem struct {
	stem  string
	word  string  // that it was made of
	own   uint32  // its term in the bank + 1, 0 if the bank does not have it
	count float32 // how often the question has it
	idf   float32
	soft  float32   // w(t) of the package documentation
	near  []similar // terms of the bank that match it, the best first
	// corrected says that near are corrections: stems that may have been meant. They count for
	// BM25 like the stem itself, times their similarity.
	corrected bool
}

// matcher is a question prepared for the index: its weighted stems and the
// terms of the bank that each matches.
type matcher struct {
	ix       *Index
	q        Query
	stems    []queryStem
	synonyms []synonym       // in order of their first terms
	pairs    [][2]uint16     // adjacent stems of the question, as places in stems
	speakers map[uint32]bool // terms of the question that are first names of speakers
	times    []interval
	average  float64
	ideal    float32 // sum of count * idf
	total    float32 // sum of idf of distinct stems
	softs    float32 // sum of w(t)
}

// prepare weighs the stems of a question and finds the terms that each matches.
func (ix *Index) prepare(q Query) *matcher {
	n, average, df := ix.statistics()
	m := &matcher{ix: ix, q: q, average: average, speakers: map[uint32]bool{}}
	place := make(map[string]int, len(q.Stems))
	for at, stem := range q.Stems {
		if i, ok := place[stem]; ok {
			m.stems[i].count++
			continue
		}
		place[stem] = len(m.stems)
		t := queryStem{stem: stem, word: q.word(at), count: 1}
		t.weigh(ix.table, n, df(stem))
		if own, ok := ix.terms.find(stem); ok {
			if t.own = own + 1; ix.speakers[own] {
				m.speakers[own] = true
			}
		}
		m.stems = append(m.stems, t)
	}
	m.findSimilar()
	m.findSynonyms(place)
	known := false
	for i := range m.stems {
		t := &m.stems[i]
		if t.corrected && len(t.near) > 0 {
			// It counts as being as rare as its best correction.
			t.weigh(ix.table, n, df(ix.terms.names[t.near[0].term]))
		}
		_, tabled := ix.table.Lookup(t.stem)
		known = known || tabled && len(t.stem) > 1 || len(t.near) > 0
		m.ideal += t.count * t.idf
		m.total += t.idf
		m.softs += t.soft
	}
	if q.Summed && !known {
		m.q.Vector = nil
	}
	for i := 0; i+1 < len(q.Stems); i++ {
		x, y := place[q.Stems[i]], place[q.Stems[i+1]]
		if m.stems[x].inBank() && m.stems[y].inBank() {
			m.pairs = append(m.pairs, [2]uint16{uint16(x), uint16(y)})
		}
	}
	for _, span := range head(q.Times, maxTimes) { // a pasted log has hundreds
		m.times = append(m.times, span.interval())
	}
	return m
}

// weigh sets idf and soft of a stem that df of n documents have.
func (t *queryStem) weigh(table *semantics.Table, n, df int) {
	inverse := func(df int) float64 { return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5)) }
	idf := inverse(df)
	w := math.Pow(idf/inverse(0), 0.7)
	if id, ok := table.Lookup(t.stem); ok {
		w *= float64(table.Length(id)) / float64(table.Rare())
	}
	t.idf, t.soft = float32(idf), float32(w)
}

// inBank reports whether the bank has the stem or a correction of it.
func (t *queryStem) inBank() bool { return t.own > 0 || t.corrected && len(t.near) > 0 }

// findSimilar sets near and corrected of each stem. In a long question only the softStems stems of
// the largest weight get similar terms, the others match nothing but themselves.
func (m *matcher) findSimilar() {
	least := float32(0)
	if len(m.stems) > softStems {
		weights := make([]float32, len(m.stems))
		for i, t := range m.stems {
			weights[i] = t.soft
		}
		slices.Sort(weights)
		least = weights[len(weights)-softStems]
	}
	left := softStems
	for i := range m.stems {
		t := &m.stems[i]
		switch {
		case t.soft >= least && left > 0:
			t.near, t.corrected = m.ix.similarTo(t.stem, t.word)
			left--
		case t.own > 0:
			t.near = []similar{{t.own - 1, 1}}
		}
	}
}
