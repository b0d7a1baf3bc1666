package web

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// Setting is a setting as it may be shown. Value never holds a secret.
type Setting struct {
	Key, Value string
	From       string // "default", or where the value was set
	Help       string
}

// settings shows all settings, those that are set first, to who came in by a link.
func (s *Site) settings(v *visit) (answer, error) {
	if err := v.ofMachine(); err != nil {
		return nil, err
	}
	var set, unset html.List
	for _, one := range s.o.Machine.Settings() {
		value := html.Node(html.Code(html.Attr("dir", "auto"), memory.Shorten(one.Value, 200)))
		if one.Value == "" {
			value = html.Span("empty")
		}
		glance, dot := html.List{value}, "fact"
		if one.From != "default" {
			dot = "edit"
			glance = append(glance, html.Span(html.Class("badge medium"), "from "+one.From))
		}
		row := html.Li(line(html.Span(html.Class("mark"), icon(dot)),
			html.List{html.P(html.Class("text"), html.Code(one.Key)), html.P(html.Class("hint"), sentence(one.Help))}, glance))
		if one.From != "default" {
			set = append(set, row)
		} else {
			unset = append(unset, row)
		}
	}
	if len(set) == 0 {
		set = html.List{html.Li(html.Class("empty"), "Nothing is set: the defaults hold.")}
	}
	return page{title: "Settings", body: html.Div(html.Class("column"),
		html.P(html.Class("hint"), html.Code("mcp-memory settings set KEY VALUE"), " changes one, ",
			html.Code("mcp-memory settings unset KEY"), " takes it back; servers that run read it when they start again."),
		html.H2("Set"), html.Ol(html.Class("rows"), set), html.H2("Defaults"), html.Ol(html.Class("rows"), unset))}, nil
}

// sentence returns text with a capital first letter.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
