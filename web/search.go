package web

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
	"mcp-memory/web/html"
)

// asked is a search, as read from the address.
type asked struct {
	query, category, kind, since, until, asOf string
	archived                                  bool
}

func (v *visit) asked() asked {
	return asked{
		v.field("q"), v.field("category"), v.field("kind"), v.field("since"), v.field("until"), v.field("as_of"), v.field("archived") != "",
	}
}

// search redirects the former address of the search to /memories.
func (s *Site) search(v *visit) (answer, error) {
	return elsewhere(memoriesAt(v.r.URL.Query())), nil
}

func memoriesAt(asked url.Values) string {
	if len(asked) == 0 {
		return Root + "/memories"
	}
	return Root + "/memories?" + asked.Encode()
}

// memories searches as an agent does and explains the scores. Without a query it lists the newest
// memories. The memory of the field open is shown beside the list.
func (s *Site) memories(v *visit) (answer, error) {
	if v.wantsPart("pane") {
		pane, err := v.pane()
		return part{pane}, err
	}
	a := v.asked()
	results, err := v.results(a)
	if err != nil && memory.CodeOf(err) != memory.CodeInvalidArgument {
		return nil, err
	}
	if err != nil {
		results = html.P(html.Class("failure"), memory.Public(err).Message)
	}
	found := html.Div(html.ID("results"), html.Attr("aria-live", "polite"), html.Data("part", "results"), results)
	if v.wantsPart("results") {
		return part{found}, nil
	}
	pane, err := v.pane()
	if err != nil {
		return nil, err
	}
	class := "split"
	if v.field("open") != "" {
		class = "split reading"
	}
	return page{title: "Memories", body: html.Div(html.Class(class), html.Div(html.Class("list"), v.searchForm(a), found), pane)}, nil
}

// pane shows the memory of the field open, or an overview of the bank if there is none.
func (v *visit) pane() (html.Node, error) {
	pane := []any{html.ID("pane"), html.Data("part", "pane"), html.AriaLabel("Reading"), html.Attr("tabindex", "-1")}
	id := v.field("open")
	if id == "" {
		overview, err := v.overview()
		return html.El("aside", append(pane, overview)...), err
	}
	f, err := v.one(id)
	if memory.CodeOf(err) == memory.CodeNotFound {
		return html.El("aside", append(pane, html.P(html.Class("empty"), "It is not there any more."))...), nil
	}
	if err != nil {
		return nil, err
	}
	without := v.r.URL.Query()
	without.Del("open")
	return html.El("aside", append(pane,
		html.P(html.Class("over"), html.A(html.Href(memoriesAt(without)), html.Data("close", "pane"), "Close"),
			html.A(html.Href(Root+"/memory/"+f.ID), "Open alone")), v.memoryBody(f, ""))...), nil
}

func (v *visit) searchForm(a asked) html.Node {
	choose := func(name, title, chosen string, values []string) html.Node {
		options := html.List{html.Option(html.Value(""), "any")}
		for _, value := range values {
			options = append(options, html.Option(html.Value(value), html.Flag("selected", value == chosen), value))
		}
		return html.Label(title, html.Select(html.Name(name), options))
	}
	date := func(name, title, value string) html.Node {
		return html.Label(title, html.Input(html.Type("date"), html.Name(name), html.Value(value)))
	}
	var categories, kinds []string
	for _, c := range memory.DefaultCategories() {
		categories = append(categories, c.Name)
	}
	if a.category != "" && !slices.Contains(categories, a.category) {
		categories = append(categories, a.category)
	}
	for _, k := range append(memory.Kinds(), memory.KindTurn) {
		kinds = append(kinds, string(k))
	}
	open := a.category+a.kind+a.since+a.until+a.asOf != "" || a.archived
	return html.El("search", html.Form(html.Action(Root+"/memories"), html.Class("search"), html.Data("live", "results"),
		html.Label(html.Class("wide"), html.Span(html.Class("visually-hidden"), "What do you want to know?"),
			html.Input(html.Type("search"), html.Name("q"), html.Value(a.query), html.Attr("placeholder", "What do you want to know?"),
				html.Attr("autocomplete", "off"))),
		html.Button("Search"),
		html.Details(html.Flag("open", open), html.Summary("Filter"), html.Div(html.Class("fields"),
			choose("category", "Category", a.category, categories),
			choose("kind", "Kind", a.kind, kinds),
			date("since", "Happened from", a.since),
			date("until", "and before", a.until),
			html.Label("As it was on", html.Input(html.Type("date"), html.Name("as_of"), html.ID("as-of"), html.Value(a.asOf))),
			html.Label(html.Class("scripted"), "… so many days ago",
				html.Input(html.Type("range"), html.Attr("min", "0"), html.Attr("max", "730"), html.Value("0"),
					html.Data("days-ago", "as-of"))),
			html.Label(html.Class("check"),
				html.Input(html.Type("checkbox"), html.Name("archived"), html.Value("1"), html.Flag("checked", a.archived)),
				"also what was forgotten"),
		)),
	))
}

