package bert

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/memory"
)

const (
	// maxRead is how many pieces of a long document are read at most, in windows spread over it.
	maxRead = 4096
	// maxText is how many pieces a text is cut into at most; the rest is ignored.
	maxText = 1 << 16
	// leastRoom is how many pieces of a text have to fit into a window beside the prefix and the
	// pieces around the text.
	leastRoom = 4
)

// Reader is a loaded model, which reads texts of any length with a network. Its methods may be
// called at the same time; a call uses one core.
type Reader struct {
	network       *Network
	tokens        *tokenizer.Tokenizer
	pooling       string
	length        int // pieces in a window, all included
	before, after []int32
	// The pieces of the prefixes.
	query, document []int32
}

// NewReader returns a reader with the tensors that [Round] wrote. The error says what does not fit
// together.
func NewReader(pack *encoder.Pack, tokens *tokenizer.Tokenizer, c Config, use modelfile.Encoder) (*Reader, error) {
	r, err := newReader(tokens, c, use)
	if err != nil {
		return nil, err
	}
	r.network, err = Load(c, packed{pack})
	return r, err
}

// newReader returns a reader that has no network yet.
func newReader(tokens *tokenizer.Tokenizer, c Config, use modelfile.Encoder) (*Reader, error) {
	r := &Reader{tokens: tokens, pooling: use.Pooling, length: min(use.MaxPieces, c.Pieces())}
	r.before, r.after = tokens.Around()
	// A blank at its end is left to the first piece of the text.
	prefix := func(text string) []int32 { return tokens.Pieces(strings.TrimRight(text, " "), maxText) }
	r.query, r.document = prefix(use.QueryPrefix), prefix(use.DocumentPrefix)
	if min(r.room(r.query), r.room(r.document)) < leastRoom {
		return nil, broken("of %d pieces none are left for a text beside its prefix", r.length)
	}
	return r, nil
}

// Dimensions is the length of a vector.
func (r *Reader) Dimensions() int { return r.network.Width }

// room returns how many pieces of a text fit into a window behind a prefix.
func (r *Reader) room(prefix []int32) int {
	return r.length - len(r.before) - len(prefix) - len(r.after)
}

// Documents returns the vectors of documents; see EmbedDocuments of [Model].
func (r *Reader) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		var err error
		if vectors[i], err = r.read(ctx, r.document, text, max(1, maxRead/r.length)); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// Query returns the vector of a question; see EmbedQuery of [Model].
func (r *Reader) Query(ctx context.Context, text string) ([]float32, error) {
	return r.read(ctx, r.query, text, 1)
}

// read returns the mean of the vectors of at most `windows` windows of a text, scaled to length 1;
// zero for a text without a known piece.
func (r *Reader) read(ctx context.Context, prefix []int32, text string, windows int) ([]float32, error) {
	sum := make([]float32, r.Dimensions())
	pieces := r.tokens.Pieces(text, maxText)
	if !slices.ContainsFunc(pieces, r.tokens.IsKnown) {
		return sum, ctx.Err()
	}
	room := r.room(prefix)
	for _, window := range encoder.Windows(pieces, room, room/4, windows) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector, err := r.network.Vector(slices.Concat(r.before, prefix, window, r.after), r.pooling)
		if err != nil {
			return nil, memory.Errorf(memory.CodeUnavailable, "the embedding model cannot be read").WithCause(err)
		}
		add(sum, vector)
	}
	encoder.Normalise(sum)
	return sum, nil
}
