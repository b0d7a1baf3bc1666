package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/memory"
)

// refusal is the meaning of an HTTP status of 400 or more.
type refusal struct {
	statuses []int
	code     memory.Code
	retried  bool
	says     string                 // message behind the endpoint's name and host
	hint     func(c *Client) string // nil for the hint of [Client.Unavailable]
}

// refusals are the statuses with a meaning of their own. Only those that may be due to what was
// asked are [memory.CodeInvalidArgument].
var refusals = []refusal{
	{
		statuses: []int{http.StatusUnauthorized, http.StatusForbidden}, code: memory.CodeUnavailable, says: "does not accept the key",
		hint: func(c *Client) string { return "check the API key of " + c.api.Name },
	},
	{
		statuses: []int{http.StatusNotFound, http.StatusMethodNotAllowed},
		code:     memory.CodeUnavailable, says: "does not know the path or the model",
		hint: func(c *Client) string {
			return fmt.Sprintf("check model %q in %s_MODEL, and %[2]s_URL; the address usually ends in /v1", c.options.Model, c.api.Env)
		},
	},
	{
		statuses: []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity},
		code:     memory.CodeInvalidArgument, says: "refuses the request",
		hint: func(c *Client) string {
			return fmt.Sprintf("a text may be too long for model %q%s", c.options.Model, c.api.Refused)
		},
	},
	{statuses: []int{http.StatusTooManyRequests}, code: memory.CodeUnavailable, retried: true, says: "is busy"},
	{statuses: []int{http.StatusNotImplemented}, code: memory.CodeUnavailable, says: "cannot do what was asked"},
}

// refusalOf returns the meaning of a status. Other errors of the server (500 and above) are
// retried.
func refusalOf(status int) refusal {
	for _, r := range refusals {
		if slices.Contains(r.statuses, status) {
			return r
		}
	}
	return refusal{code: memory.CodeUnavailable, retried: status >= 500, says: "answers with an error"}
}

// statusError is the cause of an error that is due to an HTTP status.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("status %d", int(s)) }

// StatusOf returns the HTTP status, 400 or more, that caused an error of [Call], 0 if none did.
func StatusOf(err error) int {
	var status statusError
	errors.As(err, &status)
	return int(status)
}

// translate translates the error of a request into one of the domain, and reports whether it makes
// sense to repeat the request.
func (c *Client) translate(ctx context.Context, e *exchange, cause error) (again bool, err error) {
	var retry retryError
	var ours *memory.Error
	var inAnswer *openai.APIError
	switch {
	case errors.As(cause, &retry):
		return true, retry.err
	case errors.As(cause, &ours):
		return false, ours
	case errors.Is(cause, errRedirect):
		return false, c.Unavailable("redirects elsewhere (status %d)", e.status).
			WithHint("set %s_URL to the address that it redirects to", c.api.Env)
	case e.status >= http.StatusBadRequest:
		return c.refused(e.status, cause)
	case errors.Is(cause, errTooLong):
		return false, c.Unavailable("answers with more than %d bytes", c.api.MaxBytes).WithCause(errTooLong)
	case ctx.Err() != nil:
		// A server that was silent for that long will not do better at once.
		if errors.Is(context.Cause(ctx), errIdle) {
			return false, c.Unavailable("did not answer to the end: it said nothing for %v", c.api.IdleTimeout).WithCause(errIdle)
		}
		return false, c.Unavailable("did not answer within %v", c.options.Timeout).WithCause(context.Cause(ctx))
	case errors.As(cause, &inAnswer):
		return true, c.Unavailable("answers with an error%s", c.errorName(cause))
	case e.status != 0 && foreign(cause):
		return false, c.Unavailable("does not answer in the form of %s", c.api.Form).
			WithHint("%s; the address usually ends in /v1", c.urlHint())
	case e.status != 0:
		return true, c.Unavailable("breaks off").WithCause(cause)
	case !e.sent:
		return false, c.Unavailable("cannot be asked: %v", cause).WithHint("set %s_MODEL to a model of %s", c.api.Env, c.api.Form)
	}
	return true, c.Unavailable("cannot be reached").WithCause(cause)
}

// foreign reports whether an error means that an answer is not in the form of the API. A stream or
// object that ends in the middle is not meant: there the connection broke.
func foreign(err error) bool {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	return errors.Is(err, ErrForm) || errors.As(err, &syntax) || errors.As(err, &wrongType) || errors.Is(err, io.EOF)
}

// refused returns the error for an HTTP status.
func (c *Client) refused(status int, cause error) (again bool, err error) {
	r := refusalOf(status)
	refused := c.errorf(r.code, "%s (status %d%s)", r.says, status, c.errorName(cause))
	hint := c.urlHint()
	if r.hint != nil {
		hint = r.hint(c)
	}
	return r.retried, refused.WithHint("%s", hint).WithCause(statusError(status))
}

// errorName returns ", " and the word by which an API names an error, such as
// "context_length_exceeded", or "".
func (c *Client) errorName(err error) string {
	var api *openai.APIError
	if !errors.As(err, &api) {
		return ""
	}
	noWord := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }
	for _, word := range []string{fmt.Sprint(api.Code), api.Type} {
		if word != "" && len(word) <= 40 && !strings.ContainsFunc(word, noWord) && !strings.Contains(c.options.APIKey, word) {
			return ", " + word
		}
	}
	return ""
}
