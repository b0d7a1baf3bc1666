package embed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
)

// request is what a test server got.
type request struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
	path       string
	key        string
}

// endpoint is a server of the embeddings API. Its answer function gets the
// number of the request, from 0.
type endpoint struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
}

func serve(t *testing.T, answer func(n int, r request, w http.ResponseWriter, hr *http.Request)) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		var r request
		if err := json.NewDecoder(hr.Body).Decode(&r); err != nil {
			t.Errorf("request: %v", err)
		}
		r.path, r.key = hr.URL.Path, hr.Header.Get("Authorization")
		e.mu.Lock()
		e.requests = append(e.requests, r)
		n := len(e.requests) - 1
		e.mu.Unlock()
		answer(n, r, w, hr)
	}))
	t.Cleanup(e.Close)
	return e
}

type item struct {
	Index     int       `json:"index"`
	Embedding []float64 `json:"embedding"`
}

func reply(w http.ResponseWriter, items []item) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": items})
}

// vectorOf tells texts of one length from those of another.
func vectorOf(text string, dimensions int) []float64 {
	v := make([]float64, dimensions)
	v[0], v[1] = float64(len(text)), 1
	return v
}

func good(r request) []item {
	items := make([]item, len(r.Input))
	for i, text := range r.Input {
		items[i] = item{i, vectorOf(text, 4)}
	}
	return items
}

func fine(_ int, r request, w http.ResponseWriter, _ *http.Request) { reply(w, good(r)) }

func embedder(t *testing.T, url string, change func(*embed.OpenAIOptions)) *embed.OpenAI {
	t.Helper()
	options := embed.OpenAIOptions{BaseURL: url + "/v1/", Model: "test-model", Dimensions: 4, RetryDelay: time.Millisecond}
	if change != nil {
		change(&options)
	}
	e, err := embed.NewOpenAI(options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func checkVectors(t *testing.T, texts []string, got [][]float32) {
	t.Helper()
	if len(got) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(got), len(texts))
	}
	for i, v := range got {
		var length float64
		for _, x := range v {
			length += float64(x) * float64(x)
		}
		if len(v) != 4 || math.Abs(length-1) > 1e-5 {
			t.Fatalf("vector %d: %d dimensions, squared length %v", i, len(v), length)
		}
		if ratio := v[0] / v[1]; math.Abs(float64(ratio)-float64(len(texts[i]))) > 1e-2 {
			t.Fatalf("vector %d is of a text of length %v, want %d", i, ratio, len(texts[i]))
		}
	}
}

