package web

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web/html"
)

// Cognition reads relationships and triples; package cognition's service implements it.
type Cognition interface {
	// Relationships is documented at [cognition.Service.Relationships].
	Relationships(ctx context.Context, agent, party, kind, behind string, limit int) ([]memory.Record, int, error)
	// Triples is documented at [cognition.Service.Triples].
	Triples(ctx context.Context, scope memory.Scope, q cognition.TripleQuery) ([]memory.Record, int, error)
}

const (
	// peoplePage is how many relationships a page has, last changed first, and triplesPage how many
	// triples, newest first.
	peoplePage  = 36
	triplesPage = 80
)

// people shows the people that memories are about, and triples as a drawing and a table.
func (s *Site) people(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	about, day := v.field("about"), v.field("as_of")
	var asOf time.Time
	if day != "" {
		if asOf, err = time.ParseInLocation(time.DateOnly, day, s.o.Clock.Zone()); err != nil {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "%q is no date", memory.Shorten(day, 40)).
				WithHint("a day such as 2026-03-01")
		}
	}
	knownAt, relatedAt := v.pager("known"), v.pager("related")
	known, total, err := s.o.Cognition.Relationships(v.context(), scope.Agent, about, "", knownAt.before, peoplePage)
	if err != nil {
		return nil, err
	}
	next := ""
	if total > len(known) {
		next = known[len(known)-1].ID
	}
	knownLinks := knownAt.links("known", "/people", next, "about", about, "as_of", day)
	triples, next, err := v.triples(scope, about, asOf, relatedAt.before)
	if err != nil {
		return nil, err
	}
	relatedLinks := relatedAt.links("related", "/people", next, "about", about, "as_of", day)
	body := html.List{html.Form(html.Action(Root+"/people"), html.Class("fields"),
		html.Label("About", html.Input(html.Type("search"), html.Name("about"), html.Value(about),
			html.Attr("placeholder", "everybody and everything"))),
		html.Label("As it was on", html.Input(html.Type("date"), html.Name("as_of"), html.Value(day))),
		html.Button("Show"))}
	list, relations, err := v.who(scope, known, about, knownAt.before == "")
	if err != nil {
		return nil, err
	}
	body = append(body, v.cards(list, relations, about, knownLinks), v.relations(triples, relatedLinks, about, day))
	title, class := "People", html.Attribute{}
	if about != "" {
		title, class = memory.Shorten(about, 80), html.Class("about")
	}
	return page{title: title, body: html.Div(html.ID("people"), class, html.Data("refresh", "people"), body)}, nil
}

// ended is the key of a list of which all pages were shown.
const ended = "-"

// triples returns a page of the triples with about as subject or object, or of all triples if about
// is "". With about it reads two lists, by subject and by object, and next has the key of each,
// separated by a comma. next is "" for the last page.
func (v *visit) triples(scope memory.Scope, about string, asOf time.Time, before string) (list []memory.Record, next string, err error) {
	queries := []cognition.TripleQuery{{AsOf: asOf, Limit: triplesPage}}
	if about != "" {
		queries = []cognition.TripleQuery{{Subject: about, AsOf: asOf, Limit: triplesPage}, {Object: about, AsOf: asOf, Limit: triplesPage}}
	}
	behind, keys, more := strings.Split(before, ","), make([]string, len(queries)), false
	for i, q := range queries {
		if keys[i] = ended; i < len(behind) && behind[i] == ended {
			continue
		}
		if i < len(behind) {
			q.Behind = behind[i]
		}
		some, total, err := v.site.o.Cognition.Triples(v.context(), scope, q)
		if err != nil {
			return nil, "", err
		}
		for _, r := range some {
			if r.Triple != nil && !slices.ContainsFunc(list, func(other memory.Record) bool { return other.ID == r.ID }) {
				list = append(list, r)
			}
		}
		if total > len(some) {
			keys[i], more = some[len(some)-1].ID, true
		}
	}
	if more {
		next = strings.Join(keys, ",")
	}
	return list, next, nil
}

