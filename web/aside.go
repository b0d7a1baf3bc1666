package web

import (
	"strconv"
	"sync"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

const (
	// recalls reads the log of what agents were given (see [Teller]) in up to toldBatches batches
	// of toldBatch entries, newest first. Entries older than that are not counted.
	toldBatch, toldBatches = 500, 4
	// toldLife is how long the result of recalls is cached.
	toldLife = 20 * time.Second
	// asideTodos bounds the to-dos, and separately the events, beside the start page. asideSittings
	// bounds the sessions there. Events that start within asideAhead from now are listed.
	asideTodos, asideSittings, asideAhead = 6, 3, 7 * 24 * time.Hour
)

// recalls counts, for each of the last surveyDays days, how often agents were given memories and
// how many tokens those had.
type recalls struct {
	at            time.Time
	days          []string
	times, tokens []int
}

// recallCounts caches the recalls of each scope, by agent and project.
type recallCounts struct {
	mu    sync.Mutex
	known map[string]recalls
}

// recalls counts what agents were given in a scope, or returns the cached counts if they are
// younger than toldLife.
func (v *visit) recalls(scope memory.Scope) (recalls, error) {
	c, name, now := &v.site.recalled, scope.Agent+"\x00"+scope.Project, v.site.o.Clock.Here()
	c.mu.Lock()
	last, known := c.known[name]
	c.mu.Unlock()
	if known && time.Since(last.at) < toldLife {
		return last, nil
	}
	r := recalls{at: time.Now(), times: make([]int, surveyDays), tokens: make([]int, surveyDays)}
	at := map[string]int{}
	for n := range surveyDays {
		r.days = append(r.days, now.AddDate(0, 0, n+1-surveyDays).Format(time.DateOnly))
		at[r.days[n]] = n
	}
	before := ""
	for range toldBatches {
		some, err := v.site.o.Told.List(v.context(), scope.Agent, before, toldBatch)
		if err != nil {
			return r, err
		}
		for _, t := range some {
			before = t.ID
			if n, ok := at[v.site.o.Clock.Day(t.At)]; ok &&
				(scope.Project == memory.AllProjects || t.Project == scope.Project || t.Project == "") {
				r.times[n]++
				r.tokens[n] += t.Tokens
			}
		}
		if len(some) < toldBatch || v.site.o.Clock.Day(some[len(some)-1].At) < r.days[0] {
			break
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxSurveys {
		c.known = map[string]recalls{}
	}
	c.known[name] = r
	return r, nil
}

// soon shows a time that is near: "today", "tomorrow", a weekday within asideAhead, else the date.
// The hour follows unless t is a date only.
func (v *visit) soon(t time.Time) html.Node {
	clock := v.site.o.Clock
	at, now := clock.In(t), clock.Here()
	words := at.Format("2 Jan")
	switch clock.Day(t) {
	case now.Format(time.DateOnly):
		words = "today"
	case now.AddDate(0, 0, 1).Format(time.DateOnly):
		words = "tomorrow"
	default:
		if ahead := at.Sub(now); ahead > 0 && ahead < asideAhead {
			words = at.Format("Mon 2 Jan")
		} else if at.Year() != now.Year() {
			words = at.Format("2 Jan 2006")
		}
	}
	if !memory.DateOnly(t) {
		words += at.Format(", 15:04")
	}
	return html.El("time", html.Attr("datetime", t.UTC().Format(time.RFC3339)), html.Attr("title", v.site.moment(t)), words)
}

// tiles returns the row of numbers on top of the start page, nil for a scope without memories.
func (v *visit) tiles(scope memory.Scope) (html.Node, error) {
	s, err := v.survey(scope)
	if err != nil || len(s.records) == 0 {
		return nil, err
	}
	r, err := v.recalls(scope)
	if err != nil {
		return nil, err
	}
	byMonth := make([]int, len(s.months))
	for _, list := range s.byProject {
		for i, n := range list {
			byMonth[i] += n
		}
	}
	many := thousands(len(s.records))
	if !s.all {
		many += "+"
	}
	parts := []any{html.Class("tiles"),
		tile(many, "memories", columns(byMonth, s.months, 0, "memories by month")),
		tile(thousands(total(r.times)), "recalls in 30 days", columns(r.times, r.days, 0, "recalls by day")),
		tile(thousands(total(r.tokens)), "tokens given", columns(r.tokens, r.days, 0, "tokens by day"))}
	if n, known := v.questions(scope.Agent); known && v.open(access.WholeBank) {
		to := html.P(html.A(html.Href(Root+"/review"), "Review"))
		if n == 0 {
			to = html.P("All is settled.")
		}
		parts = append(parts, tile(strconv.Itoa(n), "to decide", to))
	}
	return html.Div(parts...), nil
}

func total(list []int) (n int) {
	for _, one := range list {
		n += one
	}
	return n
}

// aside returns the column beside the start page: "Up next" (only for who may see the whole bank)
// and "Done lately". It is nil if it would be empty.
func (v *visit) aside(scope memory.Scope) (html.Node, error) {
	var list html.List
	if v.open(access.WholeBank) {
		next, err := v.next(scope)
		if err != nil {
			return nil, err
		}
		list = append(list, next)
	}
	done, err := v.sittings(scope, workLooked, sought{})
	if err != nil {
		return nil, err
	}
	var lately html.List
	for _, one := range done[:min(len(done), asideSittings)] {
		lately = append(lately, html.Li(v.sittingHead(one)))
	}
	if len(lately) > 0 {
		list = append(list, html.Section(html.H2("Done lately"), html.Ul(html.Class("brief"), lately),
			html.P(html.A(html.Href(Root+"/work"), "All of it"))))
	}
	if len(list) == 0 {
		return nil, nil
	}
	return html.El("aside", html.AriaLabel("What comes next, and what was done"), list), nil
}

// next lists the events that start within asideAhead, and the most urgent open to-dos.
func (v *visit) next(scope memory.Scope) (html.Node, error) {
	todos, _, err := v.site.o.Planning.Todos(v.context(), scope.Agent,
		memory.TodoFilter{Status: memory.TodoPending, Projects: scope.Readable()}, asideTodos)
	if err != nil {
		return nil, err
	}
	now := v.site.o.Clock.Now()
	events, _, err := v.site.o.Planning.Calendar(v.context(), scope.Agent, now, now.Add(asideAhead), "")
	if err != nil {
		return nil, err
	}
	var items html.List
	for _, e := range events[:min(len(events), asideTodos)] {
		items = append(items, html.Li(icon("event"), html.Span(html.Attr("dir", "auto"), memory.Shorten(e.Title, 80)),
			html.Small(html.Class("hint"), v.soon(e.Start))))
	}
	for _, t := range todos {
		items = append(items, html.Li(icon("Plans"), html.Span(html.Attr("dir", "auto"), memory.Shorten(t.Title, 80)), v.dueWhen(t)))
	}
	if len(items) == 0 {
		items = append(items, html.Li("Nothing is planned."))
	}
	return html.Section(html.H2("Up next"), html.Ul(html.Class("brief lined"), items),
		html.P(html.A(html.Href(Root+"/plans"), "Plans"))), nil
}

// dueWhen shows when a to-do is due, or its priority if it is due at no time.
func (v *visit) dueWhen(t memory.Todo) html.Node {
	if t.DueAt.IsZero() {
		return html.Small(html.Class("hint"), string(t.Priority))
	}
	class := "hint"
	if v.site.o.Clock.Day(t.DueAt) < v.site.o.Clock.Day(v.site.o.Clock.Now()) {
		class = "hint gone"
	}
	return html.Small(html.Class(class), html.Span(html.Class("visually-hidden"), "due ", v.when(t.DueAt), " "), v.soon(t.DueAt))
}
