package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

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
	r := server.got()[0]
	if r.path != "/v1/chat/completions" || r.key != "Bearer "+secret || r.Model != "test-model" || !r.Stream ||
		r.MaxTokens != 100 || r.Temperature < 0.01 || r.Temperature > 0.5 || r.ResponseFormat != nil {
		t.Errorf("request %+v", r)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != "system" || r.Messages[1].Content != "private words" {
		t.Errorf("messages %+v", r.Messages)
	}
	if _, err := chat(t, server.URL, func(o *llm.OpenAIOptions) { o.APIKey = "" }).Complete(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	if key := server.got()[1].key; key != "" {
		t.Errorf("without a key: %q", key)
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
	var server *endpoint
	server = serve(t, func(_ int, _ request, w http.ResponseWriter, hr *http.Request) {
		event(w, "The first words", "")
		server.hang(hr)
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

// A pause before the first word is no silence: models read first.
func TestOpenAIWaitsForTheFirstWord(t *testing.T) {
	server := serve(t, func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		time.Sleep(300 * time.Millisecond)
		w.Write([]byte(`data: {"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"))
	})
	c := chat(t, server.URL, func(o *llm.OpenAIOptions) { o.IdleTimeout = 100 * time.Millisecond })
	if got, err := c.Complete(t.Context(), question); err != nil || got != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestOpenAINoAnswer(t *testing.T) {
	var server *endpoint
	server = serve(t, func(_ int, _ request, _ http.ResponseWriter, hr *http.Request) { server.hang(hr) })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := chat(t, server.URL, nil).Complete(ctx, question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline of the caller: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = chat(t, server.URL, nil).Complete(ctx, question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled by the caller: %v", err)
	}
	before := len(server.got())
	_, err = chat(t, server.URL, func(o *llm.OpenAIOptions) { o.Timeout = 50 * time.Millisecond }).Complete(t.Context(), question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "within 50ms") {
		t.Errorf("timeout of a request: %v", err)
	}
	if n := len(server.got()) - before; n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestOpenAIRetries(t *testing.T) {
	for name, failure := range map[string]func(w http.ResponseWriter){
		"500": func(w http.ResponseWriter) { http.Error(w, "oops", http.StatusInternalServerError) },
		"429": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":{"message":"slow down","type":"rate","code":"rate_limit"}}`, http.StatusTooManyRequests)
		},
		"hung up": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"broken off": func(w http.ResponseWriter) {
			event(w, "The first", "")
			panic(http.ErrAbortHandler)
		},
		"error in the stream": func(w http.ResponseWriter) {
			event(w, "The first", "")
			fmt.Fprint(w, "data: {\"error\":{\"message\":\"overloaded\",\"type\":\"overloaded_error\"}}\n\n")
		},
		"nothing said": func(w http.ResponseWriter) { stream(w, " \n") },
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

func TestOpenAIHonoursRetryAfter(t *testing.T) {
	server := serve(t, func(n int, _ request, w http.ResponseWriter, _ *http.Request) {
		if n == 0 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		stream(w, "now")
	})
	start := time.Now()
	if _, err := chat(t, server.URL, nil).Complete(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(start); waited < time.Second {
		t.Errorf("asked again after %v", waited)
	}
	patient := serve(t, func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := chat(t, patient.URL, nil).Complete(t.Context(), question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "429") || len(patient.got()) != 1 {
		t.Errorf("an hour: %v after %d requests", err, len(patient.got()))
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
		"always 500": {status(500, "private words"), "status 500 ", 4},
		"401":        {status(401, "invalid_api_key"), "key (status 401, invalid_api_key)", 1},
		"404":        {status(404, "model_not_found"), "/v1", 1},
		"400":        {status(400, "context_length_exceeded"), "too long for model", 1},
		"501":        {status(501, secret), "status 501 ", 1},
		"plain text": {func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
			http.Error(w, secret, http.StatusForbidden)
		}, "403", 1},
		"web page":            {body("<html>private words</html>"), "does not stream", 1},
		"not streamed":        {body(`{"choices":[{"message":{"content":"hi"}}]}`), "does not stream", 1},
		"no JSON":             {body("data: private words\n\n"), "does not stream", 1},
		"another form":        {body("data: {\"choices\":\"private words\"}\n\n"), "does not stream", 1},
		"nothing":             {body(""), "does not stream", 1},
		"thinks too much":     {body(`data: {"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":"length"}]}` + "\n\n"), "used up 100 tokens", 1},
		"filtered":            {body(`data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\n"), "empty answer", 1},
		"error in the stream": {body(`data: {"error":{"message":"private words","code":"insufficient_quota"}}` + "\n\n"), "insufficient_quota", 4},
		"huge line":           {body("data: " + long), "more than", 1},
		"huge comments":       {body(strings.Repeat(": wait\n", 1<<20)), "more than", 1},
		"huge error": {func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, long)
		}, "400", 1},
		"redirect": {func(_ int, _ request, w http.ResponseWriter, hr *http.Request) {
			http.Redirect(w, hr, "/elsewhere?"+secret, http.StatusTemporaryRedirect)
		}, "redirects", 1},
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

// A key can look like the name of an error.
func TestOpenAINeverShowsAKey(t *testing.T) {
	server := serve(t, func(_ int, _ request, w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no","code":"hush_hush"}}`, http.StatusUnauthorized)
	})
	_, err := chat(t, server.URL, func(o *llm.OpenAIOptions) { o.APIKey = "hush_hush" }).Complete(t.Context(), question)
	if err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("%v", err)
	}
}

func TestOpenAIServerAway(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	_, err := chat(t, server.URL, nil).Complete(t.Context(), question)
	if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), "MCP_MEMORY_LLM_URL") {
		t.Errorf("%v", err)
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
				if slices.Contains(c.refused, r.format()) {
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
	ok := llm.OpenAIOptions{BaseURL: "http://localhost:11434/v1", Model: "m"}
	for name, change := range map[string]func(*llm.OpenAIOptions){
		"no address":     func(o *llm.OpenAIOptions) { o.BaseURL = "" },
		"no scheme":      func(o *llm.OpenAIOptions) { o.BaseURL = "localhost:11434/v1" },
		"another scheme": func(o *llm.OpenAIOptions) { o.BaseURL = "ftp://localhost/v1" },
		"a user":         func(o *llm.OpenAIOptions) { o.BaseURL = "https://me:hidden@host/v1" },
		"a query":        func(o *llm.OpenAIOptions) { o.BaseURL = "https://host/v1?key=hidden" },
		"no URL":         func(o *llm.OpenAIOptions) { o.BaseURL = "http://[::1/hidden" },
		"no model":       func(o *llm.OpenAIOptions) { o.Model = " " },
		"a key of lines": func(o *llm.OpenAIOptions) { o.APIKey = "hidden\n" },
	} {
		options := ok
		change(&options)
		_, err := llm.NewOpenAI(options)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeInvalidArgument || e.Hint == "" || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := llm.NewOpenAI(ok); err != nil {
		t.Error(err)
	}
}
