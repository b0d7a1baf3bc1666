package web

import (
	"strconv"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/web/html"
)

// today shows what the next session of the project will be given, and why each line is in it.
func (s *Site) today(v *visit) (answer, error) {
	scope, err := v.own()
	if err != nil {
		return nil, err
	}
	c, err := s.o.Start.Compose(v.context(), scope)
	if err != nil {
		return nil, err
	}
	lines := c.Lines()
	var ids []string
	for _, l := range lines {
		if l.Record != "" {
			ids = append(ids, l.Record)
		}
	}
	records, err := v.records(scope, ids)
	if err != nil {
		return nil, err
	}
	var body html.List
	section := ""
	var items html.List
	flush := func() {
		if len(items) > 0 {
			body = append(body, html.Section(html.H2(section), v.rows(items)))
		}
		items = nil
	}
	for _, l := range lines {
		if l.Section != section {
			flush()
			section = l.Section
		}
		items = append(items, v.startLine(l, records))
	}
	flush()
	if len(lines) == 0 {
		body = append(body, html.Div(html.Class("empty"), html.P("Nothing stands out yet. What you or your agents save will be here."),
			html.P(html.Code("mcp-memory install"), " connects your agents; ", html.Code(`mcp-memory save "…"`),
				" saves a first memory by hand.")))
	}
	looked, err := v.scope()
	if err != nil {
		return nil, err
	}
	aside, err := v.aside(looked)
	if err != nil {
		return nil, err
	}
	tiles, err := v.tiles(looked)
	if err != nil {
		return nil, err
	}
	told := html.P(html.Class("verdict"), "The next session", projectWords(scope.Project), " begins with this: ",
		html.Strong(strconv.Itoa(c.Tokens)), " of ", strconv.Itoa(c.Budget), " tokens.",
		html.El("progress", html.Whole("value", c.Tokens), html.Whole("max", max(c.Budget, 1)), html.AriaLabel("tokens of the start page")))
	body = append(body, html.Details(html.Summary("The page word for word"), html.El("pre", html.Attr("dir", "auto"), c.Page)))
	return page{title: "Today", body: html.Div(html.ID("today"), html.Data("refresh", "today"), tiles,
		html.Div(html.Class("beside"), html.Div(told, body), aside))}, nil
}

func projectWords(project string) html.Node {
	if project == "" || project == memory.AllProjects {
		return nil
	}
	return html.Text(" of " + project)
}

// records returns the records with the given ids, by id. Missing ones are left out.
func (v *visit) records(scope memory.Scope, ids []string) (map[string]memory.Record, error) {
	known := map[string]memory.Record{}
	for len(ids) > 0 {
		n := min(len(ids), memory.MaxIDs)
		found, _, err := v.site.o.Memories.Get(v.context(), scope, ids[:n])
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			known[f.ID] = f.Record
		}
		ids = ids[n:]
	}
	return known, nil
}

func (v *visit) startLine(l resources.Line, records map[string]memory.Record) html.Node {
	why := strings.Join(l.Why, ", ")
	if why == "" {
		why = "it belongs to this part"
	}
	reason := html.P(html.Class("hint reason"), html.Span(html.Class("visually-hidden"), "Why it is here: "), why)
	r, ok := records[l.Record]
	if !ok {
		return html.Li(html.Data("item", l.Todo),
			line(html.Span(html.Class("mark"), icon("fact")), text(l.Text), nil, html.Div(html.Class("under"), reason)))
	}
	said := html.A(html.Href(Root+"/memory/"+r.ID), html.Class("open"), html.Attr("dir", "auto"), l.Text)
	return v.row(r, said, v.glance(r, v.words().Record(r)), reason)
}
