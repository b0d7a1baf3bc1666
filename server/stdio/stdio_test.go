package stdio_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
	"mcp-memory/server/stdio"
)

func TestHandshakes(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18",
		"2025-11-25": "2025-11-25", "2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		s, _ := servertest.New(t, nil)
		got := servertest.Exchange(t, s, servertest.Initialize(asked)+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
			servertest.CallTool("1", "save", `{"text":"a"}`)+"\n"+servertest.Initialize(asked)+"\n")
		servertest.Expect(t, got, `"protocolVersion":"`+want+`" & "instructions":"notes: "`, `saved a`, `"instructions":"notes: a"`)
		if !strings.Contains(got[0], `"tools":{}`) || !strings.Contains(got[0], `"title":"Test"`) {
			t.Errorf("%s: %s", asked, got[0])
		}
	}
}

func TestStatelessEra(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	s, _ := servertest.New(t, nil)
	servertest.Expect(t, servertest.Exchange(t, s, strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{"text":"a"},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{}}`,
		servertest.CallTool("7", "recall", `{}`), // and an older client's call on the same pipe
	}, "\n")),
		`saved a & "resultType":"complete"`, `"instructions":"notes: a" & "2026-07-28"`,
		`"ttlMs":3600000 & "cacheScope":"private" & "name":"save"`,
		`"code":-32601`, `"code":-32601`, `notes: a`)
	servertest.Expect(t, servertest.Exchange(t, s,
		`{"jsonrpc":"2.0","id":6,"method":"subscriptions/listen","params":{"notifications":{},`+meta+`}}`),
		`subscriptions/acknowledged`, `"id":6`)
}

func TestWhatIsNotProtocol(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, test := range map[string]struct {
		in   string
		want []string
	}{
		"byte order mark":    {"\xEF\xBB\xBF" + ping, []string{`"id":1`}},
		"blank lines":        {"\n \r\n\n" + ping + "\n\n", []string{`"id":1`}},
		"CRLF":               {ping + "\r\n" + ping + "\r\n", []string{`"id":1`, `"id":1`}},
		"half a line":        {`{"jsonrpc":"2.0","id":9,` + "\n" + ping, []string{`"id":null & -32700`, `"id":1`}},
		"two in a line":      {ping + ping + "\n" + ping, []string{`"id":null & -32700`, `"id":1`}},
		"batch":              {"[" + ping + "]\n" + ping, []string{`"id":null & -32600 & batches`, `"id":1`}},
		"a number":           {"5\n" + ping, []string{`-32600`, `"id":1`}},
		"no method":          {`{"jsonrpc":"2.0","id":9}` + "\n" + ping, []string{`"id":9 & -32600`, `"id":1`}},
		"method is a number": {`{"jsonrpc":"2.0","id":9,"method":5}` + "\n" + ping, []string{`"id":9 & -32600`, `"id":1`}},
		"no such method":     {`{"jsonrpc":"2.0","id":9,"method":"x"}`, []string{`"id":9 & -32601`}},
		"id is null":         {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, []string{`"id":null & -32600`}},
		"id is an object":    {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, []string{`"id":null & -32600`}},
		"id beyond 2^53":     {`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, []string{`"id":9007199254740993`}},
		"id is a string":     {`{"jsonrpc":"2.0","id":"a\"b","method":"ping"}`, []string{`"id":"a\"b"`}},
		"no jsonrpc":         {`{"id":9,"method":"ping"}`, []string{`"id":9 & -32600`}},
		"not UTF-8": {"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"\xff\"}\n" + ping,
			[]string{`"id":9 & -32700 & UTF-8`, `"id":1`}},
		"nested deeply": {`{"jsonrpc":"2.0","id":9,"method":"ping","params":` + strings.Repeat("[", 1<<20) + "\n" + ping,
			[]string{`"id":null & -32700`, `"id":1`}},
		"nested less deeply": {servertest.CallTool("9", "save", `{"text":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+`}`),
			[]string{`"id":9 & "isError":true & invalid_argument`}},
		"unasked answer": {`{"jsonrpc":"2.0","id":9,"result":{}}` + "\n" + ping, []string{`"id":1`}},
		"unasked error":  {`{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"m"}}` + "\n" + ping, []string{`"id":1`}},
		"notification":   {`{"jsonrpc":"2.0","method":"notifications/x"}` + "\n" + ping, []string{`"id":1`}},
		"cancels nothing": {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}` + "\n" + ping,
			[]string{`"id":1`}},
		"no such tool":   {servertest.CallTool("9", "x", "{}"), []string{`"id":9 & -32602`}},
		"wrong argument": {servertest.CallTool("9", "save", `{"txt":1}`), []string{`"isError":true & did you mean text?`}},
		"nothing":        {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := servertest.New(t, nil)
			servertest.Expect(t, servertest.Exchange(t, s, test.in), test.want...)
		})
	}
}

