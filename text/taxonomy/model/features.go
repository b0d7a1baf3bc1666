// Package model is the trained part of the taxonomy: what is looked at in a
// text, and the weights by which that speaks for each category.
//
// A text becomes two kinds of features ([Reader.Read]). The dense ones are two
// vectors of the semantic table, of all its words and of its content words.
// The sparse ones are hashed to a fixed number of slots: stems, pairs of
// neighbouring words, the first two words, classes of words from lexicon.txt
// (kin, money, verbs of deciding, months), and the shape (numbers, a time, a
// version, persons, a colon). A [Model] is a multinomial logistic regression
// over both; it fits one table and one list of sentences and knows which.
//
// Package training has the sentences and makes the model; the program carries
// the finished weights only.
package model

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"mcp-memory/text/analysis"
	"mcp-memory/text/gloss"
	"mcp-memory/text/semantics"
)

// Slots is the number of slots that sparse features are hashed to.
const Slots = 1 << 13

// maxBytes is how much of a text is read; what it is about shows early.
const maxBytes = 2048

// Features are what a model sees of a text.
type Features struct {
	// Dense are the values of two vectors of length 1 (or 0) behind each
	// other: of all words, and of those that are not stop words.
	Dense []float32
	// Sparse are the slots of the features that the text has, ascending, each once.
	Sparse []int
	// Stems are the stems of the words that are not stop words, in order.
	Stems []string
	// Known is whether the table has a row for any of Stems.
	Known bool
}

// Weight is the value of each sparse feature, the smaller the more there are,
// so that a long text speaks no louder than a short one.
func (f Features) Weight() float64 { return 1 / math.Sqrt(float64(max(1, len(f.Sparse)))) }

// Reader turns texts into features by a semantic table. Safe for concurrent use.
type Reader struct{ table *semantics.Table }

// NewReader returns a reader over a table.
func NewReader(table *semantics.Table) *Reader { return &Reader{table} }

// reading is a text and what was seen of it.
type reading struct {
	table    *semantics.Table
	text     string
	features Features
}

// lastRead is what was read last: a save asks two models about the same text, one after the other.
var lastRead atomic.Pointer[reading]

// Read returns the features of a text, of a long one of its first 2 KiB, and of one in
// another language of what its words mean in English. They are not to be changed.
func (r *Reader) Read(text string) Features {
	if last := lastRead.Load(); last != nil && last.table == r.table && last.text == text {
		return last.features
	}
	f := r.read(text)
	lastRead.Store(&reading{r.table, text, f})
	return f
}

func (r *Reader) read(text string) Features {
	if len(text) > maxBytes {
		text = strings.ToValidUTF8(text[:maxBytes], "")
	}
	text, _ = gloss.English(text)
	words := analysis.Words(text)
	stems := make([]string, len(words))
	f := Features{Stems: make([]string, 0, len(words))}
	for i, word := range words {
		stems[i] = analysis.Stem(word)
		if analysis.IsStop(word) {
			continue
		}
		f.Stems = append(f.Stems, stems[i])
		if !f.Known {
			_, f.Known = r.table.Lookup(stems[i])
		}
	}
	f.Dense = append(r.table.TextVector(stems, nil), r.table.TextVector(f.Stems, nil)...)
	found := make(slots, 0, 8*len(words)+16)
	found.words(words, stems)
	found.shape(text, words)
	slices.Sort(found)
	f.Sparse = slices.Compact(found)
	return f
}

// slots collects sparse features.
type slots []int

// add enters a feature: the family that it belongs to, and its name.
func (s *slots) add(family string, names ...string) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(family) {
		h = (h ^ uint64(family[i])) * prime
	}
	for _, name := range names {
		h *= prime // a byte of zero between the names
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * prime
		}
	}
	*s = append(*s, int((h^h>>32)%Slots))
}

// words enters stems, their classes, pairs and the beginning.
func (s *slots) words(words, stems []string) {
	for i, stem := range stems {
		s.add("stem", stem)
		for _, class := range lexicon()[stem] {
			s.add("class", class)
			if i > 0 {
				s.add("before class", words[i-1], class)
			}
		}
		if i > 0 {
			s.add("pair", words[i-1], words[i])
		}
		if i < 2 {
			s.add("begin", "01"[i:i+1], words[i])
		}
	}
	if len(words) > 1 {
		s.add("begins", words[0], words[1])
	}
}
