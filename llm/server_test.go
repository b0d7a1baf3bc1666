package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/llm"
)

// request is what a test server got.
type request struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	MaxTokens           int     `json:"max_tokens"`
	MaxCompletionTokens int     `json:"max_completion_tokens"`
	Temperature         float64 `json:"temperature"`
	Stream              bool    `json:"stream"`
	ResponseFormat      *struct {
		Type       string `json:"type"`
		JSONSchema *struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	path string
	key  string
}

func (r request) format() string {
	if r.ResponseFormat == nil {
		return ""
	}
	return r.ResponseFormat.Type
}

// endpoint is a server of the chat API. Its answer function gets the number of
// the request, from 0.
type endpoint struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	released chan struct{} // closed at the end of the test
}

type answerer func(n int, r request, w http.ResponseWriter, hr *http.Request)

func serve(t *testing.T, answer answerer) *endpoint {
	t.Helper()
	e := &endpoint{released: make(chan struct{})}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		var r request
		if err := json.NewDecoder(hr.Body).Decode(&r); err != nil {
			t.Errorf("request: %v", err)
		}
		r.path, r.key = hr.URL.Path, hr.Header.Get("Authorization")
		e.mu.Lock()
		n := len(e.requests)
		e.requests = append(e.requests, r)
		e.mu.Unlock()
		answer(n, r, w, hr)
	}))
	t.Cleanup(e.Close)
	t.Cleanup(func() { close(e.released) }) // before the server waits for its handlers
	return e
}

// got returns the requests so far.
func (e *endpoint) got() []request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]request(nil), e.requests...)
}

// hang keeps a request open until its client is gone.
func (e *endpoint) hang(hr *http.Request) {
	select {
	case <-hr.Context().Done():
	case <-e.released:
	}
}

// event writes one piece of an answer.
func event(w http.ResponseWriter, content, finish string) {
	reason := any(nil)
	if finish != "" {
		reason = finish
	}
	raw, _ := json.Marshal(map[string]any{"id": "1", "object": "chat.completion.chunk", "choices": []any{
		map[string]any{"index": 0, "delta": map[string]any{"content": content}, "finish_reason": reason},
	}})
	fmt.Fprintf(w, "data: %s\n\n", raw)
	w.(http.Flusher).Flush()
}

// stream answers with a text in pieces.
func stream(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for len(text) > 0 {
		n := min(len(text), 4096)
		for n < len(text) && text[n]&0xC0 == 0x80 {
			n++
		}
		event(w, text[:n], "")
		text = text[n:]
	}
	event(w, "", "stop")
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// says answers the requests with texts in turn, the last one for all others.
func says(texts ...string) answerer {
	return func(n int, _ request, w http.ResponseWriter, _ *http.Request) {
		stream(w, texts[min(n, len(texts)-1)])
	}
}

const secret = "sk-very-secret"

func chat(t *testing.T, url string, change func(*llm.OpenAIOptions)) *llm.OpenAI {
	t.Helper()
	options := llm.OpenAIOptions{BaseURL: url + "/v1/", APIKey: secret, Model: "test-model", RetryDelay: time.Millisecond}
	if change != nil {
		change(&options)
	}
	c, err := llm.NewOpenAI(options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var question = llm.Request{
	Messages:  []llm.Message{{Role: "system", Content: "Be short."}, {Role: "user", Content: "private words"}},
	MaxTokens: 100,
}

var long = strings.Repeat("x", 5<<20)
