package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
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

// TestServeHasThePageToo: behind tokens, beside MCP.
func TestServeHasThePageToo(t *testing.T) {
	dir := t.TempDir()
	var made strings.Builder
	env := func(string) string { return "" }
	create := &Program{Args: []string{"token", "create", "--json", "--data-dir", dir}, Stdin: strings.NewReader(""), Stdout: &made, Stderr: io.Discard, Env: env}
	if code := create.Run(t.Context()); code != exitDone {
		t.Fatalf("exit %d", code)
	}
	var token struct{ Token string }
	if err := json.Unmarshal([]byte(made.String()), &token); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said, in := io.Pipe()
	p := &Program{Args: []string{"serve", "--http", "127.0.0.1:0", "--web", "--data-dir", dir}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: in, Env: env}
	ended := make(chan int, 1)
	go func() { ended <- p.Run(ctx); in.Close() }()
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	_, address, _ := strings.Cut(strings.TrimSpace(line), " at ")
	base := strings.TrimSuffix(address, "/mcp")
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	visit := func(answer *http.Response, err error) (int, string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	if status, text := visit(client.Get(base + "/ui/")); status != http.StatusOK || !strings.Contains(text, "<h1>Sign in</h1>") {
		t.Errorf("without a token: %d\n%s", status, text)
	}
	if status, text := visit(client.PostForm(base+"/ui/sign-in", url.Values{"token": {token.Token}})); status != http.StatusOK || !strings.Contains(text, "<h1>Today</h1>") {
		t.Errorf("with a token: %d\n%s", status, text)
	}
	if status, _ := visit(client.Post(base+"/mcp", "application/json", strings.NewReader("{}"))); status != http.StatusUnauthorized {
		t.Errorf("the page's cookie is good for MCP: %d", status)
	}
	stop()
	if code := <-ended; code != exitDone {
		t.Errorf("exit %d", code)
	}
}

func TestWebIsOfThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		p := &Program{Args: []string{"web", "--no-open", "--addr", address, "--data-dir", t.TempDir()}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Env: func(string) string { return "" }}
		if code := p.Run(t.Context()); code != exitUsage {
			t.Errorf("%s: exit %d", address, code)
		}
	}
}
