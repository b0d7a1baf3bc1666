package bench

import (
	"context"
	"sync"

	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/memory"
)

// Encoder is the one that is part of the program, nil in a program without. It
// remembers the vectors of all texts, for many banks have the same ones.
func Encoder() memory.Embedder {
	if !minilm.Available() {
		return nil
	}
	return remembering
}

var remembering = &remembered{Embedder: minilm.New()}

// remembered is an embedder that makes the vector of a text once in a process. Its
// methods may be called at the same time.
type remembered struct {
	memory.Embedder
	vectors sync.Map // text → []float32, which nobody changes
}

// EmbedDocuments implements [memory.Embedder].
func (r *remembered) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if v, known := r.vectors.Load(text); known {
			vectors[i] = v.([]float32)
			continue
		}
		made, err := r.Embedder.EmbedDocuments(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		r.vectors.Store(text, made[0])
		vectors[i] = made[0]
	}
	return vectors, nil
}
