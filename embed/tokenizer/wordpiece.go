package tokenizer

import (
	"iter"
	"unicode/utf8"
)

// wordPiece cuts a word as BERT does: it takes the longest piece of the vocabulary that the word
// begins with, and so on with the rest. If that does not lead to the word's end, all of the word is
// unknown.
type wordPiece struct {
	first   *pieces // pieces that begin a word
	next    *pieces // pieces that continue a word, without their mark ##
	longest int     // bytes of the longest piece
	most    int     // characters; a longer word is unknown
}

// newWordPiece returns the cutter for a vocabulary of size pieces and their numbers. most is how
// many characters a word may have.
func newWordPiece(vocabulary iter.Seq2[string, int32], size int, mark, unknown string, most int) *wordPiece {
	w := &wordPiece{first: newPieces(size), next: newPieces(size / 4), most: most}
	for piece, id := range vocabulary {
		if piece == unknown || piece == "" {
			continue
		}
		if rest := len(mark); rest > 0 && len(piece) > rest && piece[:rest] == mark {
			w.next.add(piece[rest:], id)
			w.longest = max(w.longest, len(piece)-rest)
		}
		w.first.add(piece, id) // a word may also begin with ## itself
		w.longest = max(w.longest, len(piece))
	}
	return w
}

func (w *wordPiece) cut(word string, cut []int32) []int32 {
	if utf8.RuneCountInString(word) > w.most {
		return append(cut, none)
	}
	known := len(cut)
	vocabulary := w.first
	for len(word) > 0 {
		end := min(len(word), w.longest)
		id, found := int32(0), false
		for ; end > 0; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id, found = vocabulary.find(word[:end]); found {
				break
			}
		}
		if !found {
			return append(cut[:known], none)
		}
		cut, word, vocabulary = append(cut, id), word[end:], w.next
	}
	return cut
}
