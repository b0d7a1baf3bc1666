package minilm

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/encoder/bert"
	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/memory"
	"mcp-memory/text/gloss"
)

// The fingerprint of [Encoder], and the checksum of the weights that belong to it. It has to change
// with the weights, with the way in which long texts are cut into windows, and with the glosses.
const (
	model    = "encoder/all-MiniLM-L6-v2+gloss1"
	modelSum = 0x305e916b
)

// Dimensions is the length of a vector.
const Dimensions = 384

// VocabularyName is the entry of the vocabulary in the file: pieces that each end with a line
// break.
const VocabularyName = "vocabulary"

// Config describes the network in the file.
var Config = bert.Config{
	Architecture: "bert", Vocabulary: 30_522, Width: Dimensions, Layers: 6, Heads: 12, Inner: 4 * Dimensions,
	Places: 256, Types: 2, Activation: "gelu", Epsilon: 1e-12, PlaceKind: "absolute",
}

// use says how to use the model: as it was trained.
var use = modelfile.Encoder{Pooling: modelfile.PoolMean, MaxPieces: 256}

//go:embed NOTICE
var notice string

// Notice returns the copyright notice and licence of the weights, for showing to people.
func Notice() string { return notice }

// Available reports whether the weights are part of the program.
func Available() bool { return len(weights()) > 0 }

// Encoder is the model as a [memory.Embedder]. It knows English, and reads other languages through
// a word-by-word translation ([gloss.English]). Its methods may be called at the same time; a call
// uses one core.
type Encoder struct {
	load func() (*bert.Reader, error)
}

var _ memory.Embedder = (*Encoder)(nil)

// New returns the model that is part of the program. It is loaded when the first text is encoded,
// which takes some milliseconds.
func New() *Encoder { return open(weights) }

func open(file func() []byte) *Encoder {
	return &Encoder{load: sync.OnceValues(func() (*bert.Reader, error) {
		weights := file()
		r, err := Read(weights)
		if sum := encoder.PackSum(weights); err == nil && sum != modelSum {
			err = fmt.Errorf("weights of the checksum %08x, not those of %s", sum, model)
		}
		if err != nil {
			return nil, memory.Errorf(memory.CodeUnavailable, "the sentence encoder cannot be used: %v", err).
				WithHint("it is not part of a program that was built with the tag noencoder")
		}
		return r, nil
	})}
}

// Read returns the model in a file. The error says what is wrong with it.
func Read(file []byte) (*bert.Reader, error) {
	pack, err := encoder.OpenPack(file)
	if err != nil {
		return nil, err
	}
	tokens, err := tokensIn(pack)
	if err != nil {
		return nil, err
	}
	return bert.NewReader(pack, tokens, Config, use)
}

func tokensIn(pack *encoder.Pack) (*tokenizer.Tokenizer, error) {
	words, err := pack.Bytes(VocabularyName)
	if err != nil {
		return nil, err
	}
	text := unsafe.String(unsafe.SliceData(words), len(words)) // the bytes are never changed
	return tokenizer.NewUncased(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
}

// Fingerprint returns the model "encoder/all-MiniLM-L6-v2+gloss1" with 384 dimensions.
func (*Encoder) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: model, Dimensions: Dimensions}
}

// Local returns false: a text takes milliseconds, for which no save waits.
func (*Encoder) Local() bool { return false }

// Batch returns how many texts a worker embeds in one call. It is small because embedding waits for
// pauses between calls of the program, and what is not handed over when a short session ends has to
// be made again in the next one.
func (*Encoder) Batch() int { return 8 }

// EmbedDocuments returns one vector for each text, in order: for a long text the mean of
// overlapping windows, for one without a known piece zero. Errors are [memory.CodeUnavailable] in a
// program without the weights, and the context's.
func (e *Encoder) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	r, err := e.load()
	if err != nil {
		return nil, err
	}
	english := make([]string, len(texts))
	for i, text := range texts {
		english[i], _ = gloss.English(text)
	}
	return r.Documents(ctx, english)
}

// EmbedQuery returns the vector of the first 254 pieces of a question; errors are those of
// EmbedDocuments.
func (e *Encoder) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	r, err := e.load()
	if err != nil {
		return nil, err
	}
	english, _ := gloss.English(query)
	return r.Query(ctx, english)
}
