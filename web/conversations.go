package web

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/web/html"
)

// Conversations reads conversations. A memory.Store implements it.
type Conversations interface {
	// Window is documented at [memory.WorkingReader.Window].
	Window(ctx context.Context, agent, session string) (*memory.Window, error)
	// Turns is documented at [memory.WorkingReader.Turns].
	Turns(ctx context.Context, agent, session string, from, to int) ([]memory.Turn, error)
	// Sessions is documented at [memory.SessionReader.Sessions].
	Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error)
}

const (
	// turnsPage is how many messages a page of a conversation has. Longer messages are cut to
	// turnShown characters and have a link to the whole.
	turnsPage = 40
	turnShown = 2000
	// lastTurns reads up to sessionsBatches batches of sessionsLooked messages for a page of up to
	// sessionsPage conversations. A search by the beginning of the name finds at most
	// sessionsNamed.
	sessionsLooked  = memory.MaxBatch
	sessionsBatches = 4
	sessionsPage    = 50
	sessionsNamed   = 10_000
	// curveTurns is the largest number of uncondensed messages for which the fill of the context
	// window is drawn.
	curveTurns = 500
)

// conversations lists the conversations, or shows the one of the address's field session.
func (s *Site) conversations(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	if session := v.r.URL.Query().Get("session"); session != "" {
		return v.conversation(scope, session)
	}
	body := html.List{html.Form(html.Action(Root+"/conversations"), html.Class("fields"),
		html.Label("Name begins with", html.Input(html.Type("search"), html.Name("name"), html.Value(v.field("name")))),
		html.Button("Show"))}
	var list html.Node
	if name := v.field("name"); name != "" {
		list, err = v.sessionsNamed(scope.Agent, name)
	} else {
		list, err = v.newestSessions(scope)
	}
	if err != nil {
		return nil, err
	}
	return page{title: "Conversations",
		body: html.Div(html.ID("conversations"), html.Class("column"), html.Data("refresh", "conversations"), append(body, list))}, nil
}

func (v *visit) sessionsNamed(agent, prefix string) (html.Node, error) {
	names, err := v.site.o.Conversations.Sessions(v.context(), agent, prefix, sessionsNamed)
	if err != nil {
		return nil, err
	}
	at := v.pager("before")
	shown, next := pageOf(names, func(name string) string { return name }, at.before, sessionsPage)
	var items html.List
	for _, name := range shown {
		items = append(items, html.Li(sessionLink(name, 0, memory.Shorten(name, 120))))
	}
	if len(items) == 0 {
		return html.P("There is none."), nil
	}
	return html.List{html.Ul(html.Class("entries tight"), items), at.links("before", "/conversations", next, "name", prefix)}, nil
}

// sessionLink links to message number at of a conversation, on the page of turnsPage messages that
// has it.
func sessionLink(name string, at int, title string) html.Node {
	from := ""
	if at >= turnsPage {
		from = strconv.Itoa(at - at%turnsPage)
	}
	return html.A(html.Href(query("/conversations", "session", name, "from", from)+"#t"+strconv.Itoa(at)), html.El("bdi", title))
}

// newestSessions lists conversations in the order of their last messages, newest first.
func (v *visit) newestSessions(scope memory.Scope) (html.Node, error) {
	at := v.pager("before")
	l := recall.Listing{Scope: scope, Corpora: []memory.Corpus{memory.Conversations}, Filter: memory.Filter{IncludeArchived: true},
		Limit: sessionsLooked}
	if at.before != "" {
		n, err := strconv.ParseInt(at.before, 10, 64)
		if err != nil || n < 1 {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "before is %q", memory.Shorten(at.before, 40)).
				WithHint("a number that a link of the page has")
		}
		l.Before = n
	}
	last, next, err := v.lastTurns(l)
	if err != nil {
		return nil, err
	}
	var items html.List
	for _, d := range last {
		glance := html.List{html.Span(count(d.Index+1, "message", "messages"))}
		if d.Project != "" {
			glance = append(glance, html.Span(html.Class("in"), html.El("bdi", d.Project)))
		}
		items = append(items, html.Li(html.Data("item", d.ID),
			line(kindSign(d.Record), html.List{html.P(html.Class("text"), sessionLink(d.Session, d.Index, memory.Shorten(d.Session, 120))),
				html.P(html.Class("hint"), html.El("bdi", d.Speaker), ": ", memory.Shorten(d.Content, 200))},
				append(glance, v.age(d.EventTime())))))
	}
	list := html.List{html.Ol(html.Class("rows"), items)}
	if len(items) == 0 {
		list = html.List{html.P(html.Class("empty"), "None was reported yet. Hosts report theirs by hooks: ",
			html.Code("mcp-memory install"), " sets them up.")}
	}
	return append(list, at.links("before", "/conversations", next)), nil
}

