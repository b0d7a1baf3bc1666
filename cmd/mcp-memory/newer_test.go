package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/product"
)

// releases serves an answer in the place of the releases, and counts who asks.
func releases(t *testing.T, status int, body string) (place string, asked *int) {
	t.Helper()
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		if agent := r.Header.Get("User-Agent"); agent != "mcp-memory/"+product.Version {
			t.Errorf("the user agent is %q", agent)
		}
		w.WriteHeader(status)
		if _, err := w.Write([]byte(body)); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/latest", asked
}

func TestVersionCheck(t *testing.T) {
	m := newMachine(t)
	for tag, want := range map[string]string{
		"v999.0.0":             "v999.0.0 is out; this is " + product.Version + ": https://example.com/r",
		"v" + product.Version:  "this is the newest release",
		product.Version:        "this is the newest release",
		"v0.0.1":               "this is newer than the newest release, v0.0.1",
		"v999.0.0-rc.1+b":      "v999.0.0-rc.1+b is out",
		"v999.0.0-\x1b":        "",
		"nightly":              "",
		"v1.0.9999999999999.0": "",
	} {
		body := `{"tag_name":` + `"` + strings.ReplaceAll(tag, "\x1b", `\u001b`) + `"` + `,"html_url":"https://example.com/r"}`
		place, _ := releases(t, http.StatusOK, body)
		if want == "" {
			m.fails(exitFailed, "which is no version", "version", "--check", "--from", place)
			continue
		}
		lines := strings.Split(strings.TrimSpace(m.ok("version", "--check", "--from", place)), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[0], "mcp-memory ") || !strings.HasPrefix(lines[1], want) {
			t.Errorf("of %s it says %q, want %q", tag, lines, want)
		}
	}
	place, asked := releases(t, http.StatusOK, `{"tag_name":"v999.0.0","html_url":"https://example.com/r"}`)
	var says about
	m.read(&says, "version", "--check", "--from", place)
	if says.Latest != "v999.0.0" || says.Newer == nil || !*says.Newer || says.Page != "https://example.com/r" || *asked != 1 {
		t.Errorf("as JSON it says %+v, asked %d times", says, *asked)
	}
	m.ok("version")
	m.fails(exitUsage, "--from needs --check", "version", "--from", place)
	if *asked != 1 {
		t.Errorf("the network was asked %d times, once it was wanted", *asked)
	}
}

func TestVersionCheckFails(t *testing.T) {
	m := newMachine(t)
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{http.StatusNotFound, `{"message":"Not Found"}`, "there is no release at"},
		{http.StatusForbidden, `{"message":"rate limit"}`, "try again in an hour"},
		{http.StatusBadGateway, "<html>", "answers 502 Bad Gateway"},
		{http.StatusOK, "<html>", "cannot be understood"},
		{http.StatusOK, `{"tag_name":7}`, "cannot be understood"},
		{http.StatusOK, `{}`, `a release ""`},
		{http.StatusOK, `{"tag_name":"` + strings.Repeat("9", newerLimit), "cannot be understood"},
	} {
		place, _ := releases(t, c.status, c.body)
		m.fails(exitFailed, c.want, "version", "--check", "--from", place)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	m.fails(exitFailed, "cannot be reached", "version", "--check", "--from", gone.URL)
	m.fails(exitUsage, "is not the URL of a release", "version", "--check", "--from", "latest")
	if !product.Published() {
		m.fails(exitFailed, "does not know where its releases are published", "version", "--check")
	}
}

func TestVersionCheckEndsInTime(t *testing.T) {
	done := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer silent.Close()
	defer close(done)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := askNewest(ctx, silent.URL); err == nil || !strings.Contains(err.Error(), "did not answer within") {
		t.Errorf("of a place that says nothing: %v", err)
	}
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"0.0.1", "0.0.10", "0.2.0", "1.0.0-alpha", "1.0.0-beta", "1.0.0", "1.0.1", "10.0.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			order, err := compareVersions(a, b)
			if err != nil || (order < 0) != (i < j) || (order > 0) != (i > j) {
				t.Errorf("%s against %s is %d, %v", a, b, order, err)
			}
		}
	}
}