// spaces are a line that takes long to end.
type spaces struct{ left int }

func (s *spaces) Read(p []byte) (int, error) {
	n := min(len(p), s.left)
	for i := range n {
		p[i] = ' '
	}
	if s.left -= n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A line of 100 MB is refused, what comes next is served, and little of it was
// ever in memory.
func TestHundredMegabytes(t *testing.T) {
	s, _ := servertest.New(t, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":5,"method":"`), &spaces{100 << 20},
		strings.NewReader("\"}\n"+`{"jsonrpc":"2.0","id":6,"method":"ping"}`+"\n"))
	if err := stdio.Serve(t.Context(), s, in, &out); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := out.String(); !strings.Contains(got, "too_large: ") || !strings.Contains(got, `"id":5`) ||
		!strings.Contains(got, `"id":6,"result"`) {
		t.Errorf("%s", got)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 40<<20 {
		t.Errorf("%d bytes were made for it", grown)
	}
}

func TestTooLongLine(t *testing.T) {
	s, n := servertest.New(t, func(o *server.Options) { o.MaxLine = 100 << 10 })
	long := strings.Repeat("x", 300<<10)
	nested := `{"method":"tools/call","params":{"name":"save","arguments":{"id":5,"text":"` + long + `"}}`
	servertest.Expect(t, servertest.Exchange(t, s, strings.Join([]string{
		servertest.CallTool("7", "save", `{"text":"`+long+`"}`),
		nested + `,"jsonrpc":"2.0","id":"last"}`,
		nested + `,"id":8,"jsonrpc":"2.0"}`,
		nested + `}`,
		long,
		servertest.CallTool("10", "recall", "{}"),
	}, "\n")), `"id":7 & too_large & 102400 bytes`, `"id":"last"`, `"id":8`, `"id":null`, `"id":null`, `"id":10 & notes: "`)
	if n.All() != "" {
		t.Error("something was saved")
	}
	// Exactly at the limit is not over it.
	pad := 100<<10 - len(servertest.CallTool("1", "save", `{"text":""}`))
	servertest.Expect(t, servertest.Exchange(t, s, servertest.CallTool("1", "save", `{"text":"`+strings.Repeat("y", pad)+`"}`)+"\r\n"),
		`saved yyy`)
}

func TestOrderOfEffects(t *testing.T) {
	s, _ := servertest.New(t, nil)
	got := servertest.Exchange(t, s, strings.Join([]string{
		servertest.CallTool("1", "save", `{"text":"a","ms":50}`),
		servertest.CallTool("2", "recall", `{}`), servertest.Initialize("2025-06-18"),
		servertest.CallTool("3", "save", `{"text":"b","ms":20}`),
		servertest.CallTool("4", "save", `{"text":"c"}`), servertest.CallTool("5", "recall", `{}`),
	}, "\n")) // and the last line has no end
	servertest.Expect(t, got, "saved a", "notes: a", `"id":0`, "saved b", "saved c", "notes: a,b,c")
}

func TestNotificationsComeBeforeTheAnswer(t *testing.T) {
	s, _ := servertest.New(t, nil)
	got := servertest.Exchange(t, s, servertest.Initialize("2025-06-18")+"\n"+servertest.CallTool("1", "progress", `{}`))
	if len(got) != 22 || !strings.Contains(got[21], "done") {
		t.Errorf("%d lines, the last is %s", len(got), got[len(got)-1])
	}
}

