package jsonrpc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// Every id comes back as it was written, whatever the library does with it.
func TestExact(t *testing.T) {
	e := NewExact()
	for _, id := range []string{
		`1`, `-7`, `0`, `9007199254740991`, `9007199254740992`, `9007199254740993`, `-9007199254740993`, `18446744073709551617`,
		`1.5`, `1.0`, `1e3`, `-0`, `"7"`, `"a b"`, `"a\"b"`, `"\u003c<>&"`, `"\ud800"`, `""`,
	} {
		m, wrong := Parse([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":{"x":9007199254740993}}`))
		if wrong != nil {
			t.Fatal(id, wrong.Error.Message)
		}
		var library struct {
			ID     mcp.RequestId   `json:"id"`
			Params json.RawMessage `json:"params"`
		}
		hidden := e.Hide(m)
		if err := json.Unmarshal(hidden.Raw, &library); err != nil || string(library.Params) != `{"x":9007199254740993}` ||
			string(hidden.ID) != id {
			t.Errorf("%s: %s, %v", id, hidden.Raw, err)
		}
		answer, err := json.Marshal(mcp.JSONRPCResponse{JSONRPC: "2.0", ID: library.ID, Result: "x"})
		if err != nil {
			t.Fatal(err)
		}
		event := fmt.Sprintf("data: %s\n\ndata: %s\n\n", answer, answer)
		if got := string(e.Reveal([]byte(event))); strings.Count(got, `"id":`+id+`,"result":"x"}`) != 2 {
			t.Errorf("%s came back in %s", id, got)
		}
	}
}

// Cancelling a request names it as the request did.
func TestExactCancellation(t *testing.T) {
	e := NewExact()
	request, _ := Parse([]byte(`{"id":9007199254740993,"method":"tools/call"}`))
	cancel, _ := Parse([]byte(`{"method":"notifications/cancelled","params":{"requestId":9007199254740993,"reason":"r"}}`))
	var named struct{ ID json.RawMessage }
	var cancelled struct {
		Params struct {
			RequestID json.RawMessage
			Reason    string
		}
	}
	if err := json.Unmarshal(e.Hide(request).Raw, &named); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(e.Hide(cancel).Raw, &cancelled); err != nil {
		t.Fatal(err)
	}
	if string(named.ID) != string(cancelled.Params.RequestID) || cancelled.Params.Reason != "r" || named.ID[0] != '"' {
		t.Errorf("%s, %s", named.ID, cancelled.Params.RequestID)
	}
}

// What only looks like a hidden id stays.
func TestExactLeavesTheRest(t *testing.T) {
	e := NewExact()
	m, _ := Parse([]byte(`{"id":1.5,"method":"ping"}`))
	e.Hide(m)
	for _, text := range []string{`{"id":1}`, "", string(e.mark) + `??"`, `"` + string(e.mark[1:5])} {
		if got := string(e.Reveal([]byte(text))); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
