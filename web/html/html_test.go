package html

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

func TestTextStaysText(t *testing.T) {
	for _, text := range []string{
		`<script>alert(1)</script>`, `</textarea><img src=x onerror=alert(1)>`, `" onmouseover="alert(1)`, "&lt;b&gt; & &amp;", "a\r\nb\rc",
		"\x1b[31mred\x1b[0m\x00\x07", "\xff\xfe broken", "\u202eright to left", strings.Repeat("x", 32<<10), "<!--", "]]>", "👩‍👩‍👧",
	} {
		page := string(Page("en", El("body", P(Attr("title", text), text), Textarea(Name("t"), text))))
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]int{}
		var walk func(*html.Node)
		walk = func(n *html.Node) {
			if n.Type == html.ElementNode {
				names[n.Data]++
				for _, a := range n.Attr {
					if a.Key != "title" && a.Key != "lang" && a.Key != "name" {
						t.Errorf("%q made the attribute %s", text, a.Key)
					}
				}
			}
			if n.Type == html.CommentNode {
				t.Errorf("%q made a comment", text)
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
		}
		walk(doc)
		if len(names) != 5 || names["p"] != 1 || names["textarea"] != 1 {
			t.Errorf("%q made elements: %v", text, names)
		}
		if strings.ContainsAny(page, "\x1b\x00\x07") || !utf8.ValidString(page) {
			t.Errorf("%q left control characters", text)
		}
	}
}

func TestAddressesLeadNowhereElse(t *testing.T) {
	for _, a := range []string{"https://example.com", "//example.com", "javascript:alert(1)", "data:text/html,x", `/\example.com`,
		"/\t/example.com", ""} {
		if got := string(Bytes(A(Href(a)))); got != `<a href="#"></a>` {
			t.Errorf("%q became %s", a, got)
		}
	}
	for _, a := range []string{"/ui/search?q=a&b=c", "?x=1", "#top"} {
		if got := string(Bytes(A(Href(a)))); strings.Contains(got, `"#"`) {
			t.Errorf("%q became %s", a, got)
		}
	}
}
