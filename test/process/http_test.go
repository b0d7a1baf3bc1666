//go:build unix

package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var servingAt = regexp.MustCompile(`serving MCP at (http://[^ \n]*)/mcp`)

// serveHTTP starts a server on a port that is free and returns it with its URL.
func serveHTTP(t testing.TB, dir string, args ...string) (*host, string) {
	t.Helper()
	h := start(t, dir, append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m := servingAt.FindStringSubmatch(h.log.String()); m != nil {
			return h, m[1]
		}
	}
	t.Fatalf("the server does not say where it is; its log:\n%s", h.log)
	return nil, ""
}

// caller is a client over HTTP in the stateless era.
type caller struct {
	t          testing.TB
	url, token string
	client     *http.Client
}

func newCaller(t testing.TB, url, token string) *caller {
	return &caller{t, url, token, &http.Client{Timeout: patience}}
}

// post makes a request of the protocol; the error is that of the network.
func (c *caller) post(method, params string) (status int, body string, err error) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		params += ","
	}
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta)
	r, err := http.NewRequestWithContext(context.Background(), "POST", c.url+"/mcp", strings.NewReader(text))
	if err != nil {
		return 0, "", err
	}
	var named struct{ Name, URI string }
	_ = json.Unmarshal([]byte("{"+strings.TrimSuffix(params, ",")+"}"), &named) // methods without a name have none
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": named.Name + named.URI,
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(data), err
}

// try calls a tool; the error is that no answer came.
func (c *caller) try(tool string, args any) (result, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return result{}, err
	}
	status, body, err := c.post("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, data))
	if err != nil {
		return result{}, err
	}
	var m message
	var r result
	if status != 200 || json.Unmarshal([]byte(body), &m) != nil || m.Error != nil || json.Unmarshal(m.Result, &r) != nil {
		return r, fmt.Errorf("%d %s", status, body)
	}
	return r, nil
}