// lastTurns returns the last message of each of up to sessionsPage conversations, newest first, and
// the key of the next page, "" for none. A page may have fewer, as it reads no more than
// sessionsBatches batches. A conversation is listed only where its last message is; on later pages
// its older messages are skipped.
func (v *visit) lastTurns(l recall.Listing) (last []memory.Document, next string, err error) {
	seen := map[string]bool{}
	for range sessionsBatches {
		turns, more, err := v.site.o.Recall.List(v.context(), l)
		if err != nil {
			return nil, "", err
		}
		for _, d := range turns {
			if l.Before = d.Seq; seen[d.Session] {
				continue
			}
			seen[d.Session] = true
			later, err := v.site.o.Conversations.Turns(v.context(), l.Scope.Agent, d.Session, d.Index+1, d.Index+2)
			if err != nil {
				return nil, "", err
			}
			if len(later) > 0 {
				continue // listed with its last message, on a newer page
			}
			if last = append(last, d); len(last) == sessionsPage {
				return last, strconv.FormatInt(d.Seq, 10), nil
			}
		}
		if !more {
			return last, "", nil
		}
	}
	return last, strconv.FormatInt(l.Before, 10), nil
}

// conversation shows one conversation: its context window with the summary, a search in it, and its
// messages.
func (v *visit) conversation(scope memory.Scope, session string) (answer, error) {
	from := 0
	if given := v.field("from"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 0 {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "from is %q", memory.Shorten(given, 40)).
				WithHint("the number of a message, from 0")
		}
		from = n
	}
	most := turnsPage
	whole := v.field("whole") != ""
	if whole {
		most = 1
	}
	turns, err := v.site.o.Conversations.Turns(v.context(), scope.Agent, session, from, from+most+1)
	if err != nil {
		return nil, err
	}
	window, err := v.site.o.Conversations.Window(v.context(), scope.Agent, session)
	if err != nil {
		return nil, err
	}
	if len(turns) == 0 && from == 0 && window == nil {
		return nil, memory.Errorf(memory.CodeNotFound, "there is no such conversation")
	}
	body := html.List{html.P(html.A(html.Href(Root+"/conversations"), "All conversations"))}
	drawn, err := v.window(scope.Agent, window)
	if err != nil {
		return nil, err
	}
	found, err := v.inside(scope, session)
	if err != nil {
		return nil, err
	}
	body = append(body, drawn, found)
	body = append(body, v.turns(session, turns[:min(len(turns), most)], window, whole))
	if from > 0 {
		body = append(body, html.P(sessionLink(session, max(0, from-turnsPage), "Earlier")))
	}
	if len(turns) > most {
		body = append(body, html.P(sessionLink(session, turns[most].Index, "Later")))
	}
	return page{title: memory.Shorten(session, 120),
		body: html.Div(html.ID("conversation"), html.Class("column"), html.Data("refresh", "conversation"), body)}, nil
}

// inside returns the form for a search within a conversation, and the results if there is a query.
func (v *visit) inside(scope memory.Scope, session string) (html.Node, error) {
	asked := v.field("q")
	form := html.Form(html.Action(Root+"/conversations"), html.Class("fields"), hidden("session", session),
		html.Label("Search in it", html.Input(html.Type("search"), html.Name("q"), html.Value(asked))), html.Button("Search"))
	if asked == "" {
		return form, nil
	}
	scope.Project = memory.AllProjects
	answer, err := v.site.o.Recall.Recall(v.context(), recall.Request{
		Query: asked, Scope: scope, Filter: memory.Filter{Session: session, IncludeArchived: true},
		Corpora: []memory.Corpus{memory.Conversations}, Limit: 20, Lenient: true, Looked: true,
	})
	if err != nil {
		return nil, err
	}
	var items html.List
	for _, r := range answer.Results {
		items = append(items, html.Li(html.P(html.Class("text"), html.Strong(html.El("bdi", r.Speaker)), ": ",
			sessionLink(session, r.Index, memory.Shorten(r.Content, 300)))))
	}
	if len(items) == 0 {
		items = append(items, html.Li("Nothing was found."))
	}
	return html.List{form, html.Ol(html.Class("results"), items)}, nil
}

