// Package endpoint is what the clients of OpenAI-compatible servers share.
// Packages embed and llm keep what differs: what is asked, and how an answer
// is read.
//
//   - [Options] are what a user sets, checked and completed by [New]. An
//     address is scheme, host and path; only its host ever stands in an error.
//   - [Call] sends a request, bounds its answer in time, silence and size,
//     and repeats it where that may help: with growing delays, or when the
//     server says with Retry-After, up to [LongestWait].
//   - One table says what an HTTP status means: which [memory.Code] it
//     becomes, whether the request is repeated, and what a user can do.
//   - Redirects are not followed: text and key go to the address that the
//     user has set, and nowhere else.
//
// Errors are of the domain. They never hold a server's own words, which may
// quote the key or the text, but for the one word by which an API names an
// error, such as "context_length_exceeded".
package endpoint

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/memory"
)

// API is what a client of one of the server's APIs knows of it.
type API struct {
	Name        string        // as in "the embedding endpoint", for errors
	Env         string        // beginning of its environment variables, as in MCP_MEMORY_EMBED
	Form        string        // as in "OpenAI's embeddings API", for errors
	Refused     string        // end of the hint where a request is refused: what to do about its size or form
	Timeout     time.Duration // of one request, if the options have none
	IdleTimeout time.Duration // of the silence after an answer has begun; 0 for no bound
	MaxBytes    int           // of an answer, packaging included
}

// Options say which endpoint is asked and how. BaseURL and Model are required;
// every other zero value has a default.
type Options struct {
	// BaseURL is the address before the API's own path, such as
	// "http://localhost:11434/v1" or "https://api.openai.com/v1".
	BaseURL string
	APIKey  string // sent as a bearer token; empty sends none
	Model   string // as the server names it
	// Timeout bounds one request with its answer; the default is the API's.
	Timeout time.Duration
	// MaxRetries is how often a request is repeated; 3, and none if negative.
	MaxRetries int
	// RetryDelay is the time before the first repetition, about doubled for
	// each further one unless the server names a time; 500 ms.
	RetryDelay time.Duration
}

// Client asks one endpoint. Safe for concurrent use.
type Client struct {
	// OpenAI sends the requests, in the context that [Call] gives.
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
	// The library gives up after that many lines of a stream without data in a
	// row, such as the comments by which a busy server stays connected. The
	// limit on bytes bounds them as well as anything.
	config.EmptyMessagesLimit = uint(api.MaxBytes)
	config.HTTPClient = &http.Client{
		Transport:     transport{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return &Client{OpenAI: openai.NewClientWithConfig(config), api: api, options: o, host: host}, nil
}

// check returns the address's host. Its errors show neither path nor key.
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

// Unavailable is the error for an endpoint that does not do what it should.
// The message begins with its name and host: "gives an empty answer".
func (c *Client) Unavailable(format string, args ...any) *memory.Error {
	return c.errorf(memory.CodeUnavailable, format, args...).WithHint("%s", c.urlHint())
}

func (c *Client) urlHint() string { return "check " + c.api.Env + "_URL and that the server runs" }

func (c *Client) errorf(code memory.Code, format string, args ...any) *memory.Error {
	return memory.Errorf(code, "%s at %s "+format, append([]any{c.api.Name, c.host}, args...)...)
}
