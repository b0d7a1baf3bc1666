package endpoint

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"

	"mcp-memory/memory"
)

func TestHost(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost:11434/v1": "localhost:11434", "https://api.example.com/v1/": "api.example.com",
	} {
		if host, err := (Setting{URL: url, Key: "k-1"}).Host(); host != want || err != nil {
			t.Errorf("%s: %q, %v", url, host, err)
		}
	}
	for _, c := range []struct{ url, key, want string }{
		{"", "", "TEST_URL to a form like"},
		{"localhost:11434/v1", "", "TEST_URL to a form like"},
		{"ftp://example.com/v1", "", "TEST_URL to a form like"},
		{"http://anna:secret@example.com/v1", "", "scheme, host and path only"},
		{"http://example.com/v1?key=secret", "", "scheme, host and path only"},
		{"http://example.com/v1#secret", "", "scheme, host and path only"},
		{"http://example.com/v1", "secret key", "TEST_KEY without quotes"},
		{"http://example.com/v1", "secret\n", "TEST_KEY without quotes"},
		{"http://example.com/v1", "“secret”", "TEST_KEY without quotes"},
	} {
		_, err := Setting{Name: "the endpoint", Env: "TEST", URL: c.url, Key: c.key}.Host()
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q, %q: %v", c.url, c.key, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	busy := errors.New("busy")
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for value, check := range map[string]func(error) bool{
		"":             func(err error) bool { return err == busy },
		"soon":         func(err error) bool { return err == busy },
		"-1":           func(err error) bool { return err == busy },
		in(-time.Hour): func(err error) bool { return err == busy },
		"7": func(err error) bool {
			var after *backoff.RetryAfterError
			return errors.As(err, &after) && after.Duration == 7*time.Second
		},
		in(20 * time.Second): func(err error) bool {
			var after *backoff.RetryAfterError
			return errors.As(err, &after) && after.Duration > 0 && after.Duration <= 20*time.Second
		},
		"31":          permanent,
		in(time.Hour): permanent,
	} {
		if err := RetryAfter(http.Header{"Retry-After": {value}}, busy); !check(err) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func permanent(err error) bool {
	var p *backoff.PermanentError
	return errors.As(err, &p)
}