// who returns the people of a page: those of the relationship records kept, and on the first page
// also those that other memories name. relations maps names to their relationship records.
func (v *visit) who(scope memory.Scope, kept []memory.Record, about string, first bool) ([]person, map[string]memory.Record, error) {
	s, err := v.survey(scope)
	if err != nil {
		return nil, nil, err
	}
	spoken := s.people()
	relations := map[string]memory.Record{}
	var list []person
	for _, r := range kept {
		if r.Relationship == nil {
			continue
		}
		name := cmp.Or(r.Relationship.Name, r.Relationship.Party)
		relations[name] = r
		p := person{name: name}
		if at := slices.IndexFunc(spoken, func(p person) bool { return strings.EqualFold(p.name, name) }); at >= 0 {
			p.known = spoken[at].known
		}
		list = append(list, p)
	}
	for _, p := range spoken {
		if len(list) == 2*peoplePage {
			break // the search finds the others
		}
		if !p.kept && first && (about == "" || strings.EqualFold(p.name, about)) {
			list = append(list, p)
		}
	}
	if first {
		slices.SortStableFunc(list, func(a, b person) int { return len(b.known) - len(a.known) })
	}
	return list, relations, nil
}

// cards shows a card for each person. With about, all their memories are on it.
func (v *visit) cards(list []person, relations map[string]memory.Record, about string, links html.Node) html.Node {
	if len(list) == 0 {
		return html.Section(html.H2("Who is known"),
			html.P(html.Class("empty"),
				"Nobody yet. Whom memories speak of by name will be here, and whom your agent keeps a relationship with."))
	}
	var items html.List
	for _, p := range list {
		shown := cardLines
		if about != "" {
			shown = len(p.known)
		}
		items = append(items, html.Li(v.card(p, relations[p.name], shown)))
	}
	return html.Section(html.AriaLabel("Who is known"), html.Ul(html.Class("cards"), items), links)
}

// cardLines is how many memories a card in a list shows.
const cardLines = 3

// card shows a person and up to shown memories about them. r is their relationship record, or the
// zero record.
func (v *visit) card(p person, r memory.Record, shown int) html.Node {
	facts := html.List{}
	if p.user {
		facts = append(facts, html.Li("the user"))
	}
	parts := []any{html.Class("card"),
		html.H2(html.A(html.Href(query("/people", "about", p.name)), html.El("bdi", memory.Shorten(p.name, 200))))}
	var notes html.Node
	if d := r.Relationship; d != nil {
		facts = append(facts, html.Li(html.El("bdi", d.Type)), html.Li(count(d.Interactions, "meeting", "meetings")))
		if !d.LastInteraction.IsZero() {
			facts = append(facts, html.Li("met "+v.words().Age(d.LastInteraction)))
		}
		facts = append(facts, html.Li(html.Class("trust"), html.A(html.Href(Root+"/memory/"+r.ID), "trust"),
			bar(d.Trust, 1, "trust in "+memory.Shorten(p.name, 80)+": "+number(d.Trust)), number(d.Trust)))
		if said := strings.TrimSpace(d.Notes); said != "" {
			notes = text(memory.Shorten(said, 300))
		}
	}
	var lines html.List
	said := slices.DeleteFunc(slices.Clone(p.known), func(m memory.Record) bool { return m.Kind == memory.KindRelationship })
	for _, m := range said[:min(len(said), shown)] {
		lines = append(lines, html.Li(kindSign(m),
			html.A(html.Href(Root+"/memory/"+m.ID), html.Attr("dir", "auto"), memory.Shorten(m.Content, 160)), v.age(m.EventTime())))
	}
	if more := len(said) - len(lines); more > 0 {
		lines = append(lines, html.Li(html.Class("rest"), html.A(html.Href(query("/people", "about", p.name)), strconv.Itoa(more)+" more")))
	}
	return html.Article(append(parts, html.Ul(html.Class("facts"), facts), notes, html.Ul(html.Class("brief known"), lines))...)
}

