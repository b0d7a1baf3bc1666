package tokenizer

// The words around a text and for what is unknown in the vocabularies of BERT.
const (
	bertUnknown = "[UNK]"
	bertFirst   = "[CLS]"
	bertLast    = "[SEP]"
	bertMost    = 100 // characters of a word
)

// NewUncased returns the tokenizer of BERT for texts in small letters: what [New]
// makes of its tokenizer.json, by the vocabulary alone, whose order is that of the
// numbers. [memory.CodeInvalidArgument] if a word that it needs is missing.
func NewUncased(vocabulary []string) (*Tokenizer, error) {
	numbers := make(map[string]int32, len(vocabulary))
	for i, word := range vocabulary {
		numbers[word] = int32(i)
	}
	for _, word := range []string{bertUnknown, bertFirst, bertLast} {
		if _, ok := numbers[word]; !ok {
			return nil, broken("its vocabulary has no %s", word)
		}
	}
	return &Tokenizer{
		normalise: ruleEntry{CleanText: true, ChineseChars: true, Lowercase: true}.bert(),
		split:     bertWords,
		model:     newWordPiece(numbers, "##", bertUnknown, bertMost),
		size:      len(vocabulary),
		unknown:   numbers[bertUnknown],
		blank:     none,
		before:    []int32{numbers[bertFirst]},
		after:     []int32{numbers[bertLast]},
	}, nil
}