// window shows how full the context window of a conversation is and how much of it was condensed.
// It returns nil if its size is not known.
func (v *visit) window(agent string, w *memory.Window) (html.Node, error) {
	if w == nil || w.Total <= w.Reserve {
		return nil, nil
	}
	capacity := float64(w.Total - w.Reserve)
	limits := v.site.o.Limits
	var points []point
	used := w.SummaryTokens
	if w.Turns-w.Compacted <= curveTurns {
		live, err := v.site.o.Conversations.Turns(v.context(), agent, w.Session, w.Compacted, 0)
		if err != nil {
			return nil, err
		}
		points = append(points, point{time.Unix(0, 0), float64(used) / capacity})
		for i, t := range live {
			if t.Details != nil {
				used += t.Details.Tokens
			}
			points = append(points, point{time.Unix(int64(i)+1, 0), float64(used) / capacity})
		}
	}
	var rows html.List
	row := func(title string, value ...any) { rows = append(rows, html.Dt(title), html.Dd(value...)) }
	if len(points) > 0 {
		row("Used", fmt.Sprintf("%d of %d tokens (%.0f %%)", used, int(capacity), 100*float64(used)/capacity))
	}
	row("Searched for facts", count(w.Flushed, "message", "messages"))
	row("Condensed", count(w.Compacted, "message", "messages"))
	if !w.LastCompaction.IsZero() {
		row("Last condensed", v.when(w.LastCompaction))
	}
	parts := []any{html.H2("Context window")}
	if len(points) > 1 {
		parts = append(parts, curve(points,
			fmt.Sprintf("how full the window became from message to message, with lines at %.0f %%, where facts are saved, and %.0f %%, where it is condensed", limits.Flush, limits.Compact),
			limits.Flush/100, limits.Compact/100))
	}
	parts = append(parts, html.Dl(rows))
	if w.Summary != "" {
		parts = append(parts, html.Details(html.Flag("open", true),
			html.Summary("What the model gets in the place of the first "+count(w.Compacted, "message", "messages")), text(w.Summary)))
	}
	return html.Section(parts...), nil
}

// turns lists messages. Each says whether it was condensed, searched for facts or archived.
func (v *visit) turns(session string, turns []memory.Turn, w *memory.Window, whole bool) html.Node {
	var items html.List
	for _, t := range turns {
		facts := html.List{html.Li("#", t.Index), html.Li(v.when(t.SaidAt))}
		if t.Details != nil && t.Details.Tokens > 0 {
			facts = append(facts, html.Li(count(t.Details.Tokens, "token", "tokens")))
		}
		switch {
		case w != nil && t.Index < w.Compacted:
			facts = append(facts, html.Li("condensed"))
		case w != nil && t.Index < w.Flushed:
			facts = append(facts, html.Li("searched for facts"))
		}
		if !t.ArchivedAt.IsZero() {
			facts = append(facts, html.Li(html.Class("gone"), "set aside"))
		}
		shown := t.Content
		if !whole {
			shown = memory.Shorten(shown, turnShown)
		}
		parts := []any{html.ID("t" + strconv.Itoa(t.Index)), html.P(html.Strong(html.El("bdi", t.Speaker))), text(shown),
			html.Ul(html.Class("facts"), facts)}
		if len(shown) < len(t.Content) {
			parts = append(parts,
				html.P(html.A(html.Href(query("/conversations", "session", session, "from", strconv.Itoa(t.Index), "whole", "1")),
					"All of it")))
		}
		items = append(items, html.Li(append(parts, calls(t.Details))...))
	}
	if len(items) == 0 {
		return html.P("There are no messages here.")
	}
	return html.Section(html.H2("What was said"), html.Ol(html.Class("entries"), items))
}

// calls shows the thinking and the tool calls of a message.
func calls(d *memory.TurnDetails) html.Node {
	if d == nil {
		return nil
	}
	var list html.List
	if d.Thinking != "" {
		list = append(list, html.Details(html.Summary("Thought"), text(memory.Shorten(d.Thinking, turnShown))))
	}
	for _, c := range d.ToolCalls[:min(len(d.ToolCalls), 20)] {
		parts := []any{html.Summary("Called ", html.El("bdi", memory.Shorten(c.Name, 80)))}
		for _, part := range []struct{ title, said string }{{"With", string(c.Arguments)}, {"Answer", c.Result}, {"Error", c.Error}} {
			if part.said != "" {
				parts = append(parts, html.P(html.Class("hint"), part.title),
					html.El("pre", html.Attr("dir", "auto"), memory.Shorten(part.said, turnShown)))
			}
		}
		list = append(list, html.Details(parts...))
	}
	return list
}
