package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPageMakesABackup: the page of this machine examines it, and its button leaves a backup that can be restored.
func TestPageMakesABackup(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	dir, backups := t.TempDir(), filepath.Join(t.TempDir(), "backups")
	env := func(name string) string { return map[string]string{"MCP_MEMORY_BACKUP_DIR": backups}[name] }
	out, in := io.Pipe()
	p := &Program{Args: []string{"web", "--no-open", "--data-dir", dir}, Stdin: strings.NewReader(""), Stdout: in,
		Stderr: io.Discard, Env: env}
	ended := make(chan int, 1)
	go func() { ended <- p.Run(ctx); in.Close() }()
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	link = strings.TrimSpace(link)
	base, _, _ := strings.Cut(link, "/enter/")
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	visit := func(answer *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d\n%s", answer.Request.URL, answer.StatusCode, text)
		}
		return string(text)
	}
	visit(client.Get(link))
	page := visit(client.Get(base + "/health"))
	key := regexp.MustCompile(`name="key" value="(\w+)"`).FindStringSubmatch(page)
	if key == nil || !strings.Contains(page, "There is none yet") {
		t.Fatalf("before: %s", page)
	}
	fields := url.Values{"key": {key[1]}}
	if page = visit(client.PostForm(base+"/health/examine", fields)); !strings.Contains(page, "Looked through") ||
		!strings.Contains(page, ">embedder<") {
		t.Errorf("examined: %s", page)
	}
	if page = visit(client.PostForm(base+"/health/backup", fields)); !strings.Contains(page, "The newest is of") {
		t.Errorf("backed up: %s", page)
	}
	stop()
	if code := <-ended; code != exitDone {
		t.Errorf("exit %d", code)
	}
	made, err := os.ReadDir(backups)
	if err != nil || len(made) != 1 {
		t.Fatalf("%v, %v", made, err)
	}
	back := &Program{Args: []string{"restore", filepath.Join(backups, made[0].Name()), "--data-dir", t.TempDir()},
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Env: env}
	if code := back.Run(t.Context()); code != exitDone {
		t.Errorf("restored: exit %d", code)
	}
}
