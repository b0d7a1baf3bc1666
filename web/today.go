package web

import (
	"strconv"

	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/web/html"
)

// today shows what the next session of the project will be given.
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
	body := html.List{
		html.P("What the next session", projectWords(scope.Project), " is told at its start: ", html.Strong(strconv.Itoa(c.Tokens)), " of ", strconv.Itoa(c.Budget),
			" tokens. ", html.El("progress", html.Whole("value", c.Tokens), html.Whole("max", max(c.Budget, 1)), html.AriaLabel("tokens of the start page"))),
	}
	section := ""
	var items html.List
	flush := func() {
		if len(items) > 0 {
			body = append(body, html.Section(html.H2(section), html.Ul(html.Class("lines"), items)))
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
		body = append(body, html.P("Nothing stands out yet. What you or your agents save will be here."))
	}
	body = append(body, html.Details(html.Summary("The page word for word"), html.El("pre", html.Attr("dir", "auto"), c.Page)))
	return page{title: "Today", body: html.Div(html.ID("today"), html.Data("refresh", "today"), body)}, nil
}

func projectWords(project string) html.Node {
	if project == "" || project == memory.AllProjects {
		return nil
	}
	return html.Text(" of " + project)
}

// records reads records by id, leaving out those that are not there.
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
	parts := []any{text(l.Text)}
	var reasons html.List
	for _, w := range l.Why {
		reasons = append(reasons, html.Li(w))
	}
	if len(reasons) == 0 {
		reasons = append(reasons, html.Li("it belongs to this part"))
	}
	parts = append(parts, html.Ul(html.Class("facts"), html.AriaLabel("Why it is here"), reasons))
	if r, ok := records[l.Record]; ok {
		actions := []any{html.Class("actions"), html.A(html.Href(Root+"/memory/"+r.ID), "Look or correct")}
		if v.writes() && r.Kind != memory.KindSoul {
			actions = append(actions, v.pinForm(r), v.form("/memory/"+r.ID+"/forget", html.Class("inline"), hidden("back", v.address()), html.Button("Forget")))
		}
		parts = append(parts, html.Div(actions...))
	}
	return html.Li(parts...)
}
