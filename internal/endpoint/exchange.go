package endpoint

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

var (
	errRedirect = errors.New("the server redirects to another address")
	errIdle     = errors.New("the answer stopped in the middle")
	errTimeout  = errors.New("the time for a request is over")
	errTooLong  = errors.New("the answer is too long")
)

// exchange is one request and what is known of its answer. The client library hides the headers of
// error responses and does not limit what it reads. So [transport], below it, records the headers
// and limits the answer.
type exchange struct {
	idle   time.Duration
	limit  int
	cancel context.CancelCauseFunc
	sent   bool
	status int // 0 before there is an answer
	header http.Header
	body   *bufio.Reader
}

type exchangeKey struct{}

// WholeAnswer returns the body of an answer that is a JSON object, and nil for anything else, such
// as a stream of events, which never begins with a brace. Servers that cannot stream send an object
// even if a stream was asked for, some of them with a wrong content type. Call it with the context
// of [Call], after the answer has come and before any of it is read.
func WholeAnswer(ctx context.Context) (io.Reader, error) {
	e, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok || e.body == nil {
		return nil, errors.New("there is no answer to read")
	}
	for {
		b, err := e.body.ReadByte()
		if err != nil {
			return nil, err
		}
		switch b {
		case ' ', '\t', '\r', '\n': // between events, and in front of JSON
			continue
		}
		if err := e.body.UnreadByte(); err != nil || b != '{' {
			return nil, err
		}
		return e.body, nil
	}
}

// transport records status and headers in the exchange, and limits the answer's size and silence.
type transport struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	e, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("a request outside of an exchange")
	}
	e.sent = true
	response, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body := &boundedBody{ReadCloser: response.Body, exchange: e, left: e.limit}
	e.status, e.header, e.body = response.StatusCode, response.Header, bufio.NewReader(body)
	response.Body = struct {
		io.Reader
		io.Closer
	}{e.body, body}
	return response, nil
}

// boundedBody cancels the exchange if nothing comes for too long after the first byte, and fails
// after a number of bytes.
type boundedBody struct {
	io.ReadCloser
	exchange *exchange
	left     int
	timer    *time.Timer // nil before the first byte, and without a limit
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case n == 0 || b.exchange.idle <= 0:
	case b.timer == nil:
		b.timer = time.AfterFunc(b.exchange.idle, func() { b.exchange.cancel(errIdle) })
	default:
		b.timer.Reset(b.exchange.idle)
	}
	if b.left -= n; b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func (b *boundedBody) Close() error {
	if b.timer != nil {
		b.timer.Stop()
	}
	return b.ReadCloser.Close()
}
