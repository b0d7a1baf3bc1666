package endpoint

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"mcp-memory/memory"
)

// LongestWait is the longest Retry-After of a server that [Call] waits for. With a longer one it
// fails, and the caller has to try again later.
const LongestWait = 30 * time.Second

// ErrForm is returned by a request whose answer has not the form of the API.
var ErrForm = errors.New("the answer has another form")

// retryError wraps the error of a request that is to be repeated.
type retryError struct{ err *memory.Error }

func (r retryError) Error() string { return r.err.Error() }

// Retry returns an error with which a request asks [Call] to repeat it. If no repetition succeeds,
// Call returns err itself.
func Retry(err *memory.Error) error { return retryError{err} }

// Call runs request, which sends one request by c.OpenAI with the context that it is given, and
// repeats it where that may help. Errors of the client library are translated. A [memory.Error] of
// request's own is final, and so is [ErrForm]. Errors are [memory.CodeInvalidArgument] if the
// server refuses what was asked (see [StatusOf]), else [memory.CodeUnavailable].
func Call[T any](ctx context.Context, c *Client, request func(context.Context) (T, error)) (T, error) {
	delays := backoff.NewExponentialBackOff()
	delays.InitialInterval = c.options.RetryDelay
	delays.Multiplier = 2
	delays.MaxInterval = LongestWait
	var last error // backoff may return RetryAfterError or the context's error instead of it
	answer, err := backoff.Retry(ctx, func() (T, error) {
		answer, again, header, err := try(ctx, c, request)
		last = err
		switch {
		case err == nil:
			return answer, nil
		case !again:
			return answer, backoff.Permanent(err)
		}
		return answer, retryAfter(header, err)
	}, backoff.WithBackOff(delays), backoff.WithMaxTries(uint(c.options.MaxRetries)+1))
	if err == nil {
		return answer, nil
	}
	var none T
	if ctx.Err() != nil {
		return none, c.Unavailable("did not answer in time").WithCause(errors.Join(context.Cause(ctx), last))
	}
	return none, last
}

// try runs request once. again reports whether it makes sense to repeat it, and header is that of
// the answer, nil if there is none.
func try[T any](ctx context.Context, c *Client, request func(context.Context) (T, error)) (answer T, again bool, header http.Header,
	err error) {
	ctx, stop := context.WithTimeoutCause(ctx, c.options.Timeout, errTimeout)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e := &exchange{idle: c.api.IdleTimeout, limit: c.api.MaxBytes, cancel: cancel}
	answer, err = request(context.WithValue(ctx, exchangeKey{}, e))
	if err == nil {
		return answer, false, nil, nil
	}
	again, err = c.translate(ctx, e, err)
	return answer, again, e.header, err
}

// retryAfter returns err in the form by which the backoff library waits as long as the header's
// Retry-After says: err itself if there is none that can be parsed, a permanent error if it is
// longer than [LongestWait].
func retryAfter(header http.Header, err error) error {
	value := header.Get("Retry-After")
	if value == "" {
		return err
	}
	wait := time.Duration(-1)
	if seconds, parseErr := strconv.Atoi(value); parseErr == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, parseErr := http.ParseTime(value); parseErr == nil {
		wait = time.Until(at)
	}
	switch {
	case wait < 0:
		return err
	case wait > LongestWait:
		return backoff.Permanent(err)
	}
	return &backoff.RetryAfterError{Duration: wait}
}
