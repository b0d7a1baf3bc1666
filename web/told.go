package web

import (
	"slices"
	"strconv"

	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// toldPage is how many entries a page has.
const toldPage = 30

// told lists what agents were given: when, on what occasion, and which memories.
func (s *Site) told(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	at := v.pager("before")
	entries, last, err := v.toldOf(scope, at.before)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range entries {
		for _, r := range t.Results[:min(len(t.Results), maxToldResults)] {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	records, err := v.records(scope, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	body := html.List{html.P(html.Class("hint"),
		"What your agents were given: each question, each start of a session, each prompt that a host's hook added to. "+
			"Texts are as they are today; what was erased since is not shown.")}
	day := ""
	for _, t := range entries {
		if d := s.o.Clock.Day(t.At); d != day {
			day = d
			body = append(body, html.H2(v.dayWords(t.At)))
		}
		body = append(body, v.toldEntry(t, records))
	}
	switch {
	case len(entries) == 0 && last != "":
		body = append(body, html.P(html.Class("empty"), "Nothing of this project among the newest."))
	case len(entries) == 0:
		body = append(body, html.P(html.Class("empty"), "Nothing was recalled yet. The setting ", html.Code("told.keep"),
			" says how long it is kept."))
	}
	body = append(body, at.links("before", "/told", last))
	return page{title: "Recalls", body: html.Div(html.ID("told"), html.Class("column"), html.Data("refresh", "told"), body)}, nil
}

// toldLooked is how many batches of toldPage entries are read to fill a page with those of one
// project.
const toldLooked = 20

// toldOf returns a page of entries of the scope's project or of none, and the id before which there
// are more, "" at the end.
func (v *visit) toldOf(scope memory.Scope, before string) (entries []memory.Told, last string, err error) {
	for range toldLooked {
		some, err := v.site.o.Told.List(v.context(), scope.Agent, before, toldPage)
		if err != nil {
			return nil, "", err
		}
		for _, t := range some {
			if before = t.ID; scope.Project == memory.AllProjects || t.Project == scope.Project || t.Project == "" {
				if entries = append(entries, t); len(entries) == toldPage {
					return entries, before, nil
				}
			}
		}
		if len(some) < toldPage {
			return entries, "", nil
		}
	}
	return entries, before, nil
}

// maxToldResults is how many memories an entry shows.
const maxToldResults = 12

func (v *visit) toldEntry(t memory.Told, records map[string]memory.Record) html.Node {
	head := html.List{}
	add := func(n ...any) { head = append(head, html.Li(n...)) }
	add(v.clock(t.At))
	add(t.Via)
	add(count(t.Tokens, "token", "tokens"))
	if t.Project != "" {
		add(html.El("bdi", t.Project))
	}
	if t.Session != "" {
		add("session ", html.El("bdi", memory.Shorten(t.Session, 24)))
	}
	parts := []any{html.Class("group")}
	if t.Query != "" {
		parts = append(parts, html.H3(html.A(html.Href(query("/memories", "q", t.Query)), html.Attr("dir", "auto"),
			memory.Shorten(t.Query, 300))))
	}
	parts = append(parts, html.Ul(html.Class("facts"), head))
	var items html.List
	for _, r := range t.Results[:min(len(t.Results), maxToldResults)] {
		one, ok := records[r.ID]
		if !ok {
			continue // erased since, or a message of a conversation
		}
		var score html.Node
		if r.Score > 0 {
			score = html.Small(html.Class("hint"), "score "+number(r.Score))
		}
		items = append(items, html.Li(kindSign(one),
			html.A(html.Href(Root+"/memory/"+one.ID), html.Attr("dir", "auto"), memory.Shorten(one.Content, 200)), score))
	}
	if more := len(t.Results) - len(items); more > 0 {
		items = append(items, html.Li(html.Class("rest hint"), "and "+strconv.Itoa(more)+" more, of conversations, or gone since"))
	}
	if len(t.Results) == 0 {
		items = append(items, html.Li(html.Class("rest hint"), "nothing relevant"))
	}
	return html.Section(append(parts, html.Ul(html.Class("brief known"), items))...)
}
