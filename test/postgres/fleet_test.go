//go:build postgres

package postgres

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mcp-memory/internal/testbinary"
	"mcp-memory/test/backend"
)

// site is several servers on one database, and a proxy in front of them that lets
// them take turns, request by request.
type site struct {
	t       *testing.T
	url     string // of the proxy
	servers []string
	turns   atomic.Int64
	tokens  map[string]string // by agent
}

// built is the program, for all tests.
var built testbinary.Binary

// newSite starts two servers on a database of their own, with more settings for each.
func newSite(t *testing.T, settings ...string) *site {
	t.Helper()
	return newSiteOn(t, backend.Database(t.TempDir(), "servers"), settings...)
}

func newSiteOn(t *testing.T, database string, settings ...string) *site {
	t.Helper()
	s := &site{t: t, tokens: map[string]string{}}
	for _, agent := range []string{"ann", "bob"} {
		cmd := exec.Command(built.Path(t, ""), "--data-dir", t.TempDir(), "--database", database, "token", "create", "--agent",
			agent, "--json")
		cmd.Env, cmd.Stderr = environment(t), os.Stderr
		out, err := cmd.Output()
		var made struct{ Token string }
		if err == nil {
			err = json.Unmarshal(out, &made)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.tokens[agent] = made.Token
	}
	for range 2 {
		s.servers = append(s.servers, startServer(t, append([]string{"--data-dir", t.TempDir(), "--database", database}, settings...)...))
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			to, err := url.Parse(s.servers[int(s.turns.Add(1))%len(s.servers)])
			if err != nil {
				t.Error(err)
				return
			}
			r.SetURL(to)
		},
	})
	t.Cleanup(proxy.Close)
	s.url = proxy.URL
	return s
}

// environment has no setting of who runs the tests.
func environment(t *testing.T) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}
}

var servingAt = regexp.MustCompile(`http://[^/ ]+/mcp`)

// startServer starts the program and returns where it serves.
func startServer(t *testing.T, settings ...string) string {
	t.Helper()
	cmd := exec.Command(built.Path(t, ""), append(settings, "serve", "--http", "127.0.0.1:0", "--tools", "all")...)
	cmd.Env = environment(t)
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if at := servingAt.FindString(lines.Text()); at != "" {
			go func() {
				for lines.Scan() {
					t.Log(lines.Text())
				}
			}()
			return strings.TrimSuffix(at, "/mcp")
		}
	}
	t.Fatal("the server does not start")
	return ""
}

// caller is a client of an era, in an agent's name.
type caller struct {
	s       *site
	agent   string
	newer   bool
	session string // of the older era
	at      string // where it asks; the proxy's unless a test says otherwise
}

func (s *site) caller(agent string, newer bool) *caller {
	s.t.Helper()
	c := &caller{s: s, agent: agent, newer: newer, at: s.url}
	if !newer {
		answer,
			text := c.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "")
		if c.session = answer.Header.Get("Mcp-Session-Id"); c.session == "" {
			s.t.Fatalf("%s %s", answer.Status, text)
		}
		c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "")
	}
	return c
}

func (c *caller) request(method, body string) *http.Request {
	c.s.t.Helper()
	r, err := http.NewRequestWithContext(c.s.t.Context(), method, c.at+"/mcp", strings.NewReader(body))
	if err != nil {
		c.s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.s.tokens[c.agent])
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	return r
}

