package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/endpoint"
	"mcp-memory/llm"
	"mcp-memory/memory"
)

func TestOpenAIStreams(t *testing.T) {
	text := strings.Repeat("Grüße aus Köln. ", 1000)
	server := serve(t, says(text))
	got, err := chat(t, server.URL, nil).Complete(t.Context(), question)
	if err != nil || got != text {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	sent := server.Requests()[0]
	if sent.Path != "/v1/chat/completions" || sent.Key != "Bearer "+secret {
		t.Errorf("request %+v", sent)
	}
	r := sent.Body
	if r.Model != "test-model" || !r.Stream ||
		r.MaxTokens != 100 || r.Temperature < 0.01 || r.Temperature > 0.5 || r.ResponseFormat != nil {
		t.Errorf("request %+v", r)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != "system" || r.Messages[1].Content != "private words" {
		t.Errorf("messages %+v", r.Messages)
	}
}

// Busy servers send comments while a request waits in their queue.
func TestOpenAIReadsPastComments(t *testing.T) {
	server := serve(t, func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
		for range 2000 {
			fmt.Fprint(w, ": keep-alive\n\n")
		}
		event(w, "done", "stop")
		fmt.Fprint(w, "data: [DONE]\n\n")
	})
	if got, err := chat(t, server.URL, nil).Complete(t.Context(), question); err != nil || got != "done" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestOpenAISilence(t *testing.T) {
	var server server
	server = serve(t, func(_ int, _ request, w http.ResponseWriter, hr *http.Request) {
		event(w, "The first words", "")
		server.Hang(hr)
	})
	c := chat(t, server.URL, func(o *llm.OpenAIOptions) { o.IdleTimeout = 50 * time.Millisecond })
	_, err := c.Complete(t.Context(), question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "said nothing for 50ms") {
		t.Errorf("%v", err)
	}
	if n := len(server.got()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// A server that cannot stream gives its answer in one piece, under whatever type.
func TestOpenAITakesWholeAnswers(t *testing.T) {
	const answer = `
{
  "object": "chat.completion",
  "choices": [
    {"index": 1, "message": {"content": "another"}},
    {"index": 0, "message": {"role": "assistant", "content": "first line\nsecond line"}, "finish_reason": "stop"}
  ],
  "error": null
}`
	for _, kind := range []string{"application/json", "application/json; charset=utf-8", "text/event-stream", "text/plain"} {
		server := serve(t, func(_ int, r request, w http.ResponseWriter, _ *http.Request) {
			if !r.Body.Stream {
				t.Error("no stream is asked for")
			}
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, answer)
		})
		got, err := chat(t, server.URL, nil).Complete(t.Context(), question)
		if n := len(server.got()); err != nil || got != "first line\nsecond line" || n != 1 {
			t.Errorf("%s: %q, %v after %d requests", kind, got, err, n)
		}
	}
}

func TestOpenAIRetries(t *testing.T) {
	for name, failure := range map[string]func(w http.ResponseWriter){
		"500": func(w http.ResponseWriter) { http.Error(w, "oops", http.StatusInternalServerError) },
		"broken off": func(w http.ResponseWriter) {
			event(w, "The first", "")
			panic(http.ErrAbortHandler)
		},
		"error in the stream": func(w http.ResponseWriter) {
			event(w, "The first", "")
			fmt.Fprint(w, "data: {\"error\":{\"message\":\"overloaded\",\"type\":\"overloaded_error\"}}\n\n")
		},
		"error in one piece": func(w http.ResponseWriter) { fmt.Fprint(w, `{"error":"overloaded"}`) },
		"broken off in one piece": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"choices":[{"message":{"content":"The first`)
		},
		"nothing said": func(w http.ResponseWriter) { stream(w, " \n") },
		"nothing said in one piece": func(w http.ResponseWriter) {
			fmt.Fprint(w, `{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(n int, _ request, w http.ResponseWriter, _ *http.Request) {
				if n < 2 {
					failure(w)
					return
				}
				stream(w, "at last")
			})
			got, err := chat(t, server.URL, nil).Complete(t.Context(), question)
			if err != nil || got != "at last" || len(server.got()) != 3 {
				t.Errorf("%q, %v after %d requests", got, err, len(server.got()))
			}
		})
	}
}

func TestOpenAIFailures(t *testing.T) {
	status := func(code int, kind string) answerer {
		return func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, fmt.Sprintf(`{"error":{"message":"key %s, text: private words","code":%q}}`, secret, kind), code)
		}
	}
	body := func(text string) answerer {
		return func(_ int, _ request, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	for name, c := range map[string]struct {
		answer   answerer
		says     string
		requests int
	}{
		"always 500":     {status(500, "private words"), "(status 500)", 4},
		"400":            {status(400, "context_length_exceeded"), "MCP_MEMORY_LLM_MAX_INPUT", 1},
		"web page":       {body("<html>private words</html>"), "form of OpenAI's chat API", 1},
		"no JSON":        {body("data: private words\n\n"), "form of OpenAI's chat API", 1},
		"another form":   {body("data: {\"choices\":\"private words\"}\n\n"), "form of OpenAI's chat API", 1},
		"another object": {body(`{"answer":"private words"}`), "form of OpenAI's chat API", 1},
		"another type":   {body(`{"choices":"private words"}`), "form of OpenAI's chat API", 1},
		"broken object":  {body(`{"choices":private words`), "form of OpenAI's chat API", 1},
		"nothing":        {body(""), "form of OpenAI's chat API", 1},
		"thinks too much": {body(`data: {"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":"length"}]}` + "\n\n"),
			"used up 100 tokens", 1},
		"filtered": {body(`data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\n"), "empty answer", 1},
		"error in the stream": {body(`data: {"error":{"message":"private words","code":"insufficient_quota"}}` + "\n\n"),
			"insufficient_quota", 4},
		"error in one piece": {body(`{"error":{"message":"private words","code":"insufficient_quota"}}`), "insufficient_quota", 4},
		"error in words":     {body(`{"error":"private words"}`), "answers with an error", 4},
		"huge piece":         {body(`{"object":"` + long), "more than", 1},
		"huge line":          {body("data: " + long), "more than", 1},
		"huge comments":      {body(strings.Repeat(": wait\n", 1<<20)), "more than", 1},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, c.answer)
			_, err := chat(t, server.URL, nil).Complete(t.Context(), question)
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != memory.CodeUnavailable || !strings.Contains(e.Error(), c.says) || e.Hint == "" {
				t.Errorf("%v, want %q", err, c.says)
			}
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				if all := fmt.Sprintf("%v %+v", cause, cause); strings.Contains(all, secret) || strings.Contains(all, "private words") {
					t.Errorf("tells too much: %s", all)
				}
			}
			if n := len(server.got()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func TestOpenAIFormats(t *testing.T) {
	withSchema := question
	withSchema.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}}}`)
	onlyJSON := question
	onlyJSON.JSON = true
	for name, c := range map[string]struct {
		refused []string
		request llm.Request
		formats []string // of two calls
	}{
		"schema":                     {nil, withSchema, []string{"json_schema", "json_schema"}},
		"JSON":                       {nil, onlyJSON, []string{"json_object", "json_object"}},
		"text":                       {nil, question, []string{"", ""}},
		"a schema is not understood": {[]string{"json_schema"}, withSchema, []string{"json_schema", "json_object", "json_object"}},
		"an object is not":           {[]string{"json_object"}, onlyJSON, []string{"json_object", "", ""}},
		"neither is":                 {[]string{"json_schema", "json_object"}, withSchema, []string{"json_schema", "json_object", "", ""}},
		// What all formats are refused for is something else: it is asked for again.
		"nothing is": {[]string{"json_object", ""}, onlyJSON, []string{"json_object", "", "json_object", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(_ int, r request, w http.ResponseWriter, _ *http.Request) {
				if slices.Contains(c.refused, r.Body.format()) {
					http.Error(w, `{"error":"'response_format.type' must be another"}`, http.StatusBadRequest)
					return
				}
				stream(w, "{}")
			})
			o := chat(t, server.URL, nil)
			for range 2 {
				if _, err := o.Complete(t.Context(), c.request); (err != nil) != (name == "nothing is") {
					t.Error(err)
				}
			}
			var formats []string
			for _, r := range server.got() {
				formats = append(formats, r.format())
				if r.format() == "json_schema" && string(r.ResponseFormat.JSONSchema.Schema) != string(withSchema.Schema) {
					t.Errorf("schema %s", r.ResponseFormat.JSONSchema.Schema)
				}
			}
			if !slices.Equal(formats, c.formats) {
				t.Errorf("%q, want %q", formats, c.formats)
			}
		})
	}
}

func TestOpenAIModelsThatReason(t *testing.T) {
	server := serve(t, says("fine"))
	c := chat(t, server.URL, func(o *llm.OpenAIOptions) { o.Model = "o3-mini" })
	if _, err := c.Complete(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	if r := server.got()[0]; r.MaxTokens != 0 || r.MaxCompletionTokens != 100 || r.Temperature != 0 {
		t.Errorf("request %+v", r)
	}
	_, err := chat(t, server.URL, func(o *llm.OpenAIOptions) { o.Model = "text-davinci-003" }).Complete(t.Context(), question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "cannot be asked") || len(server.got()) != 1 {
		t.Errorf("a model that is none for chats: %v", err)
	}
}

func TestNewOpenAIRefusesOptions(t *testing.T) {
	ok := llm.OpenAIOptions{Options: endpoint.Options{BaseURL: "http://localhost:11434/v1", Model: "m"}}
	for name, change := range map[string]func(*llm.OpenAIOptions){
		"no address": func(o *llm.OpenAIOptions) { o.BaseURL = "" },
		"no model":   func(o *llm.OpenAIOptions) { o.Model = " " },
	} {
		options := ok
		change(&options)
		_, err := llm.NewOpenAI(options)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeInvalidArgument || !strings.Contains(e.Hint, "MCP_MEMORY_LLM_") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := llm.NewOpenAI(ok); err != nil {
		t.Error(err)
	}
}
