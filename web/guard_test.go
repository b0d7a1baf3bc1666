package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"mcp-memory/remember"
)

func TestOnlyUnderItsOwnName(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	for host, want := range map[string]int{
		"evil.example": http.StatusForbidden, "127.0.0.1.evil.example": http.StatusForbidden,
		"10.0.0.1": http.StatusForbidden, "[::ffff:8.8.8.8]:80": http.StatusForbidden,
		"localhost:1": http.StatusOK, "[::1]:80": http.StatusOK, "127.0.0.1": http.StatusOK,
	} {
		b.header.Set("Host", host)
		if got := b.get("/ui/sign-in"); got.status != want {
			t.Errorf("asked as %s: %d", host, got.status)
		}
	}
}

func TestOthersPagesChangeNothing(t *testing.T) {
	w := newWorld(t, false)
	id := w.save(w.scope, remember.SaveRequest{Content: "The gate code is on the blue card."})
	b := w.entered()
	page := b.get("/ui/memory/" + id)
	key := attr(page.find(func(n *html.Node) bool { return n.Data == "input" && attr(n, "name") == "key" }), "value")
	forget := url.Values{"key": {key}}
	for name, header := range map[string]http.Header{
		"another site":    {"Sec-Fetch-Site": {"cross-site"}},
		"a sister":        {"Sec-Fetch-Site": {"same-site"}},
		"an old browser":  {"Origin": {"https://evil.example"}},
		"a local page":    {"Origin": {"http://127.0.0.1:9"}},
		"a sandboxed one": {"Origin": {"null"}},
	} {
		b.header = header
		if got := b.send("/ui/memory/"+id+"/forget", forget); got.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	b.header = http.Header{"Sec-Fetch-Site": {"same-origin"}}
	for _, wrong := range []url.Values{nil, {"key": {""}}, {"key": {key + "x"}}} {
		b.send("/ui/memory/"+id+"/forget", wrong).must(t, http.StatusForbidden, "another session")
	}
	if got := b.get("/ui/memory/" + id + "/forget?key=" + key); got.status != http.StatusMethodNotAllowed {
		t.Errorf("by GET: %d", got.status)
	}
	b.get("/ui/memory/"+id).must(t, http.StatusOK, "Forget")
	b.send("/ui/memory/"+id+"/forget", forget).must(t, http.StatusOK, "Forgotten.", "set aside")
}

func TestWhatBrowsersAreTold(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	for _, path := range []string{"/ui/", "/ui/search?q=gate", "/ui/nothing", "/ui/sign-in", "/ui/assets/page.0.css"} {
		got := b.get(path)
		csp := got.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; ") || strings.Contains(csp, "unsafe") ||
			!strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("Cache-Control") != "no-store" ||
			got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", path, got.header)
		}
		each(got.doc, func(n *html.Node) {
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: %s has %s", path, n.Data, a.Key)
				}
				if (a.Key == "src" || a.Key == "href" || a.Key == "action") && !strings.HasPrefix(a.Val, "/ui") &&
					!strings.HasPrefix(a.Val, "#") {
					t.Errorf("%s leads to %q", path, a.Val)
				}
			}
			if n.Data == "style" || n.Data == "script" && attr(n, "src") == "" {
				t.Errorf("%s: %s inside of the page", path, n.Data)
			}
		})
	}
}

// TestAssets: every file that a page names is there, for good, and the first page with
// all of them is small.
func TestAssets(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	page := b.get("/ui/")
	size, files := len(page.text), 0
	each(page.doc, func(n *html.Node) {
		from := attr(n, "src")
		if n.Data == "link" {
			from = attr(n, "href")
		}
		if from == "" {
			return
		}
		got := b.get(from)
		if got.status != http.StatusOK || !strings.Contains(got.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %v", from, got.status, got.header)
		}
		size, files = size+len(got.text), files+1
	})
	if files != 3 || size > 150<<10 {
		t.Errorf("%d files, %d bytes in all", files, size)
	}
}

// hostile are texts that want to be more than texts.
var hostile = []string{
	`<script>document.title="owned"</script>`, `"><img src=x onerror=alert(1)>`,
	`</textarea><script>alert(1)</script>`, "javascript:alert(1)",
	strings.Repeat("x", 32<<10), "\u202eevil\u202c مرحبا بالعالم", "👩‍👩‍👧‍👦🏳️‍🌈",
	"\x1b[31mred\x1b[0m \x07bell", "{{.}} ${7*7} <!--", "' OR 1=1 --",
}

func TestTextStaysText(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	for _, text := range hostile {
		id := w.save(w.scope, remember.SaveRequest{Content: text, Tags: []string{`<b>tag`}, Pinned: true, Importance: ptr(1.0)})
		edited := b.submit(b.get("/ui/memory/"+id), "/ui/memory/"+id+"/edit",
			url.Values{"content": {text[:min(len(text), 30<<10)] + " and more"}})
		for _, page := range []reply{b.get("/ui/memory/" + id), edited, b.get("/ui/"),
			b.get("/ui/search?" + url.Values{"q": {text[:min(len(text), 200)]}}.Encode())} {
			if page.status != http.StatusOK && page.status != http.StatusConflict {
				t.Errorf("%.40q: %d at %s\n%s", text, page.status, page.path, page.text)
			}
			scripts := 0
			each(page.doc, func(n *html.Node) {
				if n.Type == html.ElementNode && n.Data == "script" {
					scripts++
				}
				if n.Data == "img" || n.Data == "b" || attr(n, "onerror") != "" || n.Type == html.CommentNode {
					t.Errorf("%.40q made %s at %s", text, n.Data, page.path)
				}
			})
			if scripts != 1 || strings.ContainsAny(page.text, "\x1b\x07") {
				t.Errorf("%.40q at %s: %d scripts", text, page.path, scripts)
			}
		}
	}
}

func ptr[T any](x T) *T { return &x }
