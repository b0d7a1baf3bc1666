package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/endpoint"
	"mcp-memory/internal/endpoint/endpointtest"
	"mcp-memory/llm"
)

// body is what a test server is asked.
type body struct {
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
}

func (b body) format() string {
	if b.ResponseFormat == nil {
		return ""
	}
	return b.ResponseFormat.Type
}

type (
	request  = endpointtest.Request[body]
	answerer = endpointtest.Answer[body]
	server   struct{ *endpointtest.Server[body] }
)

func serve(t *testing.T, answer answerer) server {
	t.Helper()
	return server{endpointtest.Serve(t, answer)}
}

// got returns what was asked so far.
func (s server) got() []body {
	var bodies []body
	for _, r := range s.Requests() {
		bodies = append(bodies, r.Body)
	}
	return bodies
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
	options := llm.OpenAIOptions{Options: endpoint.Options{BaseURL: url + "/v1/", APIKey: secret, Model: "test-model",
		RetryDelay: time.Millisecond}}
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
