package html

import (
	"strconv"
	"strings"
)

// Elements by their names.

// Div is a div element; see [El].
func Div(parts ...any) Node { return El("div", parts...) }

// Span is a span element; see [El].
func Span(parts ...any) Node { return El("span", parts...) }

// P is a p element; see [El].
func P(parts ...any) Node { return El("p", parts...) }

// H1 is a h1 element; see [El].
func H1(parts ...any) Node { return El("h1", parts...) }

// H2 is a h2 element; see [El].
func H2(parts ...any) Node { return El("h2", parts...) }

// H3 is a h3 element; see [El].
func H3(parts ...any) Node { return El("h3", parts...) }

// Ul is a ul element; see [El].
func Ul(parts ...any) Node { return El("ul", parts...) }

// Ol is a ol element; see [El].
func Ol(parts ...any) Node { return El("ol", parts...) }

// Li is a li element; see [El].
func Li(parts ...any) Node { return El("li", parts...) }

// Dl is a dl element; see [El].
func Dl(parts ...any) Node { return El("dl", parts...) }

// Dt is a dt element; see [El].
func Dt(parts ...any) Node { return El("dt", parts...) }

// Dd is a dd element; see [El].
func Dd(parts ...any) Node { return El("dd", parts...) }

// A is a a element; see [El].
func A(parts ...any) Node { return El("a", parts...) }

// Strong is a strong element; see [El].
func Strong(parts ...any) Node { return El("strong", parts...) }

// Small is a small element; see [El].
func Small(parts ...any) Node { return El("small", parts...) }

// Code is a code element; see [El].
func Code(parts ...any) Node { return El("code", parts...) }

// Section is a section element; see [El].
func Section(parts ...any) Node { return El("section", parts...) }

// Article is a article element; see [El].
func Article(parts ...any) Node { return El("article", parts...) }

// Label is a label element; see [El].
func Label(parts ...any) Node { return El("label", parts...) }

// Input is a input element; see [El].
func Input(parts ...any) Node { return El("input", parts...) }

// Button is a button element; see [El].
func Button(parts ...any) Node { return El("button", parts...) }

// Select is a select element; see [El].
func Select(parts ...any) Node { return El("select", parts...) }

// Option is a option element; see [El].
func Option(parts ...any) Node { return El("option", parts...) }

// Textarea is a textarea element; see [El].
func Textarea(parts ...any) Node { return El("textarea", parts...) }

// Details is a details element; see [El].
func Details(parts ...any) Node { return El("details", parts...) }

// Summary is a summary element; see [El].
func Summary(parts ...any) Node { return El("summary", parts...) }

// Form is a form element; see [El].
func Form(parts ...any) Node { return El("form", parts...) }

// Table is a table element; see [El].
func Table(parts ...any) Node { return El("table", parts...) }

// Thead is a thead element; see [El].
func Thead(parts ...any) Node { return El("thead", parts...) }

// Tbody is a tbody element; see [El].
func Tbody(parts ...any) Node { return El("tbody", parts...) }

// Tr is a tr element; see [El].
func Tr(parts ...any) Node { return El("tr", parts...) }

// Th is a th element; see [El].
func Th(parts ...any) Node { return El("th", parts...) }

// Td is a td element; see [El].
func Td(parts ...any) Node { return El("td", parts...) }

// Ins is a ins element; see [El].
func Ins(parts ...any) Node { return El("ins", parts...) }

// Del is a del element; see [El].
func Del(parts ...any) Node { return El("del", parts...) }

// Attributes by their names.

// Class is the class attribute.
func Class(names string) Attribute { return Attr("class", names) }

// ID is the id attribute.
func ID(id string) Attribute { return Attr("id", id) }

// Name is the name attribute.
func Name(name string) Attribute { return Attr("name", name) }

// Value is the value attribute.
func Value(value string) Attribute { return Attr("value", value) }

// Type is the type attribute.
func Type(kind string) Attribute { return Attr("type", kind) }

// For is the for attribute.
func For(id string) Attribute { return Attr("for", id) }

// AriaLabel is the aria-label attribute.
func AriaLabel(label string) Attribute { return Attr("aria-label", label) }

// Data is the attribute data-NAME.
func Data(name, value string) Attribute {
	return Attr("data-"+name, value)
}

// Whole is an attribute with an integer value.
func Whole(name string, n int) Attribute { return Attr(name, strconv.Itoa(n)) }

// Href is the href attribute with an address on this server: a path that begins with exactly one
// slash, a query ("?…"), or a fragment ("#…"). Any other address becomes "#".
func Href(address string) Attribute { return Attr("href", own(address)) }

// Src is the src attribute. The address is checked as in [Href].
func Src(address string) Attribute { return Attr("src", own(address)) }

// Action is the action attribute of a form. The address is checked as in [Href].
func Action(address string) Attribute { return Attr("action", own(address)) }

// FormAction is the formaction attribute: the address to which a button sends its form. It is
// checked as in [Href].
func FormAction(address string) Attribute { return Attr("formaction", own(address)) }

func own(address string) string {
	switch {
	case strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && !strings.ContainsAny(address, "\\\n\r\t"),
		strings.HasPrefix(address, "?"), strings.HasPrefix(address, "#"):
		return address
	}
	return "#"
}
