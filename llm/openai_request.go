package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/cenkalti/backoff/v5"
	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

const urlHint = "check MCP_MEMORY_LLM_URL and that the server runs"

// send sends a request and repeats it where that may help. status is of the
// last answer, 0 without one.
func (o *OpenAI) send(ctx context.Context, request openai.ChatCompletionRequest) (answer string, status int, err error) {
	delays := backoff.NewExponentialBackOff()
	delays.InitialInterval = o.options.RetryDelay
	delays.Multiplier = 2
	delays.MaxInterval = endpoint.LongestWait
	var last error // what backoff replaces by RetryAfterError or the context's error
	answer, err = backoff.Retry(ctx, func() (string, error) {
		answer, e, again, err := o.try(ctx, request)
		last, status = err, e.status
		switch {
		case err == nil:
			return answer, nil
		case !again:
			return "", backoff.Permanent(err)
		}
		return "", endpoint.RetryAfter(e.header, err)
	}, backoff.WithBackOff(delays), backoff.WithMaxTries(uint(o.options.MaxRetries)+1))
	if err == nil {
		return answer, status, nil
	}
	if ctx.Err() != nil {
		last = o.unavailable("the language model at %s did not answer in time", o.host).WithCause(errors.Join(context.Cause(ctx), last))
	}
	return "", status, last
}

// try sends a request once and reports whether it makes sense to send it again.
func (o *OpenAI) try(ctx context.Context, request openai.ChatCompletionRequest) (answer string, e *exchange, again bool, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, o.options.Timeout, errTimeout)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e = &exchange{idle: o.options.IdleTimeout, cancel: cancel}
	stream, err := o.client.CreateChatCompletionStream(e.in(ctx), request)
	if err != nil {
		again, err = o.failure(ctx, e, err)
		return "", e, again, err
	}
	defer stream.Close()
	answer, reason, err := read(stream)
	switch {
	case err != nil:
		again, err = o.failure(ctx, e, err)
	case strings.TrimSpace(answer) != "":
		return answer, e, false, nil
	case reason == openai.FinishReasonLength:
		//lint:ignore SA1019 one of the two was asked for
		err = o.unavailable("model %q at %s used up %d tokens without an answer", request.Model, o.host, request.MaxTokens+request.MaxCompletionTokens).
			WithHint("choose a model that thinks less, or switch its thinking off")
	case reason != "":
		again = reason == openai.FinishReasonStop // some models say nothing now and then
		err = o.unavailable("model %q at %s gives an empty answer", request.Model, o.host).WithHint("try again, or choose another model")
	default:
		err = o.foreign()
	}
	return "", e, again, err
}

// read puts an answer together from its pieces. A stream that just ends, even
// without saying that it is complete, is no error: some servers are like that.
func read(stream *openai.ChatCompletionStream) (string, openai.FinishReason, error) {
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

// failure translates an error of the client. A server's own words are not
// shown or kept: they may quote the key or the conversation.
func (o *OpenAI) failure(ctx context.Context, e *exchange, cause error) (again bool, err error) {
	var inAnswer *openai.APIError
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.Is(cause, errRedirect):
		return false, o.unavailable("the language model's server at %s redirects elsewhere (status %d)", o.host, e.status).
			WithHint("set MCP_MEMORY_LLM_URL to the address that it redirects to")
	case e.status >= http.StatusBadRequest:
		again = e.status == http.StatusTooManyRequests || e.status >= 500 && e.status != http.StatusNotImplemented
		return again, o.refused(e.status, cause)
	case errors.Is(cause, errTooLong):
		return false, o.unavailable("the language model at %s answers with more than %d bytes", o.host, maxAnswerBytes).WithCause(errTooLong)
	case ctx.Err() != nil:
		// Who was silent for that long will not do better at once.
		what := fmt.Sprintf("within %v", o.options.Timeout)
		if errors.Is(context.Cause(ctx), errIdle) {
			what = fmt.Sprintf("to the end: it said nothing for %v", o.options.IdleTimeout)
		}
		return false, o.unavailable("the language model at %s did not answer %s", o.host, what).WithCause(context.Cause(ctx))
	case errors.As(cause, &inAnswer):
		return true, o.unavailable("the language model at %s breaks off with an error%s", o.host, o.reason(cause))
	case errors.As(cause, &syntax), errors.As(cause, &wrongType):
		return false, o.foreign()
	case e.status != 0:
		return true, o.unavailable("the language model at %s breaks off", o.host).WithCause(cause)
	case !e.sent:
		return false, o.unavailable("model %q cannot be asked: %v", o.options.Model, cause).WithHint("set MCP_MEMORY_LLM_MODEL to a chat model")
	}
	return true, o.unavailable("the language model's server at %s cannot be reached", o.host).WithCause(cause)
}

// refused returns the error for an HTTP status.
func (o *OpenAI) refused(status int, cause error) *memory.Error {
	reason := o.reason(cause)
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return o.unavailable("the language model's server at %s does not accept the key (status %d%s)", o.host, status, reason).
			WithHint("check the API key of the language model's endpoint")
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return o.unavailable("the language model's server at %s does not know the path or model %q (status %d%s)", o.host, o.options.Model, status, reason).
			WithHint("check MCP_MEMORY_LLM_MODEL and MCP_MEMORY_LLM_URL; the address usually ends in /v1")
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return o.unavailable("the language model's server at %s refuses the request (status %d%s)", o.host, status, reason).
			WithHint("the text may be too long for model %q: lower MCP_MEMORY_LLM_MAX_INPUT", o.options.Model)
	}
	return o.unavailable("the language model's server at %s answers with status %d%s", o.host, status, reason)
}

func (o *OpenAI) foreign() *memory.Error {
	return o.unavailable("the server at %s does not stream in the form of OpenAI's chat API", o.host).
		WithHint("%s; the address usually ends in /v1", urlHint)
}

func (o *OpenAI) unavailable(format string, args ...any) *memory.Error {
	return memory.Errorf(memory.CodeUnavailable, format, args...).WithHint(urlHint)
}

// reason returns ", " and the word by which an API names an error, such as
// "context_length_exceeded", or nothing.
func (o *OpenAI) reason(err error) string {
	var api *openai.APIError
	if !errors.As(err, &api) {
		return ""
	}
	noWord := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }
	for _, word := range []string{fmt.Sprint(api.Code), api.Type} {
		if word != "" && len(word) <= 40 && !strings.ContainsFunc(word, noWord) && !strings.Contains(o.options.APIKey, word) {
			return ", " + word
		}
	}
	return ""
}
