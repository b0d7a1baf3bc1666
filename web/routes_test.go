package web_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web"
)

// TestNamesOfTheServer are those of the setting, with a port or for any.
func TestNamesOfTheServer(t *testing.T) {
	w := newWorldWith(t, false, func(_ *world, o *web.Options) access.Verifier {
		o.Hosts = []string{"memory.example", "other.example:8443"}
		return nil
	})
	b := w.browser()
	for host, want := range map[string]int{
		"memory.example": http.StatusOK, "memory.example:80": http.StatusOK,
		"Memory.Example": http.StatusOK, "other.example:8443": http.StatusOK, "Other.Example:8443": http.StatusOK,
		"other.example": http.StatusForbidden, "other.example:1": http.StatusForbidden,
		"x.memory.example": http.StatusForbidden, "": http.StatusOK,
	} {
		b.header = http.Header{}
		if host != "" {
			b.header.Set("Host", host)
		}
		if got := b.get("/ui/sign-in"); got.status != want {
			t.Errorf("asked as %q: %d", host, got.status)
		}
	}
}

// TestWaitingForNewsKeepsNoSessionAlive: a page that lies open is not a person who is there.
func TestWaitingForNewsKeepsNoSessionAlive(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	for range 2 {
		*w.clock = w.clock.Add(20 * time.Minute)
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+"/ui/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := b.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		leave()
		stream.Body.Close()
	}
	if got := b.get("/ui/"); got.path != "/ui/sign-in" {
		t.Errorf("kept alive by waiting, at %s", got.path)
	}
}

// TestPostsThatOnlyRead are free to tokens that may only read, and are not in the audit log; others are neither.
func TestPostsThatOnlyRead(t *testing.T) {
	w := newWorld(t, true)
	scope := memory.Scope{Agent: "ann"}
	id := w.save(scope, remember.SaveRequest{Content: "The gate opens at seven."})
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The barn is red."})
	_, secret := w.token(access.Request{Agent: "ann"})
	_, reading := w.token(access.Request{Agent: "ann", ReadOnly: true})
	for _, b := range []*browser{w.signedIn(secret), w.signedIn(reading)} {
		b.submit(b.get("/ui/"), "/ui/project", url.Values{"project": {""}}).must(t, http.StatusOK, "Today")
	}
	b := w.signedIn(secret)
	b.submit(b.get("/ui/memory/"+id), "/ui/memory/"+id+"/pin", nil).must(t, http.StatusOK, "The gate")
	b.submit(b.get("/ui/"), "/ui/sign-out", nil)
	entries, err := w.bank.Store.AuditLog(t.Context(), "ann", 100)
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, e := range entries {
		pages = append(pages, e.Action)
	}
	if want := []string{"page/memory/pin"}; !slices.Equal(pages, want) {
		t.Errorf("the audit log has %v, want %v", pages, want)
	}
}

// TestStreamTellsWhatThePageMissed: what is written after a page was made, and before it listens, is told.
func TestStreamTellsWhatThePageMissed(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // it would wait for ever
	defer cancel()
	for _, path := range []string{"/ui/", "/ui/timeline"} {
		body := b.get(path).find(func(n *html.Node) bool { return n.Data == "body" })
		w.save(w.scope, remember.SaveRequest{Content: "Written behind " + path + "."})
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+attr(body, "data-events"), nil)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := b.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stream.Body)
		for lines.Scan() && lines.Text() != "event: change" {
		}
		if lines.Text() != "event: change" {
			t.Errorf("%s is not told: %q, %v", path, lines.Text(), lines.Err())
		}
		stream.Body.Close()
	}
}