func TestOpenAIEmbedsInBatchesAndOrder(t *testing.T) {
	server := serve(t, func(_ int, r request, w http.ResponseWriter, _ *http.Request) {
		items := good(r)
		slices.Reverse(items)
		reply(w, items)
	})
	e := embedder(t, server.URL, func(o *embed.OpenAIOptions) { o.BatchSize, o.APIKey = 3, "secret" })
	texts := []string{"a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"}
	got, err := e.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, texts, got)
	if len(server.requests) != 3 {
		t.Errorf("%d requests", len(server.requests))
	}
	r := server.requests[0]
	if r.path != "/v1/embeddings" || r.key != "Bearer secret" || r.Model != "test-model" || r.Dimensions != 0 {
		t.Errorf("request %+v", r)
	}
	if e.Local() {
		t.Error("an endpoint is not local")
	}
	if got, err := e.EmbedDocuments(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func TestOpenAIQueryPrefixesAndBlanks(t *testing.T) {
	server := serve(t, fine)
	e := embedder(t, server.URL, func(o *embed.OpenAIOptions) {
		o.Model, o.RequestDimensions, o.MaxTextBytes = "nomic-embed-text:v1.5", true, 5
	})
	if _, err := e.EmbedQuery(t.Context(), "who?"); err != nil {
		t.Fatal(err)
	}
	got, err := e.EmbedDocuments(t.Context(), []string{" \n", "she", "aaaaé"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got[0], make([]float32, 4)) {
		t.Errorf("blank text: %v", got[0])
	}
	if in := server.requests[0].Input; !slices.Equal(in, []string{"search_query: who?"}) {
		t.Errorf("query sent as %q", in)
	}
	if in := server.requests[1].Input; !slices.Equal(in, []string{"search_document: she", "search_document: aaaa"}) {
		t.Errorf("documents sent as %q", in)
	}
	if server.requests[0].Dimensions != 4 {
		t.Errorf("dimensions %d", server.requests[0].Dimensions)
	}
}

func TestOpenAIFingerprintHoldsTheDocumentPrefix(t *testing.T) {
	for _, c := range []struct {
		model, document, want string
	}{
		{"text-embedding-3-small", "", ""},
		{"nomic-embed-text", "", "search_document: "},
		{"google/embeddinggemma-300m", "", "title: none | text: "},
		{"intfloat/multilingual-e5-large", "", "passage: "},
		{"multilingual-e5-large-instruct", "", ""},
		{"nomic-embed-text", embed.NoPrefix, ""},
		{"nomic-embed-text", "doc: ", "doc: "},
	} {
		e := embedder(t, "http://localhost:1", func(o *embed.OpenAIOptions) { o.Model, o.DocumentPrefix = c.model, c.document })
		if got, want := e.Fingerprint(), (memory.Fingerprint{Model: c.model, Dimensions: 4, Prefix: c.want}); got != want {
			t.Errorf("%s with %q: %v, want %v", c.model, c.document, got, want)
		}
	}
}

func TestOpenAITruncates(t *testing.T) {
	server := serve(t, func(_ int, r request, w http.ResponseWriter, _ *http.Request) {
		reply(w, []item{{0, []float64{3, 1, 0, 0, 9, 9, 9, 9}}})
	})
	got, err := embedder(t, server.URL, func(o *embed.OpenAIOptions) { o.Truncate = true }).EmbedDocuments(t.Context(), []string{"abc"})
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, []string{"abc"}, got)
	_, err = embedder(t, server.URL, nil).EmbedDocuments(t.Context(), []string{"abc"})
	if err == nil || !strings.Contains(err.Error(), "returns 8 dimensions, 4 are set") {
		t.Errorf("without truncation: %v", err)
	}
	if len(server.requests) != 2 {
		t.Errorf("%d requests, a wrong dimension is not worth a second", len(server.requests))
	}
}

func TestOpenAIRetries(t *testing.T) {
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
		"hung up": func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(n int, r request, w http.ResponseWriter, hr *http.Request) {
				if n < 2 {
					failure(w)
					return
				}
				fine(n, r, w, hr)
			})
			got, err := embedder(t, server.URL, nil).EmbedDocuments(t.Context(), []string{"abc"})
			if err != nil {
				t.Fatal(err)
			}
			checkVectors(t, []string{"abc"}, got)
		})
	}
}

func TestOpenAIHonoursRetryAfter(t *testing.T) {
	server := serve(t, func(n int, r request, w http.ResponseWriter, hr *http.Request) {
		if n == 0 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fine(n, r, w, hr)
	})
	start := time.Now()
	if _, err := embedder(t, server.URL, nil).EmbedQuery(t.Context(), "q"); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(start); waited < time.Second {
		t.Errorf("asked again after %v", waited)
	}

	patient := serve(t, func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := embedder(t, patient.URL, nil).EmbedQuery(t.Context(), "q")
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "429") || len(patient.requests) != 1 {
		t.Errorf("an hour: %v after %d requests", err, len(patient.requests))
	}
}

