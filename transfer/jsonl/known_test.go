package jsonl_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"mcp-memory/transfer/jsonl"
)

type knownPart struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Input   json.RawMessage `json:"input"`
	Failed  bool            `json:"is_error"`
	Nested  []knownPart     `json:"nested"`
	At      jsonl.Moment    `json:"at"`
	ID      jsonl.Name      `json:"id"`
	Content json.RawMessage `json:"content,omitempty"`
	Count   *int            `json:"count"`
}

// knownTexts are values of every kind, whole and cut.
var knownTexts = []string{
	`{}`, ` { } `, `[]`, `{"type":"a"}`, `{"type":"a","other":{"x":[1,"]}",{}]},"text":"b"}`, `{"other":"\\\"}","type":"\u0061\n"}`,
	`{"input":{"a":1},"input":[2, 3] ,"content":null}`, `{"input":" x\"y "}`,
	`{"TYPE":"a","Text":"b"}`, `{"ty\u0070e":"a"}`, `{"tĳpe":1,"ıd":2}`, `{"ſt":1}`,
	`{"type":1}`, `{"type":null,"is_error":null,"count":null,"id":7}`,
	`{"at":"2026-01-02","count":3,"nested":[{"type":"x","input":{}}]}`, `{"at":"soon"}`,
	`{"type":"a"`, `{"type":"a"}}`, `{"type":"a",}`, `{"type" "a"}`, `{"a":[}`, `{"a":{]}`,
	`{"a":tru}`, `{"a":-}`, `[{"type":"a"},{"text":"b"}]`, `[null]`, `[1]`, `null`, `"x"`, ``,
	`{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `,"type":"deep"}`, `{"type":"` + strings.Repeat(`long\n`, 300) + `"}`,
	`{"input":1,"input":2,"input":3,"input":4,"input":5,"input":6,"input":7,"input":8,"input":9,"input":1,"input":2,"input":3,"input":4,"input":5,"input":6,"input":7,"input":8}`,
}

// What DecodeKnown makes of JSON is what Decode makes of it; of what is none it may
// know more, where what is wrong is in what nobody wants.
func FuzzDecodeKnown(f *testing.F) {
	for _, text := range knownTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		alike[knownPart](t, text)
		alike[[]knownPart](t, text)
		var want string
		err := json.Unmarshal([]byte(text), &want)
		if got, ok := jsonl.Text([]byte(text)); strings.HasPrefix(text, `"`) && (ok != (err == nil) || ok && got != want) {
			t.Errorf("%q is the text %q, %t, want %q, %v", text, got, ok, want, err)
		}
	})
}

func alike[T any](t *testing.T, text string) {
	t.Helper()
	var want, got T
	wrong, failed := jsonl.Decode([]byte(text), &want), jsonl.DecodeKnown([]byte(text), &got)
	switch {
	case wrong == nil && failed != nil:
		t.Errorf("%q: %v", text, failed)
	case wrong == nil && !reflect.DeepEqual(got, want):
		t.Errorf("%q is %+v, want %+v", text, got, want)
	case json.Valid([]byte(text)) && wrong != nil && (failed == nil || failed.Error() != wrong.Error()):
		t.Errorf("%q: %v, want %v", text, failed, wrong)
	}
}

// What is not there as a whole is an error, wherever it is cut.
func TestDecodeKnownCut(t *testing.T) {
	for _, whole := range knownTexts {
		if !strings.HasPrefix(whole, "{") || !json.Valid([]byte(whole)) {
			continue
		}
		for n := range len(strings.TrimSpace(whole)) {
			var into knownPart
			if jsonl.DecodeKnown([]byte(whole[:n]), &into) == nil {
				t.Errorf("%q was read", whole[:n])
			}
		}
	}
}

// Values of one kind are not copied: who keeps them longer than the text does it.
func TestDecodeKnownShares(t *testing.T) {
	text := []byte(`{"type":"a","other":{"x":1},"content":["b"]}`)
	var into knownPart
	if err := jsonl.DecodeKnown(text, &into); err != nil || string(into.Content) != `["b"]` {
		t.Fatal(into, err)
	}
	copy(text[len(text)-4:], `c"]`)
	if string(into.Content) != `["c"]` || into.Type != "a" {
		t.Errorf("%+v", into)
	}
}
