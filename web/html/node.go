package html

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Node is a part of a page: an element, text, or a list of these.
type Node interface {
	write(b *bytes.Buffer)
}

// Attribute is one attribute of an element.
type Attribute struct{ name, value string }

// Attr is an attribute with a value. The name must be a constant of the program, never user input,
// because it is not escaped. For href, src, action and formaction use [Href], [Src], [Action] and
// [FormAction], which check the address.
func Attr(name, value string) Attribute { return Attribute{name, value} }

// Flag is an attribute without a value if on is set, else nothing.
func Flag(name string, on bool) Attribute {
	if !on {
		return Attribute{}
	}
	return Attribute{name: name}
}

// If returns n if on is set, else nil, which is written as nothing.
func If(on bool, n Node) Node {
	if !on {
		return nil
	}
	return n
}

// List is a sequence of nodes. Nil nodes are left out.
type List []Node

func (l List) write(b *bytes.Buffer) {
	for _, n := range l {
		if n != nil {
			n.write(b)
		}
	}
}

// Text is text, which is escaped.
type Text string

func (t Text) write(b *bytes.Buffer) { escape(b, string(t), false) }

// element is an element with attributes and content.
type element struct {
	name       string
	attributes []Attribute
	content    List
}

// El returns an element. Parts are attributes, nodes, slices of either, strings and ints, which
// become text, and nil, which is left out. Any other type is a programming error, and El panics.
func El(name string, parts ...any) Node {
	e := element{name: name}
	for _, p := range parts {
		switch p := p.(type) {
		case nil:
		case Attribute:
			if p.name != "" {
				e.attributes = append(e.attributes, p)
			}
		case []Attribute:
			e.attributes = append(e.attributes, p...)
		case string:
			e.content = append(e.content, Text(p))
		case int:
			e.content = append(e.content, Text(strconv.Itoa(p)))
		case []Node:
			e.content = append(e.content, p...)
		case Node:
			e.content = append(e.content, p)
		default:
			panic("html: a part of " + name + " is neither text, attribute nor node")
		}
	}
	return e
}

// void are the elements without content or end.
var void = map[string]bool{"input": true, "meta": true, "link": true, "br": true, "hr": true, "img": true}

func (e element) write(b *bytes.Buffer) {
	b.WriteByte('<')
	b.WriteString(e.name)
	for _, a := range e.attributes {
		if a.name == "" {
			continue
		}
		b.WriteByte(' ')
		b.WriteString(a.name)
		if a.value != "" || a.name == "value" || a.name == "alt" {
			b.WriteString(`="`)
			escape(b, a.value, true)
			b.WriteByte('"')
		}
	}
	b.WriteByte('>')
	if void[e.name] {
		return
	}
	if e.name == "textarea" || e.name == "pre" {
		b.WriteByte('\n') // parsers drop the first line break of these elements
	}
	e.content.write(b)
	b.WriteString("</")
	b.WriteString(e.name)
	b.WriteByte('>')
}

// escape writes s as text content, or as an attribute value in double quotes. ASCII control
// characters, such as the escape sequences of terminals, are replaced by their Unicode pictures,
// other control characters and invalid UTF-8 by U+FFFD. Line ends become \n.
func escape(b *bytes.Buffer, s string, attribute bool) {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"' && attribute:
			b.WriteString("&#34;")
		case r == '\n' || r == '\t':
			b.WriteString(s[:n])
		case r == '\r':
			if !strings.HasPrefix(s, "\r\n") {
				b.WriteByte('\n')
			}
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		case r == utf8.RuneError || unicode.Is(unicode.Cc, r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
}

// Page returns a whole document; language is its lang attribute.
func Page(language string, parts ...any) []byte {
	b := bytes.NewBufferString("<!doctype html>\n")
	El("html", append([]any{Attr("lang", language)}, parts...)...).write(b)
	b.WriteByte('\n')
	return b.Bytes()
}

// Bytes returns the HTML of a single node.
func Bytes(n Node) []byte {
	var b bytes.Buffer
	if n != nil {
		n.write(&b)
	}
	return b.Bytes()
}
