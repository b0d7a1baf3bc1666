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

// LongestWait is the most that an endpoint's Retry-After is honoured for. What
// has to wait longer is put back by whoever asked.
const LongestWait = 30 * time.Second

// ErrForm is what a request returns for an answer that has not the API's form.
var ErrForm = errors.New("the answer has another form")

// retryError marks an error after which a request is repeated.
type retryError struct{ err *memory.Error }

func (r retryError) Error() string { return r.err.Error() }

// Retry returns an error by which a request asks to be repeated, and which
// [Call] returns without the mark if no repetition helps.
func Retry(err *memory.Error) error { return retryError{err} }

// Call runs request, which sends one request by c.OpenAI with the context that
// it gets, and repeats it where that may help. What the library reports is
// translated; an error of the domain that request makes itself is final, and
// so is [ErrForm]. Errors are [memory.CodeInvalidArgument] where the server
// refuses what was asked, see [StatusOf], and else [memory.CodeUnavailable].
func Call[T any](ctx context.Context, c *Client, request func(context.Context) (T, error)) (T, error) {
	delays := backoff.NewExponentialBackOff()
	delays.InitialInterval = c.options.RetryDelay
	delays.Multiplier = 2
	delays.MaxInterval = LongestWait
	var last error // what backoff replaces by RetryAfterError or the context's error
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

// try runs request once and reports whether it makes sense to run it again,
// and the header of an answer if there is one.
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

// retryAfter wraps err for the backoff library in the waiting time that the
// header asks for: err itself if it asks for none that can be read, and a
// permanent error if it asks for more than [LongestWait].
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