// post sends a message. In the newer era a call says in a header which tool it is for.
func (c *caller) post(body, tool string) (*http.Response, string) {
	c.s.t.Helper()
	r := c.request("POST", body)
	if c.newer {
		r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/list")
		if tool != "" {
			r.Header.Set("Mcp-Method", "tools/call")
			r.Header.Set("Mcp-Name", tool)
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.s.t.Fatal(err)
	}
	return answer, string(text)
}

const newerMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// call calls a tool and returns what it gives; more are further members of the params.
func (c *caller) call(tool, args string, more ...string) map[string]any {
	c.s.t.Helper()
	params := append([]string{fmt.Sprintf(`"name":%q,"arguments":%s`, tool, args)}, more...)
	if c.newer {
		params = append(params, newerMeta)
	}
	answer, text := c.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{`+strings.Join(params, ",")+`}}`, tool)
	// In a session that a stream was opened for, the answer may come as events.
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		for line := range strings.Lines(text) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, `"result"`) {
				text = data
			}
		}
	}
	var reply struct{ Result map[string]any }
	if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.Result == nil {
		c.s.t.Fatalf("%s: %s %s", tool, answer.Status, text)
	}
	return reply.Result
}

// agreed are the params of a call that brings the user's answer.
func agreed(state string) []string {
	return []string{fmt.Sprintf(`"requestState":%q`, state), `"inputResponses":{"confirm":{"action":"accept","content":{}}}`}
}

// must is call for a call that has to work, of which it returns the structured result. The
// user agrees to whatever is asked.
func (c *caller) must(tool, args string) map[string]any {
	c.s.t.Helper()
	result := c.call(tool, args)
	if state, asked := result["requestState"].(string); asked {
		result = c.call(tool, args, agreed(state)...)
	}
	structured, ok := result["structuredContent"].(map[string]any)
	if !ok || result["isError"] == true {
		c.s.t.Fatalf("%s %s: %v", tool, args, result)
	}
	return structured
}

// TestServersTakeTurns holds a whole conversation by a proxy that sends every request to
// the other server: nothing that a call needs is in one process.
func TestServersTakeTurns(t *testing.T) {
	s := newSite(t)
	for _, newer := range []bool{true, false} {
		s.converse(newer)
	}
}

// converse uses what a conversation uses, each request at another server than the one before.
func (s *site) converse(newer bool) {
	s.t.Helper()
	era := map[bool]string{true: "newer", false: "older"}[newer]
	ann, bob := s.caller("ann", newer), s.caller("bob", newer)
	// Idempotency: the repetition comes to the other server.
	for i := range 4 {
		args := fmt.Sprintf(`{"content":"Ferry %d of the %s era leaves at ten.","idempotency_key":"k%s%d"}`, i, era, era, i)
		first, again := ann.must("memory_save", args), ann.must("memory_save", args)
		if first["id"] != again["id"] || first["action"] != again["action"] {
			s.t.Errorf("%s: %v, repeated %v", era, first, again)
		}
		// What one has saved the other finds at once.
		found := ann.must("memory_recall", fmt.Sprintf(`{"query":"Ferry %d of the %s era"}`, i, era))
		if data, _ := json.Marshal(found); !bytes.Contains(data, fmt.Appendf(nil, "Ferry %d of the %s era", i, era)) {
			s.t.Errorf("%s: %s", era, data)
		}
	}
	if data, _ := json.Marshal(bob.must("memory_recall", `{"query":"When does the ferry leave?"}`)); bytes.Contains(data,
		[]byte("leaves at ten")) {
		s.t.Errorf("bob sees what is ann's: %s", data)
	}
	s.converseOn(era, ann, bob)
}

// converseOn is converse for what takes several steps: a window, a job and a link.
func (s *site) converseOn(era string, ann, bob *caller) {
	// A context window: every message goes to the other server, some to both at once.
	session := "day-" + era
	for i := range 6 {
		ann.must("context_append",
			fmt.Sprintf(`{"session_id":%q,"messages":[{"role":"user","content":"Message %d about the harbour."}]}`, session, i))
	}
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			ann.must("context_append",
				fmt.Sprintf(`{"session_id":%q,"messages":[{"role":"user","content":"Message %d about the quay."}]}`, session, i))
		})
	}
	wg.Wait()
	for range 2 {
		if status := ann.must("context_status",
			fmt.Sprintf(`{"session_id":%q}`, session)); status["watermarks"].(map[string]any)["turns"] != float64(12) {
			s.t.Errorf("%s: the window has %v", era, status)
		}
	}
	// A job: the compaction that one began is done once.
	compacted := ann.must("context_compact", fmt.Sprintf(`{"session_id":%q,"keep_last":2}`, session))
	status := ann.must("context_status", fmt.Sprintf(`{"session_id":%q}`, session))
	if status["pending_jobs"] != float64(0) || compacted["error"] != nil {
		s.t.Errorf("%s: compacted %v, then %v", era, compacted, status)
	}
	// A link, asked for at one server and answered at the other.
	bob.must("memory_save", `{"content":"Bob paints the harbour wall of the `+era+` era."}`)
	asked := ann.must("neural_link", `{"action":"request","agent":"bob","message":"Please share."}`)
	shared := bob.must("neural_link", fmt.Sprintf(`{"action":"share","link_id":%q}`, asked["link_id"]))
	if got := ann.must("neural_link", fmt.Sprintf(`{"action":"status","link_id":%q}`, asked["link_id"])); got["status"] != "shared" ||
		shared["status"] != "shared" {
		s.t.Errorf("%s: %v, %v", era, shared, got)
	}
}

// TestSessionsAtEveryServer: a session of the older era is at home at every server, but
// only for whom it belongs to, and its end is one everywhere.
func TestSessionsAtEveryServer(t *testing.T) {
	s := newSite(t)
	ann := s.caller("ann", false)
	stranger := &caller{s: s, agent: "bob", session: ann.session}
	for _, at := range s.servers {
		ann.at, stranger.at = at, at
		ann.must("memory_recall", `{"query":"Where is the harbour?"}`)
		if answer, text := stranger.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("in another's session: %s %s", answer.Status, text)
		}
	}
	ann.at = s.servers[0]
	end, err := http.DefaultClient.Do(ann.request("DELETE", ""))
	if err != nil || end.StatusCode != http.StatusOK {
		t.Fatal(end, err)
	}
	end.Body.Close()
	for _, at := range s.servers {
		ann.at = at
		within(t, "the session ends at "+at, func() bool {
			answer, _ := ann.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "")
			return answer.StatusCode == http.StatusNotFound
		})
	}
}

// patience is how long a test waits for what has to happen.
const patience = 30 * time.Second

// within waits until something is so.
func within(t *testing.T, what string, so func() bool) {
	t.Helper()
	for begun := time.Now(); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatalf("not so: %s", what)
		}
	}
}

// listen opens a stream and returns its lines.
func listen(t *testing.T, r *http.Request) <-chan string {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	lines := make(chan string, 100)
	go func() {
		for scan := bufio.NewScanner(answer.Body); scan.Scan(); {
			lines <- scan.Text()
		}
		close(lines)
	}()
	return lines
}

// hears waits for a line that has a text.
func hears(t *testing.T, lines <-chan string, text string) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case line, open := <-lines:
			if strings.Contains(line, text) {
				return
			}
			if !open {
				t.Fatalf("the stream ended before %q", text)
			}
		case <-late:
			t.Fatalf("heard nothing of %q", text)
		}
	}
}

// TestChangesCrossServers: whoever subscribes hears of what is saved at another server,
// in the older era also where it subscribed at another server than the one that has its stream.
func TestChangesCrossServers(t *testing.T) {
	s := newSite(t)
	a, b := s.servers[0], s.servers[1]
	writer := s.caller("ann", true)
	writer.at = a

	older := s.caller("ann", false)
	older.at = a
	older.post(`{"jsonrpc":"2.0","id":5,"method":"resources/subscribe","params":{"uri":"memory://salient"}}`, "")
	closing := writer.must("memory_save", `{"content":"The harbour closes at nine.","pinned":true}`)["id"] // before there is a stream
	older.at = b
	lines := listen(t, older.request("GET", ""))
	hears(t, lines, "memory://salient")
	begun := time.Now()
	writer.must("memory_save", `{"content":"The ferry leaves at ten.","pinned":true}`)
	hears(t, lines, "memory://salient")
	t.Logf("the older era heard of a save at another server after %v", time.Since(begun))
	older.at = a
	older.post(`{"jsonrpc":"2.0","id":6,"method":"resources/subscribe","params":{"uri":"memory://record/`+fmt.Sprint(closing)+`"}}`, "")
	writer.must("memory_save", fmt.Sprintf(`{"content":"The harbour closes at eight.","pinned":true,"supersedes":%q}`, closing))
	hears(t, lines, "memory://record/")

	// A stream that broke at one server goes on at the other.
	older.at = a
	resumed := older.request("GET", "")
	resumed.Header.Set("Last-Event-ID", "elsewhere-1")
	lines = listen(t, resumed)
	writer.at = b
	writer.must("memory_save", `{"content":"The quay is painted red.","pinned":true}`)
	hears(t, lines, "memory://salient")

	newer := s.caller("ann", true)
	newer.at = b
	r := newer.request("POST",
		`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["memory://salient"]},`+
			newerMeta+`}}`)
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", "subscriptions/listen")
	lines = listen(t, r)
	hears(t, lines, "acknowledged")
	writer.at = a
	begun = time.Now()
	writer.must("memory_save", `{"content":"The bakery opens at six.","pinned":true}`)
	hears(t, lines, "memory://salient")
	t.Logf("the newer era heard of a save at another server after %v", time.Since(begun))
}

// TestQuestionsCrossServers: the answer to a question counts at another server than
// the one that asked, once.
func TestQuestionsCrossServers(t *testing.T) {
	s := newSite(t)
	ann := s.caller("ann", true)
	saved := ann.must("memory_save", `{"content":"The vault opens at noon."}`)
	args := fmt.Sprintf(`{"ids":[%q],"permanent":true}`, saved["id"])
	ann.at = s.servers[0]
	state, _ := ann.call("memory_forget", args)["requestState"].(string)
	if state == "" {
		t.Fatal("nobody is asked")
	}
	answer := agreed(state)
	ann.at = s.servers[1]
	if other := ann.call("memory_forget", `{"query":"vault","permanent":true}`, answer...); other["isError"] != true {
		t.Errorf("the answer counts for another call: %v", other)
	}
	if done := ann.call("memory_forget", args, answer...); done["isError"] == true ||
		done["structuredContent"].(map[string]any)["forgotten"] != float64(1) {
		t.Errorf("%v", done)
	}
	ann.at = s.servers[0]
	if again := ann.call("memory_forget", args, answer...); again["isError"] != true {
		t.Errorf("a second time: %v", again)
	}
}

// TestRatesCrossServers: two servers together let through what one would.
func TestRatesCrossServers(t *testing.T) {
	const rate = 0.2
	s := newSite(t, "--http-rate", fmt.Sprint(rate))
	ann := &caller{s: s, agent: "ann", newer: true, at: s.url}
	passed, begun := map[int]int{}, time.Now()
	for range 12 {
		answer, _ := ann.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+newerMeta+`}}`, "")
		passed[answer.StatusCode]++
	}
	most := 1 + int(time.Since(begun).Seconds()*rate) // one at once, and then one in five seconds
	if n := passed[http.StatusOK]; n == 0 || n > most || n+passed[http.StatusTooManyRequests] != 12 {
		t.Errorf("%v, at most %d may pass", passed, most)
	}
	t.Logf("%v in %v, at %v a second", passed, time.Since(begun), rate)
	// Another agent has a bucket of its own.
	bob := &caller{s: s, agent: "bob", newer: true, at: s.url}
	if answer, text := bob.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+newerMeta+`}}`,
		""); answer.StatusCode == http.StatusTooManyRequests {
		t.Errorf("bob: %s %s", answer.Status, text)
	}
}
