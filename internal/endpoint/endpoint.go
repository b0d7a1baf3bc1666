// Package endpoint has what the adapters of OpenAI-compatible servers share:
// the check of an address and a key, and how long to wait before asking again.
package endpoint

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"mcp-memory/memory"
)

// Setting says where an endpoint is, and how a user calls it.
type Setting struct {
	Name string // as in "the embedding endpoint", for errors
	Env  string // beginning of its environment variables, as in MCP_MEMORY_EMBED
	URL  string // scheme, host and path
	Key  string // "" for none
}

// Host returns the address's host, the only part of it that errors may show.
// Its error is [memory.CodeInvalidArgument] and shows neither path nor key.
func (s Setting) Host() (string, error) {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", memory.Errorf(memory.CodeInvalidArgument, "%s has no usable address", s.Name).
			WithHint("set %s_URL to a form like http://localhost:11434/v1", s.Env)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", memory.Errorf(memory.CodeInvalidArgument, "the address of %s at %s has a user, a query or a fragment", s.Name, u.Host).
			WithHint("%s_URL is scheme, host and path only; a key has a setting of its own", s.Env)
	case strings.ContainsFunc(s.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", memory.Errorf(memory.CodeInvalidArgument, "the key of %s at %s has a blank or a character that no header may have", s.Name, u.Host).
			WithHint("set %s_KEY without quotes, blanks and line ends", s.Env)
	}
	return u.Host, nil
}

// LongestWait is the most that an endpoint's Retry-After is honoured for. What
// has to wait longer is put back by whoever asked.
const LongestWait = 30 * time.Second

// RetryAfter wraps err for the backoff library in the waiting time that the
// header asks for: err itself if it asks for none that can be read, and a
// permanent error if it asks for more than [LongestWait].
func RetryAfter(header http.Header, err error) error {
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