// relations shows triples as a drawing and as a table.
func (v *visit) relations(triples []memory.Record, links html.Node, about, day string) html.Node {
	body := []any{html.H2("What is related")}
	if len(triples) == 0 {
		return html.Section(append(body,
			html.P(html.Class("empty"), "Nothing is. Agents keep what is related as triples: who works where, what runs on what."))...)
	}
	var rows html.List
	thing := func(name string) html.Node {
		return html.A(html.Href(query("/people", "about", name, "as_of", day)), html.El("bdi", memory.Shorten(name, 120)))
	}
	for _, r := range triples {
		since := html.Node(nil)
		if !r.ValidFrom.IsZero() {
			since = v.when(r.ValidFrom)
		}
		rows = append(rows, html.Tr(html.Td(thing(r.Triple.Subject)),
			html.Td(html.A(html.Href(Root+"/memory/"+r.ID), html.El("bdi", predicateWords(r.Triple.Predicate)))),
			html.Td(thing(r.Triple.Object)), html.Td(since)))
	}
	head := html.Thead(html.Tr(html.Th(html.Attr("scope", "col"), "Subject"), html.Th(html.Attr("scope", "col"), "Relation"),
		html.Th(html.Attr("scope", "col"), "Object"), html.Th(html.Attr("scope", "col"), "Since")))
	body = append(body, html.Div(html.Class("halves"), graph(triples, about, day),
		html.Table(html.El("caption", html.Class("visually-hidden"), "Relations"), head, html.Tbody(rows))))
	return html.Section(append(body, links)...)
}

// predicateWords shows a predicate such as "works_at" as words.
func predicateWords(predicate string) string {
	return strings.ReplaceAll(memory.Shorten(predicate, 80), "_", " ")
}

// trust draws how the trust of a relationship changed over its versions, nil for fewer than two.
func (v *visit) trust(f remember.Found) html.Node {
	var points []point
	for _, r := range f.History {
		if r.Relationship != nil {
			points = append(points, point{r.CreatedAt, r.Relationship.Trust})
		}
	}
	if len(points) < 2 {
		return nil
	}
	points = append(points, point{v.site.o.Clock.Now(), points[len(points)-1].value})
	return html.Section(html.H2("Trust"), curve(points, "trust from "+number(points[0].value)+" to "+number(points[len(points)-1].value)))
}

// point is a value, from 0 to 1, at a time.
type point struct {
	at    time.Time
	value float64
}

// curve draws values over time, with horizontal lines at the limits. Points are in order of time;
// there must be at least one.
func curve(points []point, label string, limits ...float64) html.Node {
	const width, height = 600, 120
	begin, whole := points[0].at, points[len(points)-1].at.Sub(points[0].at).Seconds()
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	y := func(value float64) float64 { return height * (1 - min(1, max(0, value))) }
	var line []string
	for i, p := range points {
		x := float64(width) * float64(i) / float64(max(1, len(points)-1))
		if whole > 0 {
			x = width * p.at.Sub(begin).Seconds() / whole
		}
		line = append(line, f(x)+","+f(y(p.value)))
	}
	parts := []any{html.Class("curve"), html.Attr("viewBox", "0 -4 600 128"), html.Attr("role", "img"), html.AriaLabel(label),
		html.El("line", html.Attr("x1", "0"), html.Attr("x2", "600"), html.Attr("y1", "120"), html.Attr("y2", "120"))}
	for _, limit := range limits {
		parts = append(parts, html.El("line", html.Class("limit"), html.Attr("x1", "0"), html.Attr("x2", "600"),
			html.Attr("y1", f(y(limit))), html.Attr("y2", f(y(limit)))))
	}
	return html.El("svg", append(parts, html.El("polyline", html.Attr("points", strings.Join(line, " "))))...)
}
