package embed

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/cenkalti/backoff/v5"
	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

const urlHint = "check MCP_MEMORY_EMBED_URL and that the server runs"

// request sends one batch, repeats it where that may help, and checks the answer.
func (o *OpenAI) request(ctx context.Context, inputs []string) ([][]float32, error) {
	delays := backoff.NewExponentialBackOff()
	delays.InitialInterval = o.options.RetryDelay
	delays.Multiplier = 2
	delays.MaxInterval = endpoint.LongestWait
	var last error // what backoff replaces by RetryAfterError or the context's error
	answer, err := backoff.Retry(ctx, func() (openai.EmbeddingResponse, error) {
		answer, again, err := o.try(ctx, inputs)
		last = err
		switch {
		case err == nil:
			return answer, nil
		case !again:
			return answer, backoff.Permanent(err)
		}
		return answer, endpoint.RetryAfter(answer.Header(), err)
	}, backoff.WithBackOff(delays), backoff.WithMaxTries(uint(o.options.MaxRetries)+1))
	if err != nil {
		if ctx.Err() != nil {
			return nil, o.unavailable("the embedding server at %s did not answer in time", o.host).WithCause(errors.Join(context.Cause(ctx), last))
		}
		return nil, last
	}
	return o.vectors(answer, len(inputs))
}

// try sends one request and reports whether it makes sense to send it again.
func (o *OpenAI) try(ctx context.Context, inputs []string) (answer openai.EmbeddingResponse, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.options.Timeout)
	defer cancel()
	request := openai.EmbeddingRequest{Input: inputs, Model: openai.EmbeddingModel(o.options.Model)}
	if o.options.RequestDimensions {
		request.Dimensions = o.options.Dimensions
	}
	answer, err = o.client.CreateEmbeddings(ctx, request)
	switch status := statusOf(err); {
	case err == nil:
		return answer, false, nil
	case status != 0:
		return answer, status == http.StatusTooManyRequests || status >= 500, o.refused(status).WithCause(err)
	case ctx.Err() != nil:
		// Who did not answer for that long will not do so at once.
		return answer, false, o.unavailable("the embedding server at %s did not answer within %v", o.host, o.options.Timeout).WithCause(err)
	case answer.Header() != nil:
		brokenOff := errors.Is(err, io.ErrUnexpectedEOF)
		return answer, brokenOff, o.unavailable("the embedding server at %s does not answer in the form of OpenAI's API", o.host).
			WithHint("%s; the address usually ends in /v1", urlHint).WithCause(err)
	}
	return answer, true, o.unavailable("the embedding server at %s cannot be reached", o.host).WithCause(err)
}

// refused returns the error for an HTTP status. Only what may be the fault of
// a text is invalid_argument, so that its sender tries the others without it.
func (o *OpenAI) refused(status int) *memory.Error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return o.unavailable("the embedding server at %s does not accept the key (status %d)", o.host, status).
			WithHint("check the API key of the embedding endpoint")
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return o.unavailable("the embedding server at %s does not know the path or model %q (status %d)", o.host, o.options.Model, status).
			WithHint("check the model's name and MCP_MEMORY_EMBED_URL; the address usually ends in /v1")
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return memory.Errorf(memory.CodeInvalidArgument, "the embedding server at %s refuses the request (status %d)", o.host, status).
			WithHint("a text may be too long for model %q, or the model does not know the parameter dimensions", o.options.Model)
	}
	return o.unavailable("the embedding server at %s answers with status %d", o.host, status)
}

// vectors returns the n vectors of an answer in the order of the inputs.
func (o *OpenAI) vectors(answer openai.EmbeddingResponse, n int) ([][]float32, error) {
	if len(answer.Data) != n {
		return nil, o.unavailable("the embedding server at %s returned %d vectors for %d texts", o.host, len(answer.Data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= n || vectors[d.Index] != nil {
			return nil, o.unavailable("the embedding server at %s numbers its %d vectors wrongly", o.host, n)
		}
		v, want := d.Embedding, o.options.Dimensions
		if len(v) > want && o.options.Truncate {
			v = v[:want:want]
		}
		if len(v) != want {
			return nil, o.unavailable("embedding model %q returns %d dimensions, %d are set", o.options.Model, len(v), want).
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

func (o *OpenAI) unavailable(format string, args ...any) *memory.Error {
	return memory.Errorf(memory.CodeUnavailable, format, args...).WithHint(urlHint)
}

// statusOf returns the HTTP status in an error of the client, or 0.
func statusOf(err error) int {
	var api *openai.APIError
	if errors.As(err, &api) {
		return api.HTTPStatusCode
	}
	var request *openai.RequestError
	if errors.As(err, &request) {
		return request.HTTPStatusCode
	}
	return 0
}
