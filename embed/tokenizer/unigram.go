package tokenizer

import (
	"math"
	"unicode/utf8"
)

// unigram cuts a word as SentencePiece does: of all ways to cut it into pieces of the vocabulary,
// it takes the one with the highest sum of scores, which are log probabilities (Viterbi).
type unigram struct {
	pieces  map[string]scored
	unknown float64 // the score of a character that is no piece
	longest int     // bytes of the longest piece
}

type scored struct {
	id    int32
	score float64
}

// unknownPenalty is how much lower the score of an unknown character is than the lowest score of a
// piece, as in SentencePiece.
const unknownPenalty = 10

func newUnigram(list []unigramPiece, unknown int) *unigram {
	u := &unigram{pieces: make(map[string]scored, len(list))}
	worst := 0.0
	for id, p := range list {
		worst = min(worst, p.score)
		if id == unknown || p.text == "" {
			continue
		}
		u.pieces[p.text] = scored{int32(id), p.score}
		u.longest = max(u.longest, len(p.text))
	}
	u.unknown = worst - unknownPenalty
	return u
}

// blank returns the number of the piece for a blank alone, or none.
func (u *unigram) blank() int32 {
	if p, ok := u.pieces[mark]; ok {
		return p.id
	}
	return none
}

// node is the best way to cut the word up to some byte.
type node struct {
	score float64
	from  int32 // the byte at which its last piece begins
	id    int32 // the number of that piece, or none
}

func (u *unigram) cut(word string, pieces []int32) []int32 {
	nodes := make([]node, len(word)+1)
	for i := range nodes[1:] {
		nodes[i+1].score = math.Inf(-1)
	}
	for i := 0; i < len(word); {
		_, width := utf8.DecodeRuneInString(word[i:])
		alone := false // there is a piece of this character alone
		for end := i + width; end <= len(word) && end-i <= u.longest; {
			if p, ok := u.pieces[word[i:end]]; ok {
				alone = alone || end == i+width
				if score := nodes[i].score + p.score; score > nodes[end].score {
					nodes[end] = node{score, int32(i), p.id}
				}
			}
			_, step := utf8.DecodeRuneInString(word[end:])
			if step == 0 {
				break
			}
			end += step
		}
		if score := nodes[i].score + u.unknown; !alone && score > nodes[i+width].score {
			nodes[i+width] = node{score, int32(i), none}
		}
		i += width
	}
	first := len(pieces)
	for at := len(word); at > 0; at = int(nodes[at].from) {
		// A run of unknown characters is one piece.
		if id := nodes[at].id; id != none || len(pieces) == first || pieces[len(pieces)-1] != none {
			pieces = append(pieces, id)
		}
	}
	for i, j := first, len(pieces)-1; i < j; i, j = i+1, j-1 {
		pieces[i], pieces[j] = pieces[j], pieces[i]
	}
	return pieces
}