func TestPingOvertakes(t *testing.T) {
	s, n := servertest.New(t, nil)
	l := servertest.Dial(t, s)
	l.Send(servertest.CallTool("1", "wait", "{}"), `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	<-n.Begun
	servertest.Expect(t, []string{l.Next()}, `"id":2`)
}

func TestCancel(t *testing.T) {
	s, n := servertest.New(t, nil)
	l := servertest.Dial(t, s)
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	// In hand, and still waiting: neither is answered, and the latter not made.
	l.Send(servertest.CallTool(`"a"`, "wait", "{}"), servertest.CallTool("2", "save", `{"text":"never"}`))
	<-n.Begun
	l.Send(cancel("2"), cancel(`"a"`), servertest.CallTool("3", "recall", "{}"))
	servertest.Expect(t, []string{l.Next()}, `"id":3 & "notes: "`)
	// A write in hand is finished and says so.
	l.Send(servertest.CallTool("4", "save", `{"text":"kept","ms":50}`))
	<-n.Begun
	l.Send(cancel("4"))
	servertest.Expect(t, []string{l.Next()}, `"id":4 & saved kept`)
	l.HangUp()
	if err := l.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAskingTheClient(t *testing.T) {
	s, n := servertest.New(t, nil)
	l := servertest.Dial(t, s)
	l.Send(servertest.Initialize("2025-11-25"), servertest.CallTool("1", "confirm", "{}"),
		servertest.CallTool("2", "save", `{"text":"after"}`))
	servertest.Expect(t, []string{l.Next(), l.Next()}, `"id":0`, `"method":"elicitation/create" & "id":1`)
	l.Send(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`)
	servertest.Expect(t, []string{l.Next(), l.Next()}, "user: accept", "saved after")
	l.Send(servertest.CallTool("3", "confirm", "{}"))
	servertest.Expect(t, []string{l.Next()}, `"id":2`)
	l.Send(`{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}`)
	servertest.Expect(t, []string{l.Next()}, `"id":3 & user: cancel`)
	// The end of a call takes its question back.
	l.Send(servertest.CallTool("4", "confirm", "{}"))
	servertest.Expect(t, []string{l.Next()}, `"id":3`)
	l.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)
	servertest.Expect(t, []string{l.Next()}, `notifications/cancelled & "requestId":3`)
	// A client that hangs up will not answer any more.
	l.Send(servertest.CallTool("5", "confirm", "{}"))
	servertest.Expect(t, []string{l.Next()}, `elicitation/create`)
	l.HangUp()
	servertest.Expect(t, []string{l.Next()}, `"id":5 & "isError":true`)
	if err := l.Wait(); err != nil || n.All() != "after" {
		t.Error(err, n.All())
	}
}

func TestContextEndsTheServer(t *testing.T) {
	s, n := servertest.New(t, nil)
	l := servertest.Dial(t, s)
	l.Send(servertest.CallTool("1", "save", `{"text":"in hand","ms":100}`), servertest.CallTool("2", "save", `{"text":"waiting"}`))
	<-n.Begun
	l.Stop()
	servertest.Expect(t, []string{l.Next()}, "saved in hand")
	if err := l.Wait(); err != nil || n.All() != "in hand" {
		t.Error(err, n.All())
	}
	s, n = servertest.New(t, func(o *server.Options) { o.Grace = 20 * time.Millisecond })
	l = servertest.Dial(t, s)
	l.Send(servertest.CallTool("1", "wait", "{}"))
	<-n.Begun
	l.Stop()
	if err := l.Wait(); err != nil {
		t.Error("a call that does not end:", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestOutputBreaks(t *testing.T) {
	disk := errors.New("disk full")
	for err, want := range map[error]error{io.ErrClosedPipe: nil, syscall.EPIPE: nil, os.ErrClosed: nil, disk: disk} {
		s, n := servertest.New(t, nil)
		in, w := io.Pipe() // stays open: the server has to end by itself
		go func() { _, _ = io.WriteString(w, servertest.CallTool("1", "save", `{"text":"a"}`)+"\n") }()
		if got := stdio.Serve(t.Context(), s, in, failingWriter{err}); !errors.Is(got, want) || n.All() != "a" {
			t.Errorf("%v: %v, saved %q", err, got, n.All())
		}
	}
}

func TestRealPipe(t *testing.T) {
	s, _ := servertest.New(t, nil)
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = outR.Close()
	in, w := io.Pipe()
	go func() { _, _ = io.WriteString(w, servertest.CallTool("1", "recall", `{}`)+"\n") }()
	if err := stdio.Serve(t.Context(), s, in, outW); err != nil && runtime.GOOS != "windows" {
		t.Error(err)
	}
	_ = outW.Close()
}

func TestInputBreaks(t *testing.T) {
	s, _ := servertest.New(t, nil)
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(servertest.CallTool("1", "recall", "{}")+"\n"), failingReader{broken})
	var out strings.Builder
	if err := stdio.Serve(t.Context(), s, in, &out); !errors.Is(err, broken) || !strings.Contains(out.String(), "notes") {
		t.Error(err, out.String())
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

func FuzzStdioLines(f *testing.F) {
	for _, seed := range []string{
		servertest.Initialize("2025-06-18") + "\n" + servertest.CallTool("1", "save", `{"text":"a"}`),
		"\xEF\xBB\xBF{}\n[]\n", "{\"id\":\"\xff\"}\n",
		`{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1e999,"method":"ping"}` + "\r\n\x00\n", `{"id":5,"x":"` + strings.Repeat("y", 600),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, `{"jsonrpc":"2.0","method":5,"ID":1}`,
	} {
		f.Add(seed)
	}
	s, n := servertest.New(f, func(o *server.Options) { o.MaxLine, o.CallTimeout = 512, 5*time.Millisecond })
	go func() {
		for range n.Begun {
		}
	}()
	f.Fuzz(func(t *testing.T, input string) { servertest.Exchange(t, s, input) })
}
