package endpoint

import (
	"errors"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

var testAPI = API{
	Name: "the test endpoint", Env: "TEST", Form: "OpenAI's test API", Refused: ", or too wide",
	Timeout: time.Minute, IdleTimeout: time.Minute, MaxBytes: 1 << 20,
}

func TestNewTakesOptions(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost:11434/v1": "localhost:11434", "https://api.example.com/v1/": "api.example.com",
	} {
		c, err := New(testAPI, Options{BaseURL: url, APIKey: "k-1", Model: "m"})
		if err != nil || c.host != want || strings.HasSuffix(c.options.BaseURL, "/") {
			t.Errorf("%s: %+v, %v", url, c, err)
		}
	}
	defaults := Options{BaseURL: "http://h", Model: "m", Timeout: time.Minute, MaxRetries: 3, RetryDelay: 500 * time.Millisecond}
	none := defaults
	none.MaxRetries = 0
	for retries, want := range map[int]Options{0: defaults, -1: none} {
		if got := (Options{BaseURL: "http://h/", Model: "m", MaxRetries: retries}).withDefaults(testAPI); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestNewRefusesOptions(t *testing.T) {
	for _, c := range []struct{ url, key, model, want string }{
		{"", "", "m", "TEST_URL to a form like"},
		{"localhost:11434/v1", "", "m", "TEST_URL to a form like"},
		{"ftp://example.com/v1", "", "m", "TEST_URL to a form like"},
		{"http://[::1/secret", "", "m", "TEST_URL to a form like"},
		{"http://anna:secret@example.com/v1", "", "m", "scheme, host and path only"},
		{"http://example.com/v1?key=secret", "", "m", "scheme, host and path only"},
		{"http://example.com/v1#secret", "", "m", "scheme, host and path only"},
		{"http://example.com/v1", "secret key", "m", "TEST_KEY without quotes"},
		{"http://example.com/v1", "secret\n", "m", "TEST_KEY without quotes"},
		{"http://example.com/v1", "“secret”", "m", "TEST_KEY without quotes"},
		{"http://example.com/v1", "secret", " ", "TEST_MODEL to a name"},
	} {
		_, err := New(testAPI, Options{BaseURL: c.url, APIKey: c.key, Model: c.model})
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeInvalidArgument || !strings.Contains(e.Hint, c.want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q, %q, %q: %v", c.url, c.key, c.model, err)
		}
	}
}
