package uselite

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/embed/encoder"
	"mcp-memory/memory"
)

// The fingerprint of [Encoder], and the checksum of the weights that it stands for.
// Other weights, or another way to take windows, need another name.
const (
	model    = "encoder/use-lite-8bit"
	modelSum = 0x64a466c9
)

const (
	// overlap is how many pieces two windows of a long text have in common at least.
	overlap = 32
	// maxWindows is how many windows of a text are read, spread over it.
	maxWindows = 24
	// leastKnown is the share of a text that the vocabulary has to know. Of
	// another script it knows some characters, which mean nothing.
	leastKnown = 0.75
)

// Available reports whether the weights are part of the program.
func Available() bool { return len(weights()) > 0 }

// Encoder is the model as a [memory.Embedder]. Its methods may be called at the
// same time; a call uses one core.
type Encoder struct {
	load func() (*loaded, error)
}

type loaded struct {
	*Network
	*Tokenizer
}

var _ memory.Embedder = (*Encoder)(nil)

// New returns the model that is part of the program. It is opened when the first
// text is encoded, which takes some milliseconds.
func New() *Encoder { return open(weights) }

func open(file func() []byte) *Encoder {
	return &Encoder{load: sync.OnceValues(func() (*loaded, error) {
		weights := file()
		network, tokenizer, err := Read(weights)
		if sum := encoder.PackSum(weights); err == nil && sum != modelSum {
			err = fmt.Errorf("weights of the checksum %08x, not those of %s", sum, model)
		}
		if err != nil {
			return nil, memory.Errorf(memory.CodeUnavailable, "the sentence encoder cannot be used: %v", err).
				WithHint("it is not part of a program that was built with the tag noencoder")
		}
		return &loaded{network, tokenizer}, nil
	})}
}

// Fingerprint returns the model "encoder/use-lite-8bit" with 512 dimensions.
func (*Encoder) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: model, Dimensions: Dimensions}
}

// Local returns false: a text takes milliseconds, for which no save waits.
func (*Encoder) Local() bool { return false }

// Batch is how many texts a worker gives at once. They wait for calls to pause, and what
// is not handed over when a short session ends would be made again in the next one.
func (*Encoder) Batch() int { return 8 }

// EmbedDocuments returns one vector a text, in order: of a long one the mean of
// windows that overlap, of one without anything that the vocabulary knows zeros.
// [memory.CodeUnavailable] in a program without the weights; else the only
// error is the context's.
func (e *Encoder) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		var err error
		if vectors[i], err = e.vector(ctx, text, maxWindows); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// EmbedQuery returns the vector of the first 128 pieces of a question.
func (e *Encoder) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	return e.vector(ctx, query, 1)
}

func (e *Encoder) vector(ctx context.Context, text string, most int) ([]float32, error) {
	m, err := e.load()
	if err != nil {
		return nil, err
	}
	sum := make([]float32, Dimensions)
	for _, window := range encoder.Windows(m.known(plain(text)), MaxPieces, overlap, most) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, x := range m.Vector(window) {
			sum[i] += x
		}
	}
	encoder.Normalise(sum)
	return sum, nil
}

// known cuts a text into pieces; none where too little of it is known.
func (m *loaded) known(text string) []int32 {
	list := m.Cut(text)
	characters, known := 0, 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			characters++
		}
	}
	for _, p := range list {
		if p != 0 {
			known += m.lengths[p]
		}
	}
	if float64(known) < leastKnown*float64(characters) || known == 0 {
		return nil
	}
	return list
}

// plain collapses blanks and leaves out what is not written: the vocabulary has
// neither line breaks nor control characters.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(text), " ")
}
