// Package endpoint has what the clients of OpenAI-compatible servers share. What differs is in
// packages embed and llm: what is asked, and how an answer is read.
//
//   - [Options] are what a user sets, checked and completed by [New]. An address is scheme, host
//     and path. Errors contain only its host.
//   - [Call] sends a request, limits its answer in time, silence and size, and repeats it where
//     that may help: after growing delays, or when the server says so with Retry-After, up to
//     [LongestWait].
//   - One table says what an HTTP status means: which [memory.Code] it becomes, whether the
//     request is repeated, and what a user can do.
//   - Redirects are not followed: text and key go only to the address that the user has set.
//
// Errors are of the domain. They never contain a server's own words, which may quote the key or the
// text, except for the one word by which an API names an error, such as "context_length_exceeded".
package endpoint

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/memory"
)

// API describes one of the server's APIs to [New].
type API struct {
	Name        string        // as in "the embedding endpoint", for errors
	Env         string        // prefix of its environment variables, as in MCP_MEMORY_EMBED
	Form        string        // as in "OpenAI's embeddings API", for errors
	Refused     string        // end of the hint when a request is refused: what to do about its size or form
	Timeout     time.Duration // of one request, unless the options set one
	IdleTimeout time.Duration // of the silence after an answer has begun; 0 for no limit
	MaxBytes    int           // of an answer, protocol overhead included
}

// Options say which endpoint is asked and how. BaseURL and Model are required; the zero value of
// every other field stands for a default.
type Options struct {
	// BaseURL is the address before the API's own path, such as
	// "http://localhost:11434/v1" or "https://api.openai.com/v1".
	BaseURL string
	APIKey  string // sent as a bearer token; empty sends none
	Model   string // as the server names it
	// Timeout bounds one request with its answer; the default is the API's.
	Timeout time.Duration
	// MaxRetries is how often a request is repeated; 3 by default, never if negative.
	MaxRetries int
	// RetryDelay is the time before the first repetition; 500 ms by default. It about doubles with
	// each further one, unless the server says when.
	RetryDelay time.Duration
}

// Client asks one endpoint. Safe for concurrent use.
type Client struct {
	// OpenAI sends the requests; use it with the context that [Call] gives.
	OpenAI  *openai.Client
	api     API
	options Options
	host    string // for messages; the address could hold a secret
}

// New returns a client without asking the endpoint anything.
// [memory.CodeInvalidArgument] names the option that is missing or wrong.
func New(api API, o Options) (*Client, error) {
	host, err := o.check(api)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults(api)
	config := openai.DefaultConfig(o.APIKey)
	config.BaseURL = o.BaseURL
	// The library fails after this many lines in a row without data in a stream, such as the
	// comments by which a busy server keeps the connection. MaxBytes already limits them.
	config.EmptyMessagesLimit = uint(api.MaxBytes)
	config.HTTPClient = &http.Client{
		Transport:     transport{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return &Client{OpenAI: openai.NewClientWithConfig(config), api: api, options: o, host: host}, nil
}

// check returns the host of BaseURL. Its errors contain neither path nor key.
func (o Options) check(api API) (host string, err error) {
	u, err := url.Parse(o.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", memory.Errorf(memory.CodeInvalidArgument, "%s has no usable address", api.Name).
			WithHint("set %s_URL to a form like http://localhost:11434/v1", api.Env)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", memory.Errorf(memory.CodeInvalidArgument, "the address of %s at %s has a user, a query or a fragment", api.Name, u.Host).
			WithHint("%s_URL is scheme, host and path only; a key has a setting of its own", api.Env)
	case strings.ContainsFunc(o.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", memory.Errorf(memory.CodeInvalidArgument, "the key of %s at %s has a blank or a character that no header may have",
			api.Name, u.Host).
			WithHint("set %s_KEY without quotes, blanks and line ends", api.Env)
	case strings.TrimSpace(o.Model) == "":
		return "", memory.Errorf(memory.CodeInvalidArgument, "%s at %s has no model", api.Name, u.Host).
			WithHint("set %s_MODEL to a name that the server knows", api.Env)
	}
	return u.Host, nil
}

func (o Options) withDefaults(api API) Options {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	if o.Timeout <= 0 {
		o.Timeout = api.Timeout
	}
	if o.RetryDelay <= 0 {
		o.RetryDelay = 500 * time.Millisecond
	}
	switch {
	case o.MaxRetries == 0:
		o.MaxRetries = 3
	case o.MaxRetries < 0:
		o.MaxRetries = 0
	}
	return o
}

// Unavailable returns the error for an endpoint that does not do what it should. The message is the
// endpoint's name and host, followed by format, such as "gives an empty answer".
func (c *Client) Unavailable(format string, args ...any) *memory.Error {
	return c.errorf(memory.CodeUnavailable, format, args...).WithHint("%s", c.urlHint())
}

func (c *Client) urlHint() string { return "check " + c.api.Env + "_URL and that the server runs" }

func (c *Client) errorf(code memory.Code, format string, args ...any) *memory.Error {
	return memory.Errorf(code, "%s at %s "+format, append([]any{c.api.Name, c.host}, args...)...)
}
