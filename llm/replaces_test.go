package llm_test

import (
	"strings"
	"testing"

	"mcp-memory/llm"
	"mcp-memory/memory"
)

// TestExtractReplaces: a model is shown known facts by name, and what it says
// they are replaced by counts only where it means one of them.
func TestExtractReplaces(t *testing.T) {
	server := serve(t, says(`{"facts":[
		{"content":"The user lives in Bergen.","turn":0,"replaces":"[K1]"},
		{"content":"The user's boss is Ann.","turn":0,"replaces":"0190-BOSS"},
		{"content":"The user has a dog.","turn":0,"replaces":"k9"},
		{"content":"The user has a cat.","turn":0,"replaces":null},
		{"content":"The user likes tea.","turn":0,"replaces":7},
		{"content":"The user drives a tram.","turn":0}]}`))
	r := memory.ExtractRequest{Turns: talk("I live in Bergen now, and Ann is my boss. I have a dog and a cat, like tea and drive a tram."),
		Known: "- Something else.", Now: now,
		Facts: []memory.KnownFact{{ID: "0190-oslo", Content: "The user lives\nin Oslo."},
			{ID: "0190-boss", Content: "The user's boss is Bob."}, {ID: "", Content: "nameless"}}}
	facts, err := summarizer(t, server, llm.Options{}).Extract(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		got = append(got, f.Replaces)
	}
	if want := "0190-oslo,0190-boss,,,,"; strings.Join(got, ",") != want {
		t.Errorf("replaces %q, want %q", got, want)
	}
	b := server.got()[0]
	if data := b.Messages[1].Content; !strings.Contains(data,
		"\n[k1] The user lives in Oslo.\n[k2] The user's boss is Bob.\n- Something else.\nBEGIN") {
		t.Errorf("data:\n%s", data)
	}
	if !strings.Contains(b.Messages[0].Content, `"replaces"`) ||
		!strings.Contains(string(b.ResponseFormat.JSONSchema.Schema), `"replaces"`) {
		t.Errorf("nobody asks for it:\n%s", b.Messages[0].Content)
	}
	r.Facts = nil
	if facts, err = summarizer(t, server, llm.Options{}).Extract(t.Context(), r); err != nil || facts[0].Replaces != "" {
		t.Errorf("%+v, %v", facts, err)
	}
	b = server.got()[1]
	if strings.Contains(b.Messages[0].Content, "replaces") || strings.Contains(string(b.ResponseFormat.JSONSchema.Schema), "replaces") {
		t.Errorf("asked for what cannot be said:\n%s", b.Messages[0].Content)
	}
	r.Facts = []memory.KnownFact{{ID: "1", Content: "The user has a cat."}}
	if facts, err = summarizer(t, server, llm.Options{}).Extract(t.Context(), r); err != nil || len(facts) != 5 {
		t.Errorf("what is known is found again: %+v, %v", facts, err)
	}
}