// moments reads the dates of a search as days in the user's time zone.
func (v *visit) moments(a asked) (filter memory.Filter, err error) {
	for _, d := range []struct {
		text string
		to   *time.Time
	}{{a.since, &filter.Since}, {a.until, &filter.Until}, {a.asOf, &filter.AsOf}} {
		if d.text == "" {
			continue
		}
		if *d.to, err = time.ParseInLocation(time.DateOnly, d.text, v.site.o.Clock.Zone()); err != nil {
			return filter, memory.Errorf(memory.CodeInvalidArgument, "%q is no date", memory.Shorten(d.text, 40)).
				WithHint("a day such as 2026-03-01")
		}
	}
	return filter, nil
}

// narrowed turns the fields of a search into a filter. corpora is nil unless the kind is "turn",
// which searches conversations instead of memories.
func (v *visit) narrowed(a asked) (filter memory.Filter, corpora []memory.Corpus, err error) {
	if filter, err = v.moments(a); err != nil {
		return filter, nil, err
	}
	if a.category != "" {
		name, err := memory.NormalCategory(a.category)
		if err != nil {
			return filter, nil, err
		}
		filter.Categories = []string{name}
	}
	filter.IncludeArchived = a.archived
	switch kind := memory.Kind(a.kind); {
	case kind == memory.KindTurn:
		corpora = []memory.Corpus{memory.Conversations}
	case kind.Valid():
		filter.Kinds = []memory.Kind{kind}
	case kind != "":
		return filter, nil, memory.Errorf(memory.CodeInvalidArgument, "%q is no kind", memory.Shorten(a.kind, 40))
	}
	return filter, corpora, nil
}

func (v *visit) results(a asked) (html.Node, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	filter, corpora, err := v.narrowed(a)
	if err != nil {
		return nil, err
	}
	if a.query == "" {
		return v.newest(a, recall.Listing{Scope: scope, Filter: filter, Corpora: corpora, Limit: listPage})
	}
	found, err := v.site.o.Recall.Recall(v.context(), recall.Request{
		Query: a.query, Scope: scope, Filter: filter, Corpora: corpora,
		Limit: 20, MinScore: recall.Floor, Lenient: true, Explain: true, Looked: true,
	})
	if err != nil {
		return nil, err
	}
	return v.found(found), nil
}

// listPage is how many memories a page has when nothing is searched for.
const listPage = 30

// newest lists the newest memories that match the filter of l.
func (v *visit) newest(a asked, l recall.Listing) (html.Node, error) {
	at := v.pager("before")
	if at.before != "" {
		n, err := strconv.ParseInt(at.before, 10, 64)
		if err != nil || n < 1 {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "before is %q", memory.Shorten(at.before, 40)).
				WithHint("a number that a link of the page has")
		}
		l.Before = n
	}
	found, more, err := v.site.o.Recall.List(v.context(), l)
	if err != nil {
		return nil, err
	}
	var items html.List
	for _, d := range found {
		items = append(items, v.result(recall.Result{Document: d}, 0))
	}
	if len(items) == 0 && at.before == "" && a == (asked{}) {
		return html.Div(html.Class("empty"), html.P("Nothing is remembered yet."),
			html.P("Connect your agent with ", html.Code("mcp-memory install"), ", or save something yourself: ",
				html.Code(`mcp-memory save "…"`))), nil
	}
	if len(items) == 0 {
		return html.P(html.Class("empty"), "There is nothing here."), nil
	}
	next := ""
	if more {
		next = strconv.FormatInt(found[len(found)-1].Seq, 10)
	}
	return html.List{html.P(html.Class("verdict"), "The newest. Ask as your agent would; looking does not count as a recall."),
		v.rows(items),
		at.links("before", "/memories", next, "category", a.category, "kind", a.kind, "since", a.since, "until", a.until, "as_of", a.asOf,
			"archived", v.field("archived"))}, nil
}

