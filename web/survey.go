package web

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/web/html"
)

const (
	// surveyed is about how many of the newest memories a survey reads.
	surveyed = 2000
	// surveyMonths is how many months the charts have, and surveyDays how many days.
	surveyMonths, surveyDays = 12, 30
	// maxSurveys bounds the caches of surveys and of recalls.
	maxSurveys = 64
)

// survey holds counts over the newest memories of a scope.
type survey struct {
	version    string
	records    []memory.Record // newest first
	all        bool            // no older memories were left out
	months     []string        // the last surveyMonths months, oldest first, such as "2026-03"
	byProject  map[string][]int
	byCategory map[string]int
	byKind     map[string]int
	people     func() []person // computed by the first call
}

// surveys caches the survey of each scope, because every open page asks for it again.
type surveys struct {
	mu    sync.Mutex
	known map[string]*survey
}

// survey returns the survey of a scope. It is made again after each write to the bank and each
// month.
func (v *visit) survey(scope memory.Scope) (*survey, error) {
	version, err := v.site.o.Start.Version(v.context(), scope)
	if err != nil {
		return nil, err
	}
	now := v.site.o.Clock.Here()
	version += now.Format(month)
	name := fmt.Sprintf("%q %q %t", scope.Agent, scope.Project, scope.Closed)
	c := &v.site.surveys
	c.mu.Lock()
	last := c.known[name]
	c.mu.Unlock()
	if last != nil && last.version == version {
		return last, nil
	}
	s := &survey{version: version, byProject: map[string][]int{}, byCategory: map[string]int{}, byKind: map[string]int{}}
	for n := surveyMonths - 1; n >= 0; n-- {
		s.months = append(s.months, time.Date(now.Year(), now.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC).Format(month))
	}
	l := recall.Listing{Scope: scope, Limit: memory.MaxBatch}
	for more := true; more && len(s.records) < surveyed; {
		var some []memory.Document
		if some, more, err = v.site.o.Recall.List(v.context(), l); err != nil {
			return nil, err
		}
		for _, d := range some {
			l.Before = d.Seq
			s.count(d.Record, v.site.o.Clock)
		}
		s.all = !more
	}
	s.people = sync.OnceValue(func() []person { return peopleIn(s.records) })
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxSurveys {
		c.known = map[string]*survey{}
	}
	c.known[name] = s
	return s, nil
}

func (s *survey) count(r memory.Record, clock memory.Clock) {
	s.records = append(s.records, r)
	s.byCategory[r.Category]++
	s.byKind[string(r.Kind)]++
	if s.byProject[r.Project] == nil {
		s.byProject[r.Project] = make([]int, surveyMonths)
	}
	if at := slices.Index(s.months, clock.In(r.EventTime()).Format(month)); at >= 0 {
		s.byProject[r.Project][at]++
	}
}

// overview shows the survey as numbers and small charts.
func (v *visit) overview() (html.Node, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	s, err := v.survey(scope)
	if err != nil || len(s.records) == 0 {
		return nil, err
	}
	names := slices.SortedFunc(maps.Keys(s.byProject), func(a, b string) int {
		return cmp.Or(total(s.byProject[b])-total(s.byProject[a]), cmp.Compare(a, b))
	})
	most := 0
	for _, list := range s.byProject {
		most = max(most, slices.Max(list))
	}
	var rows html.List
	for _, name := range names[:min(len(names), maxShares)] {
		n := total(s.byProject[name])
		shown := projectTitle(name)
		rows = append(rows, html.Tr(html.Th(html.Attr("scope", "row"), html.El("bdi", memory.Shorten(shown, 40))),
			html.Td(columns(s.byProject[name], s.months, most, shown+" by month")), html.Td(html.Class("number"), n)))
	}
	whole := ""
	if !s.all {
		whole = " Of the newest " + thousands(surveyed) + " memories."
	}
	return html.Div(html.Class("overview"),
		html.H2("What is known, by project and month"),
		html.Table(html.El("caption", html.Class("visually-hidden"), "Memories by project and month"), html.Tbody(rows)),
		html.P(html.Class("hint"), "The last twelve months, by when it happened."+whole),
		html.H2("What about"), chips(s.byCategory, "category"), html.H2("Of what sort"), chips(s.byKind, "kind")), nil
}

// chips lists the most frequent names with their numbers, each a link to the search for it.
func chips(numbers map[string]int, field string) html.Node {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int { return cmp.Or(numbers[b]-numbers[a], cmp.Compare(a, b)) })
	var items html.List
	for _, name := range names[:min(len(names), maxShares)] {
		if name != "" {
			items = append(items,
				html.Li(html.A(html.Href(query("/memories", field, name)), icon(name), html.El("bdi", memory.Shorten(name, 40)),
					html.Span(html.Class("number"), strconv.Itoa(numbers[name])))))
		}
	}
	return html.Ul(html.Class("chips"), items)
}