func TestOpenAIFailures(t *testing.T) {
	status := func(code int) func(int, request, http.ResponseWriter, *http.Request) {
		return func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"the text was: abc"}}`, code)
		}
	}
	body := func(text string) func(int, request, http.ResponseWriter, *http.Request) {
		return func(_ int, _ request, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	for name, c := range map[string]struct {
		answer   func(int, request, http.ResponseWriter, *http.Request)
		code     memory.Code
		says     string
		requests int
	}{
		"always 500":     {status(500), memory.CodeUnavailable, "MCP_MEMORY_EMBED_URL", 4},
		"401":            {status(401), memory.CodeUnavailable, "key", 1},
		"404":            {status(404), memory.CodeUnavailable, "/v1", 1},
		"400":            {status(400), memory.CodeInvalidArgument, "too long", 1},
		"web page":       {body("<html>hello</html>"), memory.CodeUnavailable, "form of OpenAI's API", 1},
		"not a number":   {body(`{"data":[{"index":0,"embedding":[NaN,1,1,1]}]}`), memory.CodeUnavailable, "form", 1},
		"empty object":   {body(`{}`), memory.CodeUnavailable, "0 vectors for 2 texts", 1},
		"one is missing": {body(`{"data":[{"index":0,"embedding":[1,1,1,1]}]}`), memory.CodeUnavailable, "1 vectors for 2 texts", 1},
		"one twice": {
			body(`{"data":[{"index":0,"embedding":[1,1,1,1]},{"index":0,"embedding":[1,1,1,1]}]}`),
			memory.CodeUnavailable, "numbers", 1,
		},
		"index too large": {
			body(`{"data":[{"index":0,"embedding":[1,1,1,1]},{"index":2,"embedding":[1,1,1,1]}]}`),
			memory.CodeUnavailable, "numbers", 1,
		},
		"too short": {
			body(`{"data":[{"index":0,"embedding":[1,1,1]},{"index":1,"embedding":[1,1,1]}]}`),
			memory.CodeUnavailable, "returns 3 dimensions, 4 are set", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, c.answer)
			_, err := embedder(t, server.URL, nil).EmbedDocuments(t.Context(), []string{"abc", "de"})
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(e.Error(), c.says) || e.Hint == "" {
				t.Errorf("%v, want %s with %q", err, c.code, c.says)
			}
			if e != nil && strings.Contains(e.Error(), "the text was") {
				t.Errorf("shows the server's words: %v", e)
			}
			if len(server.requests) != c.requests {
				t.Errorf("%d requests, want %d", len(server.requests), c.requests)
			}
		})
	}
}

func TestOpenAIServerAway(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	_, err := embedder(t, server.URL, nil).EmbedQuery(t.Context(), "q")
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "MCP_MEMORY_EMBED_URL") {
		t.Errorf("%v", err)
	}
}

func TestOpenAINoAnswer(t *testing.T) {
	released := make(chan struct{})
	server := serve(t, func(_ int, _ request, _ http.ResponseWriter, hr *http.Request) {
		select {
		case <-hr.Context().Done():
		case <-released:
		}
	})
	t.Cleanup(func() { close(released) }) // before the server waits for its handlers
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := embedder(t, server.URL, nil).EmbedQuery(ctx, "q")
	if memory.CodeOf(err) != memory.CodeUnavailable || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline of the caller: %v", err)
	}
	_, err = embedder(t, server.URL, func(o *embed.OpenAIOptions) { o.Timeout = 50 * time.Millisecond }).EmbedQuery(t.Context(), "q")
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "within 50ms") {
		t.Errorf("timeout of a request: %v", err)
	}
}

func TestNewOpenAIRefusesOptions(t *testing.T) {
	ok := embed.OpenAIOptions{BaseURL: "http://localhost:11434/v1", Model: "m", Dimensions: 768}
	for name, change := range map[string]func(*embed.OpenAIOptions){
		"no address":     func(o *embed.OpenAIOptions) { o.BaseURL = "" },
		"no scheme":      func(o *embed.OpenAIOptions) { o.BaseURL = "localhost:11434/v1" },
		"another scheme": func(o *embed.OpenAIOptions) { o.BaseURL = "ftp://localhost/v1" },
		"a user":         func(o *embed.OpenAIOptions) { o.BaseURL = "https://me:hidden@host/v1" },
		"no URL":         func(o *embed.OpenAIOptions) { o.BaseURL = "http://[::1/hidden" },
		"no model":       func(o *embed.OpenAIOptions) { o.Model = " " },
		"no dimensions":  func(o *embed.OpenAIOptions) { o.Dimensions = 0 },
		"negative":       func(o *embed.OpenAIOptions) { o.Dimensions = -1 },
	} {
		options := ok
		change(&options)
		_, err := embed.NewOpenAI(options)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeInvalidArgument || e.Hint == "" || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := embed.NewOpenAI(ok); err != nil {
		t.Error(err)
	}
}
