package embed_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/internal/endpoint"
	"mcp-memory/internal/endpoint/endpointtest"
	"mcp-memory/memory"
)

// body is what a test server is asked.
type body struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
}

type (
	request  = endpointtest.Request[body]
	answerer = endpointtest.Answer[body]
)

func serve(t *testing.T, answer answerer) *endpointtest.Server[body] {
	t.Helper()
	return endpointtest.Serve(t, answer)
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
	items := make([]item, len(r.Body.Input))
	for i, text := range r.Body.Input {
		items[i] = item{i, vectorOf(text, 4)}
	}
	return items
}

func fine(_ int, r request, w http.ResponseWriter, _ *http.Request) { reply(w, good(r)) }

func embedder(t *testing.T, url string, change func(*embed.OpenAIOptions)) *embed.OpenAI {
	t.Helper()
	options := embed.OpenAIOptions{
		Options:    endpoint.Options{BaseURL: url + "/v1/", Model: "test-model", RetryDelay: time.Millisecond},
		Dimensions: 4,
	}
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
	requests := server.Requests()
	if len(requests) != 3 {
		t.Fatalf("%d requests", len(requests))
	}
	if r := requests[0]; r.Path != "/v1/embeddings" || r.Key != "Bearer secret" || r.Body.Model != "test-model" || r.Body.Dimensions != 0 {
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
	if in := server.Requests()[0].Body.Input; !slices.Equal(in, []string{"search_query: who?"}) {
		t.Errorf("query sent as %q", in)
	}
	if in := server.Requests()[1].Body.Input; !slices.Equal(in, []string{"search_document: she", "search_document: aaaa"}) {
		t.Errorf("documents sent as %q", in)
	}
	if n := server.Requests()[0].Body.Dimensions; n != 4 {
		t.Errorf("dimensions %d", n)
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
	if n := len(server.Requests()); n != 2 {
		t.Errorf("%d requests, a wrong dimension is not worth a second", n)
	}
}

// A request is repeated where that may help, like every one of package endpoint.
func TestOpenAIRetries(t *testing.T) {
	server := serve(t, func(n int, r request, w http.ResponseWriter, hr *http.Request) {
		if n == 0 {
			http.Error(w, "oops", http.StatusInternalServerError)
			return
		}
		fine(n, r, w, hr)
	})
	got, err := embedder(t, server.URL, nil).EmbedDocuments(t.Context(), []string{"abc"})
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, []string{"abc"}, got)
}

func TestOpenAIFailures(t *testing.T) {
	status := func(code int) answerer {
		return func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"the text was: abc"}}`, code)
		}
	}
	body := func(text string) answerer {
		return func(_ int, _ request, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	for name, c := range map[string]struct {
		answer   answerer
		code     memory.Code
		says     string
		requests int
	}{
		"always 500":     {status(500), memory.CodeUnavailable, "MCP_MEMORY_EMBED_URL", 4},
		"400":            {status(400), memory.CodeInvalidArgument, "parameter dimensions", 1},
		"web page":       {body("<html>hello</html>"), memory.CodeUnavailable, "form of OpenAI's embeddings API", 1},
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
			if n := len(server.Requests()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func TestNewOpenAIRefusesOptions(t *testing.T) {
	ok := embed.OpenAIOptions{Options: endpoint.Options{BaseURL: "http://localhost:11434/v1", Model: "m"}, Dimensions: 768}
	for name, change := range map[string]func(*embed.OpenAIOptions){
		"no address":    func(o *embed.OpenAIOptions) { o.BaseURL = "" },
		"no dimensions": func(o *embed.OpenAIOptions) { o.Dimensions = 0 },
		"negative":      func(o *embed.OpenAIOptions) { o.Dimensions = -1 },
	} {
		options := ok
		change(&options)
		_, err := embed.NewOpenAI(options)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeInvalidArgument || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := embed.NewOpenAI(ok); err != nil {
		t.Error(err)
	}
}
