package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/access/oidc/oidctest"
)

// TestWebServesAPage: the printed link leads to the page, once.
func TestWebServesAPage(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	p := &Program{
		Args: []string{"web", "--no-open", "--data-dir", t.TempDir()}, Stdin: strings.NewReader(""), Stdout: in, Stderr: io.Discard,
		Env: func(string) string { return "" },
	}
	ended := make(chan int, 1)
	go func() { ended <- p.Run(ctx); in.Close() }()
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	link = strings.TrimSpace(link)
	if u, err := url.Parse(link); err != nil || u.Hostname() != "127.0.0.1" || !strings.HasPrefix(u.Path, "/ui/enter/") {
		t.Fatalf("link %q", link)
	}
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	for i, want := range []int{http.StatusOK, http.StatusForbidden} {
		answer, err := client.Get(link)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("visit %d: %d\n%s", i+1, answer.StatusCode, text)
		}
	}
	stop()
	if code := <-ended; code != exitDone {
		t.Errorf("exit %d", code)
	}
}

// once runs a command to its end and returns what it prints.
func once(t *testing.T, args ...string) string {
	t.Helper()
	var out, wrong strings.Builder
	p := &Program{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Env: func(string) string { return "" }}
	if code := p.Run(t.Context()); code != exitDone {
		t.Fatalf("%v: exit %d\n%s", args, code, wrong.String())
	}
	return out.String()
}

// servedPage serves MCP and the page until the test ends, with more arguments, and returns
// the address, without a path.
func servedPage(t *testing.T, dir string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	said, in := io.Pipe()
	p := &Program{
		Args:  append([]string{"serve", "--http", "127.0.0.1:0", "--web", "--data-dir", dir}, args...),
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: in,
		Env: func(string) string { return "" },
	}
	ended := make(chan int, 1)
	go func() { ended <- p.Run(ctx); in.Close() }()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitDone {
			t.Errorf("exit %d", code)
		}
	})
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if _, address, ok := strings.Cut(strings.TrimSpace(line), " serving MCP at "); ok {
			go io.Copy(io.Discard, lines)
			return strings.TrimSuffix(address, "/mcp")
		}
	}
}

// came is an answer's status and text.
func came(t *testing.T, answer *http.Response, err error) (int, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// TestServeHasThePageToo: behind tokens, beside MCP.
func TestServeHasThePageToo(t *testing.T) {
	dir := t.TempDir()
	token := strings.TrimSpace(once(t, "token", "create", "--data-dir", dir))
	base := servedPage(t, dir)
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	visit := func(answer *http.Response, err error) (int, string) { t.Helper(); return came(t, answer, err) }
	if status, text := visit(client.Get(base + "/ui/")); status != http.StatusOK || !strings.Contains(text, "<h1>Sign in</h1>") {
		t.Errorf("without a token: %d\n%s", status, text)
	}
	if status, text := visit(client.PostForm(base+"/ui/sign-in", url.Values{"token": {token}})); status != http.StatusOK ||
		!strings.Contains(text, "<h1>Today</h1>") {
		t.Errorf("with a token: %d\n%s", status, text)
	}
	if status, _ := visit(client.Post(base+"/mcp", "application/json", strings.NewReader("{}"))); status != http.StatusUnauthorized {
		t.Errorf("the page's cookie is good for MCP: %d", status)
	}
}

// TestOperatorOfAServer: it sees how the banks do, by the page and by metrics, and no word of them.
func TestOperatorOfAServer(t *testing.T) {
	dir := t.TempDir()
	for _, agent := range []string{"ann", "ops"} {
		once(t, "save", "The quincunx is in the cellar.", "--agent", agent, "--data-dir", dir)
	}
	token := strings.TrimSpace(once(t, "token", "create", "--operator", "--agent", "ops", "--data-dir", dir))
	base := servedPage(t, dir)
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	ask := func(method, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(r)
		return came(t, answer, err)
	}
	answer, err := client.PostForm(base+"/ui/sign-in", url.Values{"token": {token}})
	if status, text := came(t, answer, err); status != http.StatusOK || !strings.Contains(text, "<bdi>ann</bdi>") ||
		strings.Contains(text, "quincunx") {
		t.Errorf("the page of banks: %d\n%s", status, text)
	}
	for path, body := range map[string]string{
		"/ui/search?q=quincunx": "", "/ui/memory/x": "", "/ui/files?name=MEMORY.md": "",
		"/mcp":         `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		"/memory-tool": `{"command":"view","path":"/memories"}`,
	} {
		method := http.MethodGet
		if body != "" {
			method = http.MethodPost
		}
		if status, text := ask(method, path, body); status != http.StatusForbidden ||
			!strings.Contains(strings.ReplaceAll(text, "&#39;", "'"), "operator's") || strings.Contains(text, "in the cellar") {
			t.Errorf("%s: %d\n%s", path, status, text)
		}
	}
	if status, text := ask(http.MethodGet, "/metrics", ""); status != http.StatusOK || !strings.Contains(text, "mcp_memory_records 2") {
		t.Errorf("metrics: %d\n%s", status, text)
	}
}

// TestSignInAtAnIssuer: the settings lead to the issuer's dialogue and back.
func TestSignInAtAnIssuer(t *testing.T) {
	issuer := oidctest.New(t, time.Now)
	dir := t.TempDir()
	once(t, "save", "The barn is red.", "--agent", "ann", "--data-dir", dir)
	config := fmt.Sprintf("auth:\n  issuer: %s\n  audience: memory\n  client_id: page\n  client_secret: s3cret\n  scopes: [openid, groups]\n  operator: groups=ops\n", issuer.URL)
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	base := servedPage(t, dir)
	issuer.Set(func(i *oidctest.Issuer) { i.Redirect = base + "/ui/callback" })
	for title, claims := range map[string]oidctest.Claims{"Today": nil, "Banks": {"groups": []string{"ops"}}} {
		issuer.Set(func(i *oidctest.Issuer) { i.Claims = claims })
		jar, _ := cookiejar.New(nil)
		client := &http.Client{Jar: jar}
		answer, err := client.Get(base + "/ui/issuer")
		if status, text := came(t, answer, err); status != http.StatusOK || !strings.Contains(text, "<h1>Signed in</h1>") {
			t.Fatalf("signing in: %d\n%s", status, text)
		}
		answer, err = client.Get(base + "/ui/")
		if status, text := came(t, answer, err); status != http.StatusOK || !strings.Contains(text, "<h1>"+title+"</h1>") {
			t.Errorf("then: %d, want %s\n%s", status, title, text)
		}
	}
}

func TestWebIsOfThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		p := &Program{Args: []string{"web", "--no-open", "--addr", address, "--data-dir", t.TempDir()}, Stdin: strings.NewReader(""),
			Stdout: io.Discard, Stderr: io.Discard, Env: func(string) string { return "" }}
		if code := p.Run(t.Context()); code != exitUsage {
			t.Errorf("%s: exit %d", address, code)
		}
	}
}
