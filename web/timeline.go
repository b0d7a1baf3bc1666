package web

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/changes"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web/html"
)

// Changer reads the log of changes of a bank and undoes them; package changes' service implements
// it.
type Changer interface {
	// Log is documented at [changes.Service.Log].
	Log(ctx context.Context, scope memory.Scope, before string, limit int) ([]remember.Changed, error)
	// Find is documented at [changes.Service.Find].
	Find(ctx context.Context, scope memory.Scope, id string) (remember.Changed, error)
	// TakeBack is documented at [changes.Service.TakeBack].
	TakeBack(ctx context.Context, scope memory.Scope, one remember.Changed) (changes.Undone, error)
}

// timelinePage is how many changes a page has.
const timelinePage = 40

// deeds are the words for the actions of the log.
var deeds = map[remember.Did]string{
	remember.DidSave: "saved", remember.DidUpdate: "changed", remember.DidForget: "forgotten", remember.DidImport: "imported",
	remember.DidMerge: "projects merged", remember.DidSelfCare: "condensed by self-care",
}

// timeline lists the changes day by day, newest first, each with a button that undoes it.
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
	body := html.List{}
	day := ""
	for i := 0; i < len(log); {
		if d := s.o.Clock.Day(log[i].At); d != day {
			day = d
			n := len(log[i:]) - len(slices.DeleteFunc(slices.Clone(log[i:]),
				func(c remember.Changed) bool { return s.o.Clock.Day(c.At) == day }))
			body = append(body, html.H2(v.dayWords(log[i].At), html.Small(html.Class("hint"), " · "+count(n, "change", "changes"))))
		}
		n := together(log[i:], func(c remember.Changed) bool { return s.o.Clock.Day(c.At) == day })
		body = append(body, v.group(log[i:i+n]))
		i += n
	}
	if len(log) == 0 {
		body = append(body, html.P(html.Class("empty"),
			"Nothing was changed yet. What is saved, corrected or forgotten, by whomever, will be here, each with a way back."))
	}
	next := ""
	if len(log) == timelinePage {
		next = log[timelinePage-1].ID
	}
	body = append(body, at.links("before", "/timeline", next))
	return page{title: "Timeline", body: html.Div(html.ID("timeline"), html.Class("column"), html.Data("refresh", "timeline"), body)}, nil
}

// pause is the time without a change that separates two groups of changes.
const pause = 30 * time.Minute

// together returns how many changes at the beginning of log form one group. They are of the same
// day, project and session. Without a known session, a gap longer than pause ends the group.
func together(log []remember.Changed, sameDay func(remember.Changed) bool) int {
	session, project := origin(log[0])
	n := 1
	for ; n < len(log) && sameDay(log[n]); n++ {
		s, p := origin(log[n])
		if s != session || p != project || s == "" && log[n-1].At.Sub(log[n].At) > pause {
			break
		}
	}
	return n
}

// origin returns the session that a change was made in, "" if not known, and its project. Both are
// those of its first record.
func origin(c remember.Changed) (session, project string) {
	if len(c.Records) == 0 {
		return "", ""
	}
	var from struct{ Session string }
	_ = json.Unmarshal(c.Records[0].Provenance, &from) // provenance that is not an object names no session
	return from.Session, c.Records[0].Project
}

// group shows changes that belong together, under a heading with time, project and session.
func (v *visit) group(log []remember.Changed) html.Node {
	session, project := origin(log[0])
	first, last := v.site.o.Clock.In(log[len(log)-1].At).Format("15:04"), v.site.o.Clock.In(log[0].At).Format("15:04")
	if first != last {
		first += "–" + last
	}
	head := []any{html.Class("facts"), html.Li(first)}
	if project != "" {
		head = append(head, html.Li(html.El("bdi", project)))
	}
	if session != "" && v.open(access.WholeBank) {
		head = append(head, html.Li("session ", sessionLink(session, 0, memory.Shorten(session, 60))))
	}
	var items html.List
	for _, c := range log {
		items = append(items, v.change(c))
	}
	return html.Section(html.Class("group"), html.Ul(head...), html.Ol(html.Class("rows"), items))
}

func (v *visit) change(c remember.Changed) html.Node {
	deed := deeds[c.Action]
	if deed == "" {
		deed = string(c.Action)
	}
	said := deed
	if c.Count != 1 {
		said += ", " + count(c.Count, "memory", "memories")
	}
	var texts html.List
	for _, r := range c.Records {
		texts = append(texts, html.P(html.Class("text"),
			html.A(html.Href(Root+"/memory/"+r.ID), html.Class("quiet"), html.Attr("dir", "auto"),
				memory.Shorten(strings.TrimSpace(r.Content), 240))))
	}
	if more := c.Count - len(texts); more > 0 && len(texts) > 0 {
		texts = append(texts, html.P(html.Class("hint"), "and ", strconv.Itoa(more), " more"))
	}
	sort := sign("edit", said)
	if len(c.Records) > 0 {
		sort = kindSign(c.Records[0])
	}
	var back html.Node
	switch {
	case !c.UndoneAt.IsZero():
		texts = append(texts, html.P(html.Class("hint"), "Taken back ", v.when(c.UndoneAt)))
	case v.writes():
		back = v.form("/undo", html.Class("acts"), hidden("id", c.ID), hidden("back", v.address()),
			html.Button(html.Data("key", "u"),
				html.AriaLabel("Undo what was "+deed+" at "+v.site.o.Clock.In(c.At).Format(time.TimeOnly)), "Undo"))
	}
	return html.Li(html.Data("item", c.ID), line(sort, texts, html.List{html.Span(said), v.clock(c.At)}, back))
}

// undo undoes a change of the log, a decision of the review, or a change to an event.
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
