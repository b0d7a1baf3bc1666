package web

import (
	"context"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/changes"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web/html"
)

// Changer is the log of a bank and the way back; package changes' service is it.
type Changer interface {
	// Log is as that of [changes.Service].
	Log(ctx context.Context, scope memory.Scope, before string, limit int) ([]remember.Changed, error)
	// Find is as that of [changes.Service].
	Find(ctx context.Context, scope memory.Scope, id string) (remember.Changed, error)
	// TakeBack is as that of [changes.Service].
	TakeBack(ctx context.Context, scope memory.Scope, one remember.Changed) (changes.Undone, error)
}

// timelinePage is how many changes a page has.
const timelinePage = 40

// deeds say what a change was.
var deeds = map[remember.Did]string{
	remember.DidSave: "saved", remember.DidUpdate: "changed", remember.DidForget: "forgotten", remember.DidImport: "imported",
	remember.DidMerge: "projects merged", remember.DidSelfCare: "condensed by self-care",
}

// timeline shows what was changed, day by day, each with its way back.
func (s *Site) timeline(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	at := v.pager("before")
	log, err := s.o.Changes.Log(v.context(), scope, at.before, timelinePage)
	if err != nil {
		return nil, err
	}
	body := html.List{html.P(html.Class("hint"), "What was changed in the bank by whomever, newest first. Each change can be taken back; what was changed again since stays as it is.")}
	day := ""
	var items html.List
	flush := func() {
		if len(items) > 0 {
			body = append(body, html.Section(html.H2(day, " ", html.Small(html.Class("hint"), count(len(items), "change", "changes"))), html.Ol(html.Class("entries"), items)))
		}
		items = nil
	}
	for _, c := range log {
		if d := s.o.Clock.Day(c.At); d != day {
			flush()
			day = d
		}
		items = append(items, v.change(c))
	}
	flush()
	if len(log) == 0 {
		body = append(body, html.P("Nothing was changed yet."))
	}
	next := ""
	if len(log) == timelinePage {
		next = log[timelinePage-1].ID
	}
	body = append(body, at.links("before", "/timeline", next))
	return page{title: "Timeline", body: html.Div(html.ID("timeline"), html.Data("refresh", "timeline"), body)}, nil
}

func (v *visit) change(c remember.Changed) html.Node {
	deed := deeds[c.Action]
	if deed == "" {
		deed = string(c.Action)
	}
	parts := []any{html.P(v.when(c.At), " ", html.Strong(deed), ", ", count(c.Count, "memory", "memories"))}
	var items html.List
	for _, r := range c.Records {
		items = append(items, html.Li(html.A(html.Href(Root+"/memory/"+r.ID), html.Attr("dir", "auto"), memory.Shorten(strings.TrimSpace(r.Content), 240))))
	}
	if len(items) > 0 {
		parts = append(parts, html.Ul(html.Class("told"), items))
	}
	switch {
	case !c.UndoneAt.IsZero():
		parts = append(parts, html.P(html.Class("hint"), "Taken back ", v.when(c.UndoneAt)))
	case v.writes():
		parts = append(parts, v.form("/undo", html.Class("inline"), hidden("id", c.ID), hidden("back", v.address()), html.Button(html.AriaLabel("Undo what was "+deed+" at "+v.site.o.Clock.In(c.At).Format(time.TimeOnly)), "Undo")))
	}
	return html.Li(parts...)
}

// undo takes back what was done.
func (s *Site) undo(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	if key, kept := strings.CutPrefix(v.field("id"), keptUndo); kept {
		if !v.open(access.WholeBank) {
			return nil, memory.Errorf(memory.CodeForbidden, "this token is restricted to projects")
		}
		if err := s.o.Review.Keep(v.context(), scope.Agent, key, true); err != nil {
			return nil, err
		}
		return v.done(v.back(Root+"/review"), "Taken back: it is to be decided again.", "")
	}
	if strings.HasPrefix(v.field("id"), eventUndo) {
		return v.undoEvent(scope.Agent)
	}
	one, err := s.o.Changes.Find(v.context(), scope, v.field("id"))
	if err != nil {
		return nil, err
	}
	done, err := s.o.Changes.TakeBack(v.context(), scope, one)
	if err != nil {
		return nil, err
	}
	var said []string
	for _, part := range []struct {
		n         int
		one, more string
	}{
		{done.Back, "memory holds again", "memories hold again"}, {done.Aside, "memory was set aside", "memories were set aside"},
		{done.Turns, "message is gone", "messages are gone"}, {done.Missing, "was changed since and stays", "were changed since and stay"},
	} {
		if part.n > 0 {
			said = append(said, count(part.n, part.one, part.more))
		}
	}
	if len(said) == 0 {
		said = []string{"nothing was left to do"}
	}
	return v.done(v.back(Root+"/"), "Taken back: "+strings.Join(said, ", ")+".", "")
}
