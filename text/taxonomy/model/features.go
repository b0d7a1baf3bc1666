// Package model is the trained part of the taxonomy: the features that are read
// from a text, and their weights for each category.
//
// A text has two kinds of features ([Reader.Read]). The dense ones are two
// vectors from the semantic table: of all words, and of the content words. The
// sparse ones are hashed to a fixed number of slots: stems, pairs of
// neighbouring words, the first two words, classes of words from lexicon.txt
// (kin, money, verbs of deciding, months), and the shape (numbers, a time, a
// version, persons, a colon). A [Model] is a multinomial logistic regression
// over both. It is valid for one table and one list of sentences, and its file
// says for which.
//
// Package training has the sentences and makes the model. The program contains
// only the finished weights.
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

// maxBytes is how much of a text is read: its topic shows early.
const maxBytes = 2048

// Features are the features of a text.
type Features struct {
	// Dense has two vectors after each other, each of length 1 (or 0): of all
	// words, and of the words that are not stop words.
	Dense []float32
	// Sparse has the slots of the text's features, ascending, each once.
	Sparse []int
	// Stems are the stems of the words that are not stop words, in order.
	Stems []string
	// Known reports whether the table has a row for any of Stems.
	Known bool
}

// Weight returns the value of each sparse feature. It is smaller if there are
// more of them, so that a long text counts no more than a short one.
func (f Features) Weight() float64 { return 1 / math.Sqrt(float64(max(1, len(f.Sparse)))) }

// Reader reads the features of texts with a semantic table. Safe for concurrent
// use.
type Reader struct{ table *semantics.Table }

// NewReader returns a reader over a table.
func NewReader(table *semantics.Table) *Reader { return &Reader{table} }

// reading is a text with its features.
type reading struct {
	table    *semantics.Table
	text     string
	features Features
}

// lastRead caches the last reading, because a save asks two models about the
// same text, one after the other.
var lastRead atomic.Pointer[reading]

// Read returns the features of a text, or of the first 2 KiB of a longer one. A
// text in another language is first replaced by what its words mean in English.
// The result must not be changed, because it is shared.
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

// slots collects the slots of sparse features.
type slots []int

// add adds a feature with the hash of its family and names.
func (s *slots) add(family string, names ...string) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(family) {
		h = (h ^ uint64(family[i])) * prime
	}
	for _, name := range names {
		h *= prime // as for a zero byte between the names
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * prime
		}
	}
	*s = append(*s, int((h^h>>32)%Slots))
}

// words adds the features of stems, classes, pairs and the beginning.
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