// found shows how sure an answer is, and its results. Results that hardly match are folded away.
func (v *visit) found(found recall.Answer) html.Node {
	verdict := html.P(html.Class("verdict"),
		html.Span(html.Class("badge "+string(found.Confidence)), "confidence: "+string(found.Confidence)), " ",
		html.Span(render.Verdict(found.Confidence, len(found.Results))), " ", html.Span(count(found.TotalTokens, "token", "tokens")+"."))
	var items html.List
	for i, r := range found.Results {
		items = append(items, v.result(r, i+1))
	}
	if len(items) == 0 {
		return html.List{verdict, html.P(html.Class("empty"), "Fewer words, or another project, may find more.")}
	}
	shown := render.Shown(found.Confidence, found.Results)
	class := "likely"
	if !found.Confidence.Sure() {
		class = "unlikely"
	}
	list := html.List{verdict, html.Div(html.Class(class), v.rows(items[:shown]))}
	if more := len(items) - shown; more > 0 {
		list = append(list, html.Details(html.Class("unlikely"), html.Summary(count(more, "more that fits less", "more that fit less")),
			v.rows(items[shown:])))
	}
	return list
}

// result is the row of a result. place is its rank from 1, or 0 where nothing was searched for.
func (v *visit) result(r recall.Result, place int) html.Node {
	said := html.Node(html.Span(html.Attr("dir", "auto"), memory.Shorten(r.Content, 400)))
	switch r.Corpus {
	case memory.Memories:
		said = opens(r.Record)
	case memory.Conversations:
		if v.open(access.WholeBank) {
			said = sessionLink(r.Session, r.Index, memory.Shorten(r.Content, 400))
		}
		said = html.List{html.Strong(html.El("bdi", r.Speaker)), html.Text(": "), said}
	}
	if p := r.Place; p != nil && v.open(access.WholeBank) {
		said = html.A(html.Href(query("/files", "name", p.Path)), said)
	}
	words := v.words().Result(r)
	var under []any
	for _, e := range words.Earlier {
		under = append(under, html.P(html.Class("hint"), "Before: ",
			html.A(html.Href(Root+"/memory/"+e.ID), html.Attr("dir", "auto"), e.Text)))
	}
	if r.Why != nil {
		under = append(under, why(r, place))
	}
	return v.row(r.Record, said, v.glance(r.Record, words), under...)
}

// words formats facts about memories as every interface of the program does.
func (v *visit) words() render.Words { return render.Words{Clock: v.site.o.Clock} }

// facts lists the short facts about a record.
func (v *visit) facts(r memory.Record) html.Node {
	line := v.words().Record(r)
	var items html.List
	for _, f := range line.Facts() {
		items = append(items, html.Li(html.El("bdi", f)))
	}
	for _, b := range v.badges(line) {
		items = append(items, html.Li(b))
	}
	return html.Ul(html.Class("facts"), items)
}

// why shows the parts of a result's score as bars.
func why(r recall.Result, place int) html.Node {
	reasons := render.Reasons(*r.Why)
	most := 0.0
	for _, one := range reasons {
		most = max(most, math.Abs(one.Value))
	}
	var rows html.List
	for _, one := range reasons {
		class := "bar"
		if one.Value < 0 {
			class = "bar against"
		}
		rows = append(rows, html.Tr(html.Th(html.Attr("scope", "row"), one.Name),
			html.Td(barOf(class, math.Abs(one.Value), most, fmt.Sprintf("%s: %.2f", one.Name, one.Value))),
			html.Td(html.Class("number"), number(one.Value))))
	}
	return html.Details(html.Class("why"), html.Summary("Why: score "+number(r.Score)), html.P(render.Because(r, place)),
		html.Table(html.El("caption", html.Class("visually-hidden"), "What made the score"), html.Tbody(rows)))
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// bar draws value as a bar whose full length is most.
func bar(value, most float64, label string) html.Node { return barOf("bar", value, most, label) }

func barOf(class string, value, most float64, label string) html.Node {
	if most <= 0 {
		most = 1
	}
	width := min(100, max(0, 100*value/most))
	return html.El("svg", html.Class(class), html.Attr("viewBox", "0 0 100 8"), html.Attr("preserveAspectRatio", "none"),
		html.Attr("role", "img"),
		html.AriaLabel(label),
		html.El("rect", html.Class("track"), html.Attr("width", "100"), html.Attr("height", "8")),
		html.El("rect", html.Class("fill"), html.Attr("width", strconv.FormatFloat(width, 'f', 1, 64)), html.Attr("height", "8")))
}
