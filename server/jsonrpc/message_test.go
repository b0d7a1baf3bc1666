package jsonrpc

import (
	"fmt"
	"strings"
	"testing"
)

// What is a message, and with which id what is none is answered.
func TestParse(t *testing.T) {
	for data, want := range map[string]string{
		`{"id":1,"method":"ping","params":[2]}`:            `1 ping [2]`,
		`{"id":"a\"b","method":"ping"}`:                    `"a\"b" ping `,
		`{"id":9007199254740993,"method":"ping"}`:          `9007199254740993 ping `,
		`{"method":"ping"}`:                                ` ping `,
		`{"id":{},"method":"notifications/x"}`:             ` notifications/x `,
		`{"id":-3,"result":{"a":1}}`:                       `-3  , replied {"a":1} <nil>`,
		`{"id":3,"error":{"code":-1,"message":"no"}}`:      `3  , replied  the client refused: no (-1)`,
		`{"id":3,"error":{"code":-1},"result":1}`:          `3  , replied  the client refused:  (-1)`,
		`{"id":{},"method":"ping"}`:                        `null -32600 Invalid request: the id must be a string or a number`,
		`{"id":true,"method":"ping"}`:                      `null -32600 Invalid request: the id must be a string or a number`,
		`{"id":4}`:                                         `4 -32600 Invalid request: there is no method`,
		`{"id":4,"method":5}`:                              `4 -32600 Invalid request: not a JSON-RPC message`,
		`"text"`:                                           `null -32600 Invalid request: not a JSON-RPC message`,
		`[{"id":4,"method":"ping"}]`:                       `null -32600 Invalid request: batches are not supported, send one message at a time`,
		`{"id":4,"method":"ping"}{"id":5,"method":"ping"}`: `null -32700 Parse error: this is not one JSON message`,
		`{"id":4,`:                       `null -32700 Parse error: this is not one JSON message`,
		"{\"id\":4,\"method\":\"\xff\"}": `4 -32700 Parse error: the message is not valid UTF-8`,
	} {
		m, wrong := Parse([]byte(data))
		got := fmt.Sprintf("%s %s %s", m.ID, m.Method, m.Params)
		switch {
		case wrong != nil:
			id := "null"
			if raw := wrong.ID.Value(); raw != nil {
				id = fmt.Sprintf("%s", raw)
			}
			got = fmt.Sprintf("%s %d %s", id, wrong.Error.Code, wrong.Error.Message)
		case m.Method == "":
			got += fmt.Sprintf(", replied %s %v", m.Reply.Result, m.Reply.Err)
		}
		if got != want || wrong == nil && string(m.Raw) != data {
			t.Errorf("%s:\n got %s\nwant %s", data, got, want)
		}
	}
}

func TestTrim(t *testing.T) {
	for _, data := range []string{"\xEF\xBB\xBF{}", " {}\r\n", "{}", "\xEF\xBB\xBF \t{}\n"} {
		if got := string(Trim([]byte(data))); got != "{}" {
			t.Errorf("%q: %q", data, got)
		}
	}
	if got := Trim([]byte(strings.Repeat(" ", 3) + "\n")); len(got) != 0 {
		t.Errorf("blank: %q", got)
	}
}
