package tokenizer

import "slices"

// The special pieces in BERT's vocabularies, and how many characters a word may have.
const (
	bertUnknown = "[UNK]"
	bertFirst   = "[CLS]"
	bertLast    = "[SEP]"
	bertMost    = 100
)

// NewUncased returns the tokenizer of BERT for lower-case text, as [New] would make it from its
// tokenizer.json. The index of a piece in vocabulary is its number. [memory.CodeInvalidArgument] if
// a special piece is missing.
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
