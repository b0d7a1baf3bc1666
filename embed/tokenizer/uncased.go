package tokenizer

import "slices"

// What stands in the vocabularies of BERT for what is unknown and around a text, and how
// many characters a word may have.
const (
	bertUnknown = "[UNK]"
	bertFirst   = "[CLS]"
	bertLast    = "[SEP]"
	bertMost    = 100
)

// NewUncased returns the tokenizer of BERT for texts in small letters: what [New]
// makes of its tokenizer.json, by the vocabulary alone, whose order is that of the
// numbers. [memory.CodeInvalidArgument] if a piece that it needs is missing.
func NewUncased(vocabulary []string) (*Tokenizer, error) {
	var numbers [3]int32
	for i, piece := range []string{bertUnknown, bertFirst, bertLast} {
		at := slices.Index(vocabulary, piece)
		if at < 0 {
			return nil, broken("its vocabulary has no %s", piece)
		}
		numbers[i] = int32(at)
	}
	numbered := func(yield func(string, int32) bool) {
		for i, piece := range vocabulary {
			if !yield(piece, int32(i)) {
				return
			}
		}
	}
	return &Tokenizer{
		normalise: ruleEntry{CleanText: true, ChineseChars: true, Lowercase: true}.bert(),
		split:     bertWords,
		model:     newWordPiece(numbered, len(vocabulary), "##", bertUnknown, bertMost),
		size:      len(vocabulary),
		unknown:   numbers[0],
		blank:     none,
		before:    numbers[1:2],
		after:     numbers[2:],
	}, nil
}
