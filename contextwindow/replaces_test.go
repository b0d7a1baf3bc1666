package contextwindow_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/endpoint"
	"mcp-memory/internal/endpoint/endpointtest"
	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/extractive"
	"mcp-memory/text/tokens"
)

// asked is what the endpoint gets.
type asked struct {
	Messages []struct {
		Content string `json:"content"`
	} `json:"messages"`
}

// model is an endpoint that answers with what the script makes of the data that
// it is shown.
func model(t *testing.T, script func(data string) string) memory.Summarizer {
	server := endpointtest.Serve(t, func(_ int, r endpointtest.Request[asked], w http.ResponseWriter, _ *http.Request) {
		text := script(r.Body.Messages[1].Content)
		piece, err := json.Marshal(map[string]any{"id": "1", "object": "chat.completion.chunk", "choices": []any{
			map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": "stop"}}})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", piece)
	})
	chat,
		err := llm.NewOpenAI(llm.OpenAIOptions{Options: endpoint.Options{BaseURL: server.URL + "/v1/", Model: "test",
		RetryDelay: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	return llm.New(chat, "llm", tokens.NewCounter(""), llm.Options{})
}

var nameOf = regexp.MustCompile(`\[(k\d+)\] ([^\n]*)`)

// TestModelReplaces: a model that finds a state out of date supersedes it; ids
// that it makes up, and a record that two facts want, do no harm.
func TestModelReplaces(t *testing.T) {
	var shown []string
	script := func(data string) string {
		names := map[string]string{}
		for _, m := range nameOf.FindAllStringSubmatch(data, -1) {
			names[m[2]] = m[1]
			shown = append(shown, m[2])
		}
		return fmt.Sprintf(`{"facts":[
			{"content":"The staging cluster has been replaced by a virtual machine.","type":"other","importance":0.6,"turn":0,"replaces":%q},
			{"content":"Staging needs no cluster at all.","type":"other","importance":0.6,"turn":0,"replaces":%q},
			{"content":"Priya looks after billing.","type":"other","importance":0.6,"turn":0,"replaces":"k99"},
			{"content":"The user knows nothing of it.","type":"other","importance":0.6,"turn":0,"replaces":%q}]}`,
			names["Staging runs on a cluster with six nodes."],
			names["Staging runs on a cluster with six nodes."], "018f0000-0000-7000-8000-000000000000")
	}
	b := newBank(t, byTokens, func(o *contextwindow.Options) {
		o.Summarizers = []memory.Summarizer{model(t, script), extractive.New(extractive.Options{})}
	})
	saves := remember.New(b.rememberOptions())
	save := func(scope memory.Scope, content string) string {
		t.Helper()
		r, err := saves.Save(t.Context(), scope, remember.SaveRequest{Content: content, Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	old := save(anna, "Staging runs on a cluster with six nodes.")
	save(memory.Scope{Agent: "boris"}, "Boris keeps his staging secret.")
	b.later(time.Hour)
	b.append(say("We gave up the staging cluster, it is a virtual machine now: staging needs no cluster at all, Priya looks after billing, and the user knows nothing of it."))
	b.flush()
	if err := b.Wait(soon(t, patience)); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(shown, "Staging runs on a cluster with six nodes.") || slices.Contains(shown, "Boris keeps his staging secret.") {
		t.Errorf("the model was shown %q", shown)
	}
	var live []string
	for _, r := range b.of(memory.KindFact) {
		live = append(live, r.Content)
	}
	slices.Sort(live)
	want := []string{"Priya looks after billing.", "Staging needs no cluster at all.",
		"The staging cluster has been replaced by a virtual machine.", "The user knows nothing of it."}
	if !slices.Equal(live, want) {
		t.Errorf("live are\n%s", strings.Join(live, "\n"))
	}
	records, err := b.store.Records(t.Context(), anna.Agent, []string{old})
	if err != nil || len(records) != 1 || records[0].SupersededBy == "" {
		t.Errorf("%+v, %v", records, err)
	}
	if text := b.file("MEMORY.md"); !strings.Contains(text, "virtual machine") {
		t.Errorf("MEMORY.md:\n%s", text)
	}
}

// TestStateFoundInAConversation: without a model, too, a state that a
// conversation tells takes the place of the known one.
func TestStateFoundInAConversation(t *testing.T) {
	for said, want := range map[string]string{
		"I now live in Bergen.":         "The user now lives in Bergen.",
		"I no longer live in Oslo.":     "The user no longer lives in Oslo.",
		"I don't live in Oslo anymore.": "The user doesn't live in Oslo anymore.",
	} {
		b := newBank(t, byTokens, func(o *contextwindow.Options) {
			o.Summarizers = []memory.Summarizer{extractive.New(extractive.Options{})}
		})
		if _, err := remember.New(b.rememberOptions()).
			Save(t.Context(), anna, remember.SaveRequest{Content: "The user lives in Oslo.", Quiet: true}); err != nil {
			t.Fatal(err)
		}
		b.later(30 * 24 * time.Hour)
		b.append(say(said))
		b.flush()
		var live []string
		for _, r := range b.of(memory.KindFact) {
			live = append(live, r.Content)
		}
		if !slices.Contains(live, want) || slices.Contains(live, "The user lives in Oslo.") {
			t.Errorf("%q: live are %q", said, live)
		}
	}
}
