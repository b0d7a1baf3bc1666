package llm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
)

// send sends a request and reads the answer.
func (o *OpenAI) send(ctx context.Context, request openai.ChatCompletionRequest) (string, error) {
	return endpoint.Call(ctx, o.client, func(ctx context.Context) (string, error) {
		stream, err := o.client.OpenAI.CreateChatCompletionStream(ctx, request)
		if err != nil {
			return "", err
		}
		defer stream.Close()
		answer, reason, err := read(ctx, stream)
		if err != nil {
			return "", err
		}
		return answer, o.check(request, answer, reason)
	})
}

// check returns an error for an answer without text.
func (o *OpenAI) check(request openai.ChatCompletionRequest, answer string, reason openai.FinishReason) error {
	switch {
	case strings.TrimSpace(answer) != "":
		return nil
	case reason == openai.FinishReasonLength:
		//lint:ignore SA1019 one of the two was asked for
		asked := request.MaxTokens + request.MaxCompletionTokens
		return o.client.Unavailable("used up %d tokens of model %q without an answer", asked, o.model).
			WithHint("choose a model that thinks less, or switch its thinking off")
	case reason == "":
		return endpoint.ErrForm
	}
	empty := o.client.Unavailable("gives an empty answer of model %q", o.model).WithHint("try again, or choose another model")
	if reason == openai.FinishReasonStop { // some models answer with nothing now and then
		return endpoint.Retry(empty)
	}
	return empty
}

// read joins the pieces of a streamed answer. A server that does not stream sends the answer whole,
// see readWhole. A stream that ends without saying that it is complete is no error, since some
// servers do that.
func read(ctx context.Context, stream *openai.ChatCompletionStream) (string, openai.FinishReason, error) {
	if whole, err := endpoint.WholeAnswer(ctx); err != nil || whole != nil {
		if err != nil {
			return "", "", err
		}
		return readWhole(whole)
	}
	var answer strings.Builder
	var reason openai.FinishReason
	for {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return answer.String(), reason, nil
		}
		if err != nil {
			return "", reason, err
		}
		for _, choice := range piece.Choices {
			if choice.Index != 0 {
				continue
			}
			answer.WriteString(choice.Delta.Content)
			if choice.FinishReason != "" {
				reason = choice.FinishReason
			}
		}
	}
}

// readWhole reads an answer in one piece. An error that the server reports in it, in whatever form,
// is returned as an error of the client library.
func readWhole(body io.Reader) (string, openai.FinishReason, error) {
	var answer struct {
		Choices []openai.ChatCompletionChoice `json:"choices"`
		Error   json.RawMessage               `json:"error"`
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		return "", "", err
	}
	if len(answer.Error) > 0 && string(answer.Error) != "null" {
		reported := &openai.APIError{}
		if json.Unmarshal(answer.Error, reported) != nil {
			reported = &openai.APIError{}
		}
		return "", "", reported
	}
	for _, choice := range answer.Choices {
		if choice.Index == 0 {
			return choice.Message.Content, choice.FinishReason, nil
		}
	}
	return "", "", nil
}
