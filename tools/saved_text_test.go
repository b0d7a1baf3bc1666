package tools

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestSettlingCall: the call that an answer names is one that the tool understands, with the
// ids and the content filled in.
func TestSettlingCall(t *testing.T) {
	project := "shop"
	r := remember.SaveResult{ID: "new", Action: remember.Created, Category: "goal", Similar: []remember.Similar{
		{ID: "kin", Content: "Alike."}, {ID: "old", Content: "The port is 80.", Relation: remember.Contradicts},
	}}
	content := "The \"port\" is <8080>\nin the shop."
	text := Services{}.savedText(r, settling{content, &project})
	_, call, found := strings.Cut(text, "If old no longer holds: memory_save ")
	if !found || strings.Contains(text, "If kin") {
		t.Fatalf("%q", text)
	}
	f := memoryFleet(t)
	var in saveInput
	for _, row := range f.rows {
		if row.Name == "memory_save" {
			if err := decode(row.in, json.RawMessage(call), reflect.ValueOf(&in).Elem()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if in.Content != content || in.Supersedes != "old" || in.Project == nil || *in.Project != project {
		t.Errorf("%+v", in)
	}
	for name, to := range map[string]settling{"long": {strings.Repeat("x", maxRepeated+1), &project}, "of another kind": {}} {
		if text := (Services{}).savedText(r, to); !strings.Contains(text, `If old no longer holds: memory_forget {"ids":["old"]}`) {
			t.Errorf("%s: %q", name, text)
		}
	}
	if text := (Services{}).savedText(remember.SaveResult{ID: "a", Action: remember.Duplicate, Superseded: []string{"b"}},
		settling{}); !strings.Contains(text, "place of b") {
		t.Errorf("%q", text)
	}
}

// TestSimilarIsShort: what is only named in an answer is not repeated at length.
func TestSimilarIsShort(t *testing.T) {
	out := saveOutputOf(remember.SaveResult{Similar: []remember.Similar{{ID: "a", Content: strings.Repeat("ä", memory.MaxContentBytes/2)},
		{ID: "b", Content: "The port is 80."}}})
	if n := len(out.Similar[0].Content); n > 4*maxSimilar || out.Similar[1].Content != "The port is 80." {
		t.Errorf("%d bytes, %q", n, out.Similar[1].Content)
	}
}

func TestMessagesKeepTheirLines(t *testing.T) {
	got := messagesText([]contextwindow.Message{
		{Role: memory.RoleSystem, Content: "Be brief.\n\n- one\n"},
		{Role: memory.RoleUser, Name: "Ann", Content: "```go\nfunc main() {}\n```"},
		{Role: memory.RoleAssistant,
			ToolCalls: []memory.ToolCall{{Name: "read", Arguments: json.RawMessage(`{"path":"x"}`), Result: "two\nlines"}}},
	})
	want := "\n\n--- system ---\nBe brief.\n\n- one\n\n--- user (Ann) ---\n```go\nfunc main() {}\n```\n\n--- assistant ---\n[calls read {\"path\":\"x\"}]\n[returned] two\nlines"
	if got != want {
		t.Errorf("%q", got)
	}
}

// TestCutCodeStaysCode: a part of a text has as many fences as it needs.
func TestCutCodeStaysCode(t *testing.T) {
	code := "Run this:\n```sh\n" + strings.Repeat("echo harbour\n", 300) + "make ferry\n" + strings.Repeat("echo quay\n", 300) +
		"```\nDone."
	for name, text := range map[string]string{"the beginning": indented(code), "the middle": passage(code, "make ferry"),
		"all": passage("```\nx\n```", "x")} {
		if strings.Count(text, fence)%2 != 0 || !strings.Contains(text, fence) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestUnlistedArgumentsAreAccepted: what programs rely on is understood, whether models are told or not.
func TestUnlistedArgumentsAreAccepted(t *testing.T) {
	for _, row := range memoryFleet(t).rows {
		listed := string(listedInput(row.in).raw())
		closed := strings.HasSuffix(listed, `"additionalProperties":false}`)
		for _, f := range row.in.fields {
			shown := strings.Contains(listed, `"`+f.name+`":`)
			if shown == (f.listed == listedNo) || !shown && closed {
				t.Errorf("%s: %s is listed %v, closed %v", row.Name, f.name, shown, closed)
			}
			if !shown && f.required {
				t.Errorf("%s: %s is required and not listed", row.Name, f.name)
			}
		}
	}
}
