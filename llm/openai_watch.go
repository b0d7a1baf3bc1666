package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

var (
	errIdle    = errors.New("the answer stopped in the middle")
	errTimeout = errors.New("the time for a request is over")
	errTooLong = errors.New("the answer is too long")
)

// exchange is one request and what is known of its answer. The client hides
// headers of refusals and does not limit what it reads, so both is done below
// it, in [watcher].
type exchange struct {
	idle   time.Duration
	cancel context.CancelCauseFunc
	sent   bool
	status int // 0 before there is an answer
	header http.Header
}

type exchangeKey struct{}

func (e *exchange) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, e)
}

// watcher is a transport that notes how an exchange goes and bounds the
// answer in size and in silence.
type watcher struct{ transport http.RoundTripper }

func (w watcher) RoundTrip(r *http.Request) (*http.Response, error) {
	e, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("a request outside of an exchange")
	}
	e.sent = true
	response, err := w.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	e.status, e.header = response.StatusCode, response.Header
	response.Body = &watchedBody{ReadCloser: response.Body, exchange: e, left: maxAnswerBytes}
	return response, nil
}

// watchedBody ends an exchange that says nothing for too long after its first
// byte, and reads a limited number of bytes.
type watchedBody struct {
	io.ReadCloser
	exchange *exchange
	left     int
	timer    *time.Timer
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && b.timer == nil {
		b.timer = time.AfterFunc(b.exchange.idle, func() { b.exchange.cancel(errIdle) })
	} else if n > 0 {
		b.timer.Reset(b.exchange.idle)
	}
	if b.left -= n; b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func (b *watchedBody) Close() error {
	if b.timer != nil {
		b.timer.Stop()
	}
	return b.ReadCloser.Close()
}
