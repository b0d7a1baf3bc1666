package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint/endpointtest"
	"mcp-memory/memory"
)

const (
	secret = "sk-very-secret"
	words  = "private words" // what is sent, and what a server repeats in its errors
)

type (
	body    struct{ Input []string }
	request = endpointtest.Request[body]
)

// serve starts a server that only has to say how it answers.
func serve(t *testing.T, answer func(n int, w http.ResponseWriter)) *endpointtest.Server[body] {
	t.Helper()
	return endpointtest.Serve(t, func(n int, _ request, w http.ResponseWriter, _ *http.Request) { answer(n, w) })
}

func fine(w http.ResponseWriter) {
	fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1]}]}`)
}

// ask calls the embeddings API, as an example of one.
func ask(ctx context.Context, t *testing.T, url string, change func(*API, *Options)) error {
	t.Helper()
	api, options := testAPI, Options{BaseURL: url + "/v1/", APIKey: secret, Model: "test-model", RetryDelay: time.Millisecond}
	if change != nil {
		change(&api, &options)
	}
	c, err := New(api, options)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Call(ctx, c, func(ctx context.Context) (openai.EmbeddingResponse, error) {
		return c.OpenAI.CreateEmbeddings(ctx, openai.EmbeddingRequest{Input: []string{words}, Model: "test-model"})
	})
	if err == nil && len(answer.Data) != 1 {
		t.Errorf("answer %+v", answer)
	}
	return err
}

// check wants an error for people that hides what a server repeats.
func check(t *testing.T, err error, code memory.Code, says string) {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Error(), says) || e.Hint == "" {
		t.Errorf("%v, want %s with %q", err, code, says)
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if all := fmt.Sprintf("%v %+v", cause, cause); strings.Contains(all, secret) || strings.Contains(all, words) {
			t.Errorf("shows too much: %s", all)
		}
	}
}

func TestCallSends(t *testing.T) {
	server := serve(t, func(_ int, w http.ResponseWriter) { fine(w) })
	for _, key := range []string{secret, ""} {
		if err := ask(t.Context(), t, server.URL, func(_ *API, o *Options) { o.APIKey = key }); err != nil {
			t.Fatal(err)
		}
	}
	got := server.Requests()
	if r := got[0]; r.Path != "/v1/embeddings" || r.Key != "Bearer "+secret || !slices.Equal(r.Body.Input, []string{words}) {
		t.Errorf("%+v", r)
	}
	if key := got[1].Key; key != "" {
		t.Errorf("without a key: %q", key)
	}
}

// Every status has its code, its hint and its number of requests.
func TestStatuses(t *testing.T) {
	const all = 4 // one request and three repetitions
	for status, want := range map[int]struct {
		code     memory.Code
		says     string
		requests int
	}{
		400: {memory.CodeInvalidArgument, "too long for model \"test-model\", or too wide", 1},
		401: {memory.CodeUnavailable, "check the API key of the test endpoint", 1},
		402: {memory.CodeUnavailable, "check TEST_URL", 1},
		403: {memory.CodeUnavailable, "check the API key of the test endpoint", 1},
		404: {memory.CodeUnavailable, "TEST_MODEL, and TEST_URL; the address usually ends in /v1", 1},
		405: {memory.CodeUnavailable, "TEST_MODEL, and TEST_URL; the address usually ends in /v1", 1},
		408: {memory.CodeUnavailable, "check TEST_URL", 1},
		413: {memory.CodeInvalidArgument, "too long for model", 1},
		422: {memory.CodeInvalidArgument, "too long for model", 1},
		429: {memory.CodeUnavailable, "is busy", all},
		500: {memory.CodeUnavailable, "check TEST_URL", all},
		501: {memory.CodeUnavailable, "cannot do", 1},
		502: {memory.CodeUnavailable, "check TEST_URL", all},
		503: {memory.CodeUnavailable, "check TEST_URL", all},
		504: {memory.CodeUnavailable, "check TEST_URL", all},
		529: {memory.CodeUnavailable, "check TEST_URL", all},
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			server := serve(t, func(_ int, w http.ResponseWriter) {
				http.Error(w, fmt.Sprintf(`{"error":{"message":"key %s, text: %s"}}`, secret, words), status)
			})
			err := ask(t.Context(), t, server.URL, nil)
			check(t, err, want.code, want.says)
			check(t, err, want.code, fmt.Sprintf("(status %d)", status))
			if StatusOf(err) != status {
				t.Errorf("status %d of %v", StatusOf(err), err)
			}
			if n := len(server.Requests()); n != want.requests {
				t.Errorf("%d requests, want %d", n, want.requests)
			}
		})
	}
	if status := StatusOf(errors.New("another")); status != 0 {
		t.Errorf("status %d of no answer", status)
	}
}

func TestCallRetries(t *testing.T) {
	for name, failure := range map[string]func(w http.ResponseWriter){
		"500": func(w http.ResponseWriter) { http.Error(w, "oops", http.StatusInternalServerError) },
		"429": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":{"message":"slow down","type":"rate","code":"rate_limit"}}`, http.StatusTooManyRequests)
		},
		"broken off": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"data":`)
		},
		"hung up": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(n int, w http.ResponseWriter) {
				if n < 2 {
					failure(w)
					return
				}
				fine(w)
			})
			if err := ask(t.Context(), t, server.URL, nil); err != nil || len(server.Requests()) != 3 {
				t.Errorf("%v after %d requests", err, len(server.Requests()))
			}
			server = serve(t, func(_ int, w http.ResponseWriter) { failure(w) })
			err := ask(t.Context(), t, server.URL, func(_ *API, o *Options) { o.MaxRetries = -1 })
			check(t, err, memory.CodeUnavailable, "the test endpoint at 127.0.0.1")
			if n := len(server.Requests()); n != 1 {
				t.Errorf("%d requests without retries", n)
			}
		})
	}
}

// What a request returns itself is final, unless it asks to be repeated.
func TestCallOfRequestsOwnErrors(t *testing.T) {
	server := serve(t, func(_ int, w http.ResponseWriter) { fine(w) })
	c, err := New(testAPI, Options{BaseURL: server.URL, Model: "m", RetryDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	empty := c.Unavailable("gives %d words", 0)
	for name, test := range map[string]struct {
		err   error
		says  string
		tries int
	}{
		"final":        {empty, "the test endpoint at " + c.host + " gives 0 words", 1},
		"to repeat":    {Retry(empty), "gives 0 words", 4},
		"another form": {ErrForm, "does not answer in the form of OpenAI's test API", 1},
		"not sendable": {errors.New("no such model"), "cannot be asked: no such model", 1},
	} {
		tries := 0
		_, err := Call(t.Context(), c, func(ctx context.Context) (string, error) {
			tries++
			if name == "another form" {
				if _, err := c.OpenAI.CreateEmbeddings(ctx, openai.EmbeddingRequest{}); err != nil {
					t.Error(err)
				}
			}
			return "", test.err
		})
		check(t, err, memory.CodeUnavailable, test.says)
		if tries != test.tries {
			t.Errorf("%s: %d tries, want %d", name, tries, test.tries)
		}
	}
}

func TestCallHonoursRetryAfter(t *testing.T) {
	server := serve(t, func(n int, w http.ResponseWriter) {
		if n == 0 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fine(w)
	})
	start := time.Now()
	if err := ask(t.Context(), t, server.URL, nil); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(start); waited < time.Second {
		t.Errorf("asked again after %v", waited)
	}
	patient := serve(t, func(_ int, w http.ResponseWriter) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	check(t, ask(t.Context(), t, patient.URL, nil), memory.CodeUnavailable, "429")
	if n := len(patient.Requests()); n != 1 {
		t.Errorf("an hour: %d requests", n)
	}
}

func TestRetryAfter(t *testing.T) {
	busy := errors.New("busy")
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	permanent := func(err error) bool {
		var p *backoff.PermanentError
		return errors.As(err, &p)
	}
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
		if err := retryAfter(http.Header{"Retry-After": {value}}, busy); !check(err) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestCallEndsInTime(t *testing.T) {
	var server *endpointtest.Server[body]
	server = endpointtest.Serve(t, func(_ int, _ request, w http.ResponseWriter, hr *http.Request) {
		if hr.URL.Path == "/begins/v1/embeddings" {
			fmt.Fprint(w, `{"data":[`)
			w.(http.Flusher).Flush()
		}
		server.Hang(hr)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := ask(ctx, t, server.URL, nil)
	check(t, err, memory.CodeUnavailable, "in time")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline of the caller: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	err = ask(ctx, t, server.URL, nil)
	check(t, err, memory.CodeUnavailable, "in time")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled by the caller: %v", err)
	}
	before := len(server.Requests())
	err = ask(t.Context(), t, server.URL, func(_ *API, o *Options) { o.Timeout = 50 * time.Millisecond })
	check(t, err, memory.CodeUnavailable, "within 50ms")
	err = ask(t.Context(), t, server.URL+"/begins", func(a *API, _ *Options) { a.IdleTimeout = 50 * time.Millisecond })
	check(t, err, memory.CodeUnavailable, "said nothing for 50ms")
	if n := len(server.Requests()) - before; n != 2 {
		t.Errorf("%d requests, who does not answer is not asked again", n)
	}
}

// A pause before the first byte is no silence.
func TestCallWaitsForTheFirstByte(t *testing.T) {
	server := serve(t, func(_ int, w http.ResponseWriter) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		time.Sleep(300 * time.Millisecond)
		fine(w)
	})
	if err := ask(t.Context(), t, server.URL, func(a *API, _ *Options) { a.IdleTimeout = 100 * time.Millisecond }); err != nil {
		t.Error(err)
	}
}

func TestCallOfForeignAnswers(t *testing.T) {
	for name, c := range map[string]struct{ answer, says string }{
		"web page":     {"<html>" + words, "does not answer in the form of OpenAI's test API"},
		"not a number": {`{"data":[{"index":0,"embedding":[NaN]}]}`, "form of"},
		"another type": {`{"data":"` + words + `"}`, "form of"},
		"nothing":      {"", "form of"},
		"huge":         {`{"object":"` + strings.Repeat("x", 1<<20) + `"}`, "more than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(_ int, w http.ResponseWriter) { fmt.Fprint(w, c.answer) })
			check(t, ask(t.Context(), t, server.URL, nil), memory.CodeUnavailable, c.says)
			if n := len(server.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
	server := serve(t, func(_ int, w http.ResponseWriter) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, strings.Repeat("x", 2<<20))
	})
	check(t, ask(t.Context(), t, server.URL, nil), memory.CodeInvalidArgument, "400")
}

// The word by which an API names an error is shown, unless it is something else.
func TestErrorNames(t *testing.T) {
	for code, want := range map[string]string{
		"invalid_api_key": "(status 401, invalid_api_key)",
		words:             "(status 401)",
		secret:            "(status 401)",
		"hush_hush":       "(status 401)", // a key can look like a name
	} {
		server := serve(t, func(_ int, w http.ResponseWriter) {
			http.Error(w, fmt.Sprintf(`{"error":{"message":"no","code":%q}}`, code), http.StatusUnauthorized)
		})
		err := ask(t.Context(), t, server.URL, func(_ *API, o *Options) {
			if code == "hush_hush" {
				o.APIKey = code
			}
		})
		check(t, err, memory.CodeUnavailable, want)
	}
}

// Neither text nor key goes to where a server redirects.
func TestCallFollowsNoRedirect(t *testing.T) {
	elsewhere := serve(t, func(_ int, w http.ResponseWriter) { fine(w) })
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect} {
		server := endpointtest.Serve(t, func(_ int, _ request, w http.ResponseWriter, hr *http.Request) {
			http.Redirect(w, hr, elsewhere.URL+"/v1/embeddings?"+secret, status)
		})
		check(t, ask(t.Context(), t, server.URL, nil), memory.CodeUnavailable, fmt.Sprintf("redirects elsewhere (status %d)", status))
		if n, other := len(server.Requests()), len(elsewhere.Requests()); n != 1 || other != 0 {
			t.Errorf("%d: %d requests, %d elsewhere", status, n, other)
		}
	}
}

func TestCallOfServerAway(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	check(t, ask(t.Context(), t, server.URL, nil), memory.CodeUnavailable, "cannot be reached (check TEST_URL")
}

func TestWholeAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		whole  bool
	}{
		"object":        {"\r\n \t{\"a\":1}", true},
		"events":        {"\n\ndata: {\"a\":1}\n\n", false},
		"comment first": {": wait\n\ndata: {}\n\n", false},
		"web page":      {"<html>", false},
	} {
		server := serve(t, func(_ int, w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, c.answer)
		})
		client, err := New(testAPI, Options{BaseURL: server.URL, Model: "gpt-4o"})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Call(t.Context(), client, func(ctx context.Context) (string, error) {
			stream, err := client.OpenAI.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "gpt-4o"})
			if err != nil {
				return "", err
			}
			defer stream.Close()
			body, err := WholeAnswer(ctx)
			if body == nil || err != nil {
				return "", err
			}
			var object json.RawMessage
			err = json.NewDecoder(body).Decode(&object)
			return string(object), err
		})
		if err != nil || (whole == `{"a":1}`) != c.whole || (whole == "") == c.whole {
			t.Errorf("%s: %q, %v", name, whole, err)
		}
	}
	if body, err := WholeAnswer(t.Context()); body != io.Reader(nil) || err == nil {
		t.Error("an answer without a request")
	}
}