func (c *caller) call(tool string, args any) result {
	c.t.Helper()
	r, err := c.try(tool, args)
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// found returns what a recall finds.
func (c *caller) found(query string) []string {
	c.t.Helper()
	r := c.call("memory_recall", object{"query": query})
	var out struct{ Results []struct{ Content string } }
	if r.IsError || json.Unmarshal(r.StructuredContent, &out) != nil {
		c.t.Fatalf("recall: %s", r.text())
	}
	var contents []string
	for _, one := range out.Results {
		contents = append(contents, one.Content)
	}
	return contents
}

// token makes one with the command.
func token(t testing.TB, dir string, args ...string) (id, secret string) {
	t.Helper()
	code, out, log := cli(t, dir, append([]string{"token", "create", "--json"}, args...)...)
	var made struct{ ID, Token string }
	if code != 0 || json.Unmarshal([]byte(out), &made) != nil || made.Token == "" {
		t.Fatalf("token create: exit %d, %s%s", code, out, log)
	}
	return made.ID, made.Token
}

// Two agents over one server: neither gets anything of the other's, by
// whatever way, nor do errors, metrics and the log tell.
func TestTwoTokens(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	annsID, anns := token(t, dir, "--agent", "ann")
	_, bobs := token(t, dir, "--agent", "bob")
	_, reads := token(t, dir, "--agent", "ann", "--read-only")
	_, shops := token(t, dir, "--agent", "ann", "--projects", "shop")
	h, url := serveHTTP(t, dir, "--log-level", "debug", "--tools", "all")
	ann, bob, reader, shop := newCaller(t, url, anns), newCaller(t, url, bobs), newCaller(t, url, reads), newCaller(t, url, shops)
	const secret = "The zebra key lies under the third stone."
	r := ann.call("memory_save", object{"content": secret, "project": "garden", "external_id": "x1"})
	var saved struct{ ID string }
	if r.IsError || json.Unmarshal(r.StructuredContent, &saved) != nil {
		t.Fatal(r.text())
	}
	if got := ann.found("Where is the zebra key?"); len(got) != 0 {
		t.Errorf("without its project: %q", got) // a project is not read unless it is named
	}
	for tool, args := range map[string]object{
		"memory_recall": {"query": "zebra key", "project": "*"},
		"memory_search": {"query": "zebra key", "project": "*"}, "memory_get": {"ids": []string{saved.ID}},
		"memory_update": {"id": saved.ID, "importance": 1}, "memory_forget": {"ids": []string{saved.ID}},
		"memory_save": {"content": "A copy.", "supersedes": saved.ID},
	} {
		for who, c := range map[string]*caller{"bob": bob, "shop": shop} {
			r := c.call(tool, args)
			if text := r.text() + string(r.StructuredContent); strings.Contains(text, "zebra key lies") ||
				strings.Contains(text, "garden") {
				t.Errorf("%s gets by %s: %s", who, tool, text)
			}
		}
	}
	var all struct {
		Records []struct{ Content, Project string }
	}
	if r := reader.call("memory_get", object{"ids": []string{saved.ID}}); json.Unmarshal(r.StructuredContent, &all) != nil ||
		len(all.Records) != 1 {
		t.Errorf("ann's reader: %s", r.text())
	}
	if r := reader.call("memory_save", object{"content": "No."}); !r.IsError || !strings.HasPrefix(r.text(), "forbidden: ") {
		t.Errorf("a read-only token saves: %s", r.text())
	}
	if r := shop.call("memory_save", object{"content": "The shop opens at eight."}); r.IsError {
		t.Errorf("in its only project: %s", r.text())
	}
	if got := shop.found("When does the shop open?"); !slices.Contains(got, "The shop opens at eight.") {
		t.Errorf("in its only project: %q", got)
	}
	if r := shop.call("add_todo", object{"title": "No."}); !strings.HasPrefix(r.text(), "forbidden: ") {
		t.Errorf("a tool about the whole bank: %s", r.text())
	}
	if status, body, _ := newCaller(t, url, "").post("tools/list", ""); status != 401 {
		t.Errorf("without a token: %d %s", status, body)
	}
	if _, body, err := reader.post("tools/list", ""); err != nil || strings.Contains(body, `"memory_save"`) ||
		!strings.Contains(body, `"memory_recall"`) {
		t.Errorf("a read-only list: %s, %v", body, err)
	}
	metrics := get(t, url+"/metrics", bobs)
	for _, leak := range []string{"zebra", "garden", "ann", anns, bobs} {
		if strings.Contains(metrics, leak) {
			t.Errorf("the metrics tell %q", leak)
		}
	}
	if code, _, log := cli(t, dir, "token", "revoke", annsID); code != 0 {
		t.Fatal(log)
	}
	if status, body, _ := ann.post("tools/list", ""); status != 401 {
		t.Errorf("a revoked token: %d %s", status, body)
	}
	terminate(t, h)
	for _, leak := range []string{"zebra", "garden", anns, bobs, reads} {
		if strings.Contains(h.log.String(), leak) {
			t.Errorf("the log tells %q:\n%s", leak, h.log)
		}
	}
	db := inspect(t, dir)
	var lines int
	var details string
	if err := db.QueryRow(`SELECT count(*), group_concat(details) FROM audit_log WHERE agent = 'ann' AND action = 'memory_save'`).
		Scan(&lines, &details); err != nil {
		t.Fatal(err)
	}
	if lines < 3 || !strings.Contains(details, saved.ID) || !strings.Contains(details, annsID) || strings.Contains(details, "zebra") {
		t.Errorf("%d lines in the audit log: %s", lines, details)
	}
}

func get(t testing.TB, url, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(answer.Body); err != nil || answer.StatusCode != 200 {
		t.Fatalf("%s: %s %s, %v", url, answer.Status, body.String(), err)
	}
	return body.String()
}

func terminate(t testing.TB, h *host) {
	t.Helper()
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	h.ended()
}

// However a server ends while clients save, what it has acknowledged is there.
func TestEndsWhileClientsSave(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP, "SIGKILL": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			h, url := serveHTTP(t, dir)
			var mu sync.Mutex
			acknowledged := map[string]bool{}
			var clients sync.WaitGroup
			for c := range 8 {
				clients.Go(func() {
					caller := newCaller(t, url, "")
					for i := 0; ; i++ {
						content := fmt.Sprintf("Client %d counts to %d in harbour %s.", c, i, name)
						r, err := caller.try("memory_save", object{"content": content})
						if err != nil {
							return // the server has ended
						}
						if r.IsError {
							t.Errorf("%s", r.text())
							return
						}
						mu.Lock()
						acknowledged[content] = true
						mu.Unlock()
					}
				})
			}
			for saved := 0; saved < 100; time.Sleep(time.Millisecond) {
				mu.Lock()
				saved = len(acknowledged)
				mu.Unlock()
			}
			if signal == syscall.SIGKILL {
				h.kill()
			} else {
				terminate(t, h)
			}
			clients.Wait()
			there := contents(t, inspect(t, dir))
			for content := range acknowledged {
				if len(there[content]) == 0 {
					t.Errorf("lost: %s", content)
				}
			}
			again, url := serveHTTP(t, dir)
			if got := newCaller(t, url, "").found("Client 3 counts to 2"); len(got) == 0 {
				t.Error("nothing is found after a restart")
			}
			terminate(t, again)
		})
	}
}

// One process serves its host's pipes and the network over one store; a Unix
// socket too. It ends when its host hangs up.
func TestPipesAndNetwork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	h, url := serveHTTP(t, dir, "--stdio", "--unix", socket)
	h.save("The harbour closes at nine.")
	c := newCaller(t, url, "")
	if got := c.found("When does the harbour close?"); !slices.Contains(got, "The harbour closes at nine.") {
		t.Errorf("over the network: %q", got)
	}
	if r := c.call("memory_save", object{"content": "The lighthouse is red."}); r.IsError {
		t.Error(r.text())
	}
	if got := h.recall("What colour is the lighthouse?"); !slices.Contains(got, "The lighthouse is red.") {
		t.Errorf("over the pipes: %q", got)
	}
	local := newCaller(t, "http://anything", "")
	local.client.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}
	if got := local.found("What colour is the lighthouse?"); !slices.Contains(got, "The lighthouse is red.") {
		t.Errorf("over the socket: %q", got)
	}
	h.hangUp()
}
