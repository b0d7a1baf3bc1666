package model2vec

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// tokenizer makes the numbers of pieces of a text, by the rules of
// tokenizer.json. Pieces that the vocabulary does not know are left out.
type tokenizer struct {
	normalise rule
	split     splitter
	model     cutter
	size      int // numbers are below
}

// cutter cuts words into pieces, whose numbers it appends.
type cutter interface {
	cut(word string, pieces []int32) []int32
}

// rulesEntry is tokenizer.json as far as it matters here. The tokens that it
// adds around a text are for other models.
type rulesEntry struct {
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        *modelEntry     `json:"model"`
}

type modelEntry struct {
	Type       string          `json:"type"`
	Vocabulary json.RawMessage `json:"vocab"`
	Mark       *string         `json:"continuing_subword_prefix"` // WordPiece
	Unknown    string          `json:"unk_token"`                 // WordPiece
	Most       int             `json:"max_input_chars_per_word"`  // WordPiece
	UnknownID  *int            `json:"unk_id"`                    // Unigram
}

// newTokenizer reads tokenizer.json. [memory.CodeInvalidArgument] if it is
// damaged, or if it has rules that are not known here.
func newTokenizer(text []byte) (*tokenizer, error) {
	var entry rulesEntry
	if err := json.Unmarshal(text, &entry); err != nil {
		return nil, broken(rulesFile, "it is not what it should be: %v", err)
	}
	if entry.Model == nil {
		return nil, broken(rulesFile, "it has no model")
	}
	var t tokenizer
	var err error
	if t.normalise, err = newRule(entry.Normalizer, 0); err != nil {
		return nil, err
	}
	if t.split, err = newSplitter(entry.PreTokenizer, 0); err != nil {
		return nil, err
	}
	t.model, t.size, err = entry.Model.cutter()
	return &t, err
}

// cutter returns the model, and the number below which all its pieces are.
func (e *modelEntry) cutter() (cutter, int, error) {
	kind := e.Type
	if kind == "" && e.UnknownID != nil { // older files name no type
		kind = "Unigram"
	} else if kind == "" && e.Mark != nil {
		kind = "WordPiece"
	}
	switch kind {
	case "WordPiece":
		return e.wordPiece()
	case "Unigram":
		return e.unigram()
	}
	return nil, 0, broken(rulesFile, "its model is of the kind %q", kind).WithHint("WordPiece and Unigram are understood")
}

func (e *modelEntry) wordPiece() (cutter, int, error) {
	var vocabulary map[string]int32
	if err := json.Unmarshal(e.Vocabulary, &vocabulary); err != nil || len(vocabulary) == 0 {
		return nil, 0, broken(rulesFile, "its vocabulary is not a list of words with their numbers")
	}
	size := 0
	for word, id := range vocabulary {
		if id < 0 || id == math.MaxInt32 {
			return nil, 0, broken(rulesFile, "the word %q has the number %d", word, id)
		}
		size = max(size, int(id)+1)
	}
	mark, most := "##", e.Most
	if e.Mark != nil {
		mark = *e.Mark
	}
	if most <= 0 {
		most = 100
	}
	return newWordPiece(vocabulary, mark, e.Unknown, most), size, nil
}

func (e *modelEntry) unigram() (cutter, int, error) {
	var list []unigramPiece
	if err := json.Unmarshal(e.Vocabulary, &list); err != nil || len(list) == 0 {
		return nil, 0, broken(rulesFile, "its vocabulary is not a list of pieces with their scores")
	}
	unknown := -1
	if e.UnknownID != nil {
		unknown = *e.UnknownID
	}
	return newUnigram(list, unknown), len(list), nil
}

// unigramPiece is an entry such as ["▁the", -3.2].
type unigramPiece struct {
	text  string
	score float64
}

// UnmarshalJSON reads an entry. There can be half a million, so the usual form
// is read by hand.
func (p *unigramPiece) UnmarshalJSON(data []byte) error {
	comma := strings.LastIndexByte(string(data), ',')
	if comma > 0 && data[0] == '[' && !slices.Contains(data[:comma], '\\') {
		quoted := strings.TrimSpace(string(data[1:comma]))
		number := strings.TrimSpace(string(data[comma+1 : len(data)-1]))
		score, err := strconv.ParseFloat(number, 64)
		if err == nil && len(quoted) >= 2 && quoted[0] == '"' && strings.IndexByte(quoted[1:], '"') == len(quoted)-2 {
			p.text, p.score = quoted[1:len(quoted)-1], score
			return nil
		}
	}
	entry := [2]any{&p.text, &p.score}
	return json.Unmarshal(data, &entry)
}

// pieces returns the numbers of at most limit pieces of a text.
func (t *tokenizer) pieces(text string, limit int) []int32 {
	pieces := make([]int32, 0, min(limit, len(text)/4+8))
	for _, word := range t.split([]string{head(t.normalise(head(text, maxText)), maxText)}) {
		if word == "" {
			continue
		}
		if pieces = t.model.cut(word, pieces); len(pieces) >= limit {
			return pieces[:limit]
		}
	}
	return pieces
}
