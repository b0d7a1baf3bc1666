package tokenizer

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

const maxRules = 256 << 20 // bytes of tokenizer.json

// Tokenizer cuts texts into pieces and returns their numbers, by the rules of a tokenizer.json.
// Safe for concurrent use.
type Tokenizer struct {
	normalise rule
	split     splitter
	model     cutter
	size      int // all numbers are below
	unknown   int32
	blank     int32
	before    []int32 // pieces around a text
	after     []int32
}

// none is the number of what the vocabulary does not know.
const none = -1

// cutter cuts a word into pieces and appends their numbers to pieces, none for what is unknown.
type cutter interface {
	cut(word string, pieces []int32) []int32
}

// rulesEntry is the part of tokenizer.json that is used. Special tokens in a text ("[MASK]") are
// treated as plain text.
type rulesEntry struct {
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         *modelEntry     `json:"model"`
}

type modelEntry struct {
	Type       string          `json:"type"`
	Vocabulary json.RawMessage `json:"vocab"`
	Mark       *string         `json:"continuing_subword_prefix"` // WordPiece
	Unknown    string          `json:"unk_token"`                 // WordPiece
	Most       int             `json:"max_input_chars_per_word"`  // WordPiece
	UnknownID  *int            `json:"unk_id"`                    // Unigram
}

// Open reads the tokenizer.json in a directory. Errors are [memory.CodeInvalidArgument] if there is
// none or it is one that [New] refuses, [memory.CodeUnavailable] if it cannot be read.
func Open(dir string) (*Tokenizer, error) {
	path := filepath.Join(dir, modelfile.RulesFile)
	if info, err := os.Stat(path); err != nil || info.Size() > maxRules {
		return nil, broken("it is missing or too large").WithCause(err)
	}
	text, err := plainfile.Read(path, maxRules)
	if err != nil {
		return nil, memory.Errorf(memory.CodeUnavailable, "the embedding model cannot be read").WithCause(err)
	}
	return New(text)
}

// broken returns the error for rules that cannot be used.
func broken(format string, args ...any) *memory.Error {
	return modelfile.Broken(modelfile.RulesFile, format, args...)
}

// New returns the tokenizer of a tokenizer.json. [memory.CodeInvalidArgument] if it is damaged or
// has rules that are not supported.
func New(text []byte) (*Tokenizer, error) {
	var entry rulesEntry
	if err := json.Unmarshal(text, &entry); err != nil {
		return nil, broken("it is not what it should be: %v", err)
	}
	if entry.Model == nil {
		return nil, broken("it has no model")
	}
	t := Tokenizer{unknown: none, blank: none}
	var err error
	if t.normalise, err = newRule(entry.Normalizer, 0); err != nil {
		return nil, err
	}
	if t.split, err = newSplitter(entry.PreTokenizer, 0); err != nil {
		return nil, err
	}
	if t.model, t.size, t.unknown, err = entry.Model.cutter(); err != nil {
		return nil, err
	}
	if u, ok := t.model.(*unigram); ok {
		t.blank = u.blank()
	}
	t.before, t.after, err = surroundings(entry.PostProcessor, t.size, 0)
	return &t, err
}

// Size returns the number below which the numbers of all pieces are.
func (t *Tokenizer) Size() int { return t.size }

// cutter returns the model, the number below which the numbers of all its pieces are, and the
// number of the piece for what is unknown, or none.
func (e *modelEntry) cutter() (c cutter, size int, unknown int32, err error) {
	kind := e.Type
	if kind == "" && e.UnknownID != nil { // older files have no type
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
	return nil, 0, none, broken("its model is of the kind %q", kind).WithHint("WordPiece and Unigram are understood")
}

func (e *modelEntry) wordPiece() (cutter, int, int32, error) {
	var vocabulary map[string]int32
	if err := json.Unmarshal(e.Vocabulary, &vocabulary); err != nil || len(vocabulary) == 0 {
		return nil, 0, none, broken("its vocabulary is not a list of words with their numbers")
	}
	size := 0
	for word, id := range vocabulary {
		if id < 0 || id == math.MaxInt32 {
			return nil, 0, none, broken("the word %q has the number %d", word, id)
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
	unknown, ok := vocabulary[e.Unknown]
	if !ok {
		unknown = none
	}
	return newWordPiece(maps.All(vocabulary), len(vocabulary), mark, e.Unknown, most), size, unknown, nil
}

func (e *modelEntry) unigram() (cutter, int, int32, error) {
	var list []unigramPiece
	if err := json.Unmarshal(e.Vocabulary, &list); err != nil || len(list) == 0 {
		return nil, 0, none, broken("its vocabulary is not a list of pieces with their scores")
	}
	unknown := none
	if e.UnknownID != nil {
		unknown = *e.UnknownID
	}
	if unknown < none || unknown >= len(list) {
		return nil, 0, none, broken("its unknown piece has the number %d of %d", unknown, len(list))
	}
	return newUnigram(list, unknown), len(list), int32(unknown), nil
}

// unigramPiece is an entry of a Unigram vocabulary, such as ["▁the", -3.2].
type unigramPiece struct {
	text  string
	score float64
}

// UnmarshalJSON decodes an entry. There can be half a million, so the usual form is parsed without
// package json.
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

// Known returns the numbers of the first pieces of a text, at most limit, and leaves out what the
// vocabulary does not know.
func (t *Tokenizer) Known(text string, limit int) []int32 {
	return t.cut(text, limit, func(pieces []int32, first int) []int32 {
		known := slices.DeleteFunc(pieces[first:], func(id int32) bool { return id == none })
		return pieces[:first+len(known)]
	})
}

// Pieces returns the numbers of the first pieces of a text, at most limit. What the vocabulary does
// not know becomes the unknown piece; without one it is left out.
func (t *Tokenizer) Pieces(text string, limit int) []int32 {
	if t.unknown == none {
		return t.Known(text, limit)
	}
	return t.cut(text, limit, func(pieces []int32, first int) []int32 {
		for i, id := range pieces[first:] {
			if id == none {
				pieces[first+i] = t.unknown
			}
		}
		return pieces
	})
}

// IsKnown reports whether a piece is neither the unknown piece nor a blank alone.
func (t *Tokenizer) IsKnown(piece int32) bool { return piece != t.unknown && piece != t.blank }

// Around returns the pieces that a network expects before and after a text, such as [CLS] and
// [SEP].
func (t *Tokenizer) Around() (before, after []int32) { return t.before, t.after }

// cut cuts a text word by word. For each word it calls mend to replace or remove none among the
// pieces from first on.
func (t *Tokenizer) cut(text string, limit int, mend func(pieces []int32, first int) []int32) []int32 {
	pieces := make([]int32, 0, min(limit, len(text)/4+8))
	for _, word := range t.split([]string{head(t.normalise(head(text, maxText)), maxText)}) {
		if word == "" {
			continue
		}
		first := len(pieces)
		if pieces = mend(t.model.cut(word, pieces), first); len(pieces) >= limit {
			return pieces[:limit]
		}
	}
	return pieces
}
