package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"mcp-memory/web"
)

// FuzzAddresses: whatever is asked of whichever address, what comes is a page of ours: no fault of the
// program, no markup that somebody typed, nothing but text in UTF-8, the policy on top.
func FuzzAddresses(f *testing.F) {
	w := newWorld(f, false)
	x := w.fill("default", "Zaubernuss")
	x.link = w.request("default", "Zaubernuss")
	b := w.entered()
	home, _ := url.Parse(w.server.URL + "/ui/")
	cookie, key := b.client.Jar.Cookies(home)[0], keyOf(b.get("/ui/"))
	var list []web.Address
	for _, a := range w.site.Addresses() {
		if !strings.Contains(a.Path, "/events") && a.Path != "/sign-out" {
			list = append(list, a)
		}
	}
	for i, a := range list {
		for _, id := range []string{x.records[0], x.todo, x.review, "<b>", "%00", "..%2f.."} {
			for _, fields := range x.asked(a.Method) {
				if len(fields) == len(id)%3 { // some of each
					f.Add(uint(i), id, fields.Encode())
				}
			}
		}
		f.Add(uint(i), hostile[0],
			url.Values{"q": {hostile[1]}, "about": {hostile[2]}, "content": {hostile[5]}, "name": {hostile[6]}, "title": {hostile[7]},
				"version": {"x"}, "from": {"-9"}, "month": {"9999-12"}, "back": {"//x"}}.Encode())
	}
	f.Fuzz(func(t *testing.T, n uint, id, query string) {
		a := list[n%uint(len(list))]
		before, rest, some := strings.Cut(a.Path, "{")
		if _, after, _ := strings.Cut(rest, "}"); some && rest != "$}" {
			before += url.PathEscape(id) + after
		}
		body := ""
		if a.Method == http.MethodPost {
			body, query = "key="+key+"&"+query, ""
		}
		r, err := http.NewRequest(a.Method, "http://localhost/ui"+before+"?"+query, strings.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Host = home.Host
		r.AddCookie(cookie)
		got := httptest.NewRecorder()
		w.site.ServeHTTP(got, r)
		what := a.Method + " " + before + "?" + query + " " + body
		if got.Code == http.StatusInternalServerError || got.Code < 200 {
			t.Fatalf("%s: %d\n%s", what, got.Code, got.Body)
		}
		if !strings.HasPrefix(got.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: no policy", what)
		}
		if at := got.Header().Get("Location"); at != "" && !strings.HasPrefix(at, "/ui") {
			t.Errorf("%s leads to %q", what, at)
		}
		if !strings.HasPrefix(got.Header().Get("Content-Type"), "text/html") {
			return
		}
		text := got.Body.String()
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b\x07") {
			t.Errorf("%s: control characters", what)
		}
		doc, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		each(doc, func(n *html.Node) {
			element := n.Type == html.ElementNode
			if n.Type == html.CommentNode ||
				element && (n.Data == "script" && attr(n, "src") == "" || n.Data == "b" || n.Data == "img" || n.Data == "iframe") {
				t.Errorf("%s made %s", what, n.Data)
			}
			for _, one := range n.Attr {
				if strings.HasPrefix(one.Key, "on") || one.Key == "style" ||
					(one.Key == "href" || one.Key == "action" || one.Key == "src") && !strings.HasPrefix(one.Val, "/ui") &&
						!strings.HasPrefix(one.Val, "#") {
					t.Errorf("%s: %s has %s=%q", what, n.Data, one.Key, one.Val)
				}
			}
		})
	})
}
