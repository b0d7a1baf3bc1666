package embed

import (
	"context"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// Probe has the endpoint embed one word and returns the length of the vector. Errors are those of
// [OpenAI].
func Probe(ctx context.Context, options endpoint.Options) (dimensions int, err error) {
	client, err := endpoint.New(api, options)
	if err != nil {
		return 0, err
	}
	answer, err := endpoint.Call(ctx, client, func(ctx context.Context) (openai.EmbeddingResponse, error) {
		return client.OpenAI.CreateEmbeddings(ctx, openai.EmbeddingRequest{
			Input: []string{"memory"}, Model: openai.EmbeddingModel(options.Model),
		})
	})
	if err != nil {
		return 0, err
	}
	if len(answer.Data) != 1 || len(answer.Data[0].Embedding) == 0 {
		return 0, memory.Errorf(memory.CodeUnavailable, "the endpoint has no vectors for the model %q", options.Model).
			WithHint("is it a model for embeddings?")
	}
	return len(answer.Data[0].Embedding), nil
}
