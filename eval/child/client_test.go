package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// connected returns a client whose server is fn: it gets every line that the
// client writes and returns the lines to answer with.
func connected(t *testing.T, fn func(line string) []string) *Client {
	t.Helper()
	fromClient, out := io.Pipe()
	in, toClient := io.Pipe()
	t.Cleanup(func() { out.Close(); toClient.Close() })
	go func() {
		lines := bufio.NewScanner(fromClient)
		for lines.Scan() {
			for _, answer := range fn(lines.Text()) {
				io.WriteString(toClient, answer+"\n")
			}
		}
		toClient.Close()
	}()
	return newClient(out, in)
}

func always(answers ...string) func(string) []string {
	return func(string) []string { return answers }
}

func short(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestCallSkipsWhatIsNotItsAnswer(t *testing.T) {
	c := connected(t, always("", `{"jsonrpc":"2.0","method":"notifications/progress"}`,
		`{"jsonrpc":"2.0","id":99,"result":"late"}`, `{"jsonrpc":"2.0","id":1,"result":{"text":"`+strings.Repeat("x", 1<<20)+`"}}`))
	var result struct{ Text string }
	if err := c.Call(short(t), "anything", struct{}{}, &result); err != nil || len(result.Text) != 1<<20 {
		t.Errorf("%d bytes, error %v", len(result.Text), err)
	}
}

func TestServerRequestsAreAnswered(t *testing.T) {
	var answers []string
	c := connected(t, func(line string) []string {
		if strings.Contains(line, `"method":"ask"`) {
			return []string{`{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`}
		}
		if answers = append(answers, line); len(answers) == 2 {
			return []string{`{"jsonrpc":"2.0","id":1,"result":{}}`}
		}
		return nil
	})
	if err := c.Call(short(t), "ask", nil, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answers[0], `"id":"a"`) || !strings.Contains(answers[0], `"result":{}`) ||
		!strings.Contains(answers[1], "-32601") {
		t.Errorf("answers were %q", answers)
	}
}

func TestErrorsAreClear(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"wrong"}}`, "tools/call: wrong (-32602)"},
		{`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"not_found: no"}],"isError":true}}`,
			"memory_get: not_found: no"},
		{`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, "no structuredContent"},
		{`Listening on stdio`, "something else than JSON-RPC"},
	} {
		err := connected(t, always(c.answer)).Use(short(t), "memory_get", struct{}{}, &struct{}{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v", c.answer, err)
		}
	}
}

func TestSilenceTimesOut(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := connected(t, always()).Initialize(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "initialize") {
		t.Errorf("error is %v", err)
	}
}

func TestClosedServerIsNoticed(t *testing.T) {
	c := newClient(io.Discard, strings.NewReader(""))
	if err := c.Call(short(t), "ping", nil, nil); err == nil || !strings.Contains(err.Error(), "closed its stdout") {
		t.Errorf("error is %v", err)
	}
}

func TestToolsFollowsPages(t *testing.T) {
	c := connected(t, func(line string) []string {
		if strings.Contains(line, `"cursor":"2"`) {
			return []string{`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{}}]}}`}
		}
		return []string{`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"2"}}`}
	})
	list, err := c.Tools(short(t))
	if err != nil || len(list) != 2 || list[1].Name != "b" {
		t.Errorf("%v, error %v", list, err)
	}
}

func TestRequestsAreOneLine(t *testing.T) {
	var seen string
	c := connected(t, func(line string) []string {
		seen = line
		return []string{`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"id":"x"}}}`}
	})
	var answer struct{ ID string }
	if err := c.Use(short(t), "memory_save", map[string]string{"content": "two\nlines"}, &answer); err != nil || answer.ID != "x" {
		t.Fatalf("%+v, error %v", answer, err)
	}
	var request struct {
		JSONRPC string
		ID      int
		Method  string
		Params  struct {
			Name      string
			Arguments map[string]string
		}
	}
	if err := json.Unmarshal([]byte(seen), &request); err != nil {
		t.Fatal(err)
	}
	if request.JSONRPC != "2.0" || request.ID != 1 || request.Method != "tools/call" || request.Params.Name != "memory_save" ||
		request.Params.Arguments["content"] != "two\nlines" {
		t.Errorf("request was %s", seen)
	}
}

func TestResidentMemory(t *testing.T) {
	n, err := residentOf(os.Getpid())
	if err != nil || n < 1<<20 {
		t.Errorf("%d bytes, error %v", n, err)
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var log tail
	io.WriteString(&log, strings.Repeat("x", 3*tailBytes))
	io.WriteString(&log, "the reason")
	if got := log.quoted(); !strings.HasSuffix(got, "the reason") || len(got) > tailBytes+20 {
		t.Errorf("%d bytes: %.40q", len(got), got)
	}
	if (&tail{}).quoted() != "" {
		t.Error("an empty log is quoted")
	}
}
