package uselite

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Piece is an entry of the vocabulary: its place is its number.
type Piece struct {
	Text  string
	Score float32 // log of its probability
}

// reserved is how many entries at the beginning stand for no text.
const reserved = 6

// blank is what pieces have for a blank.
const blank = "▁"

// Tokenizer cuts texts into pieces of a vocabulary: of all ways the one whose
// pieces are likeliest together (a unigram model of SentencePiece). It repeats
// the tokenizer of the model's own package, also where that differs from
// SentencePiece: a character that no piece begins with costs nothing.
type Tokenizer struct {
	pieces  map[string]int32
	scores  []float64
	widths  []int // in characters
	lengths []int // the same without blanks
	longest int   // in characters
}

// NewTokenizer returns the tokenizer of a vocabulary.
func NewTokenizer(vocabulary []Piece) *Tokenizer {
	t := &Tokenizer{pieces: make(map[string]int32, len(vocabulary)), scores: make([]float64, len(vocabulary)), widths: make([]int, len(vocabulary)), lengths: make([]int, len(vocabulary))}
	for i, p := range vocabulary {
		t.widths[i], t.scores[i] = 1, float64(p.Score)
		if i >= reserved {
			t.pieces[p.Text] = int32(i)
			t.widths[i] = len([]rune(p.Text))
			t.lengths[i] = t.widths[i] - strings.Count(p.Text, blank)
			t.longest = max(t.longest, t.widths[i])
		}
	}
	t.scores[0] = 0
	return t
}

// Cut returns the numbers of the pieces of a text; of pieces that nobody knows,
// one for all that stand together, 0.
func (t *Tokenizer) Cut(text string) []int32 {
	text = norm.NFKC.String(text)
	if text == "" {
		return nil
	}
	text = blank + strings.ReplaceAll(text, " ", blank)
	var starts []int // of characters
	for i := range text {
		starts = append(starts, i)
	}
	n := len(starts)
	starts = append(starts, len(text))
	best, last := make([]float64, n+1), make([]int32, n+1)
	for i := range n {
		any := false
		for end := i + 1; end <= min(n, i+t.longest); end++ {
			if id, known := t.pieces[text[starts[i]:starts[end]]]; known {
				any = true
				t.offer(best, last, i, end, id)
			}
		}
		if !any {
			t.offer(best, last, i, i+1, 0)
		}
	}
	var reversed []int32
	for i := n; i > 0; i -= t.widths[last[i]] {
		if id := last[i]; id != 0 || len(reversed) == 0 || reversed[len(reversed)-1] != 0 {
			reversed = append(reversed, id)
		}
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return reversed
}

// offer takes a piece from start to end if it is as good as what ends there.
func (t *Tokenizer) offer(best []float64, last []int32, start, end int, id int32) {
	score := best[start] + t.scores[id]
	if best[end] == 0 || score >= best[end] {
		best[end], last[end] = score, id
	}
}
