package embed

import (
	"context"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// request sends one batch and checks the answer.
func (o *OpenAI) request(ctx context.Context, inputs []string) ([][]float32, error) {
	request := openai.EmbeddingRequest{Input: inputs, Model: openai.EmbeddingModel(o.options.Model)}
	if o.options.RequestDimensions {
		request.Dimensions = o.options.Dimensions
	}
	answer, err := endpoint.Call(ctx, o.client, func(ctx context.Context) (openai.EmbeddingResponse, error) {
		return o.client.OpenAI.CreateEmbeddings(ctx, request)
	})
	if err != nil {
		return nil, err
	}
	return o.vectors(answer, len(inputs))
}

// vectors returns the n vectors of an answer in the order of the inputs.
func (o *OpenAI) vectors(answer openai.EmbeddingResponse, n int) ([][]float32, error) {
	if len(answer.Data) != n {
		return nil, o.client.Unavailable("returned %d vectors for %d texts", len(answer.Data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= n || vectors[d.Index] != nil {
			return nil, o.client.Unavailable("numbers its %d vectors wrongly", n)
		}
		v, want := d.Embedding, o.options.Dimensions
		if len(v) > want && o.options.Truncate {
			v = v[:want:want]
		}
		if len(v) != want {
			return nil, memory.Errorf(memory.CodeUnavailable, "embedding model %q returns %d dimensions, %d are set", o.options.Model,
				len(v), want).
				WithHint("set the dimensions to %d, or let a Matryoshka model's longer vectors be truncated", len(v))
		}
		if !scaleToUnit(v) {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "embedding model %q gives a vector that is not finite", o.options.Model).
				WithHint("the model cannot embed this text")
		}
		vectors[d.Index] = v
	}
	return vectors, nil
}
