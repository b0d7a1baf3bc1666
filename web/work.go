package web

import (
	"cmp"
	"context"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// Worker lists what agents did with the tools of their hosts; package actions' service implements
// it.
type Worker interface {
	// List is documented at [actions.Service.List].
	List(ctx context.Context, scope memory.Scope, session string, limit int) ([]memory.Action, error)
}

const (
	// workLooked is how many actions are read for a page, the newest; workSearched is the same for
	// a search. workShown is how many actions of a session are shown unfolded.
	workLooked, workSearched, workShown = 400, 5000, 6
)

// sitting is a session with the actions in it, newest first.
type sitting struct {
	session, project, asked string
	from, to                time.Time
	commands, failed, files int
	actions                 []memory.Action
}

// sought selects actions by a text in their command or path, ignoring case, and by whether they
// failed. The zero value selects all.
type sought struct {
	text   string
	failed bool
}

func (f sought) has(a memory.Action) bool {
	return (!f.failed || a.Outcome == memory.OutcomeFailed) && strings.Contains(strings.ToLower(a.Text), strings.ToLower(f.text))
}

// sittings groups the newest limit actions by session, newest session first. Actions that only read
// something are left out.
func (v *visit) sittings(scope memory.Scope, limit int, only sought) (list []*sitting, err error) {
	if v.site.o.Work == nil {
		return nil, nil
	}
	done, err := v.site.o.Work.List(v.context(), scope, "", limit)
	if err != nil {
		return nil, err
	}
	known := map[string]*sitting{}
	for _, a := range done {
		if a.Kind == memory.ActionRead || !only.has(a) {
			continue
		}
		s := known[a.Session]
		if s == nil {
			s = &sitting{session: a.Session, project: a.Project, to: a.At}
			known[a.Session] = s
			list = append(list, s)
		}
		s.from, s.asked = a.At, cmp.Or(a.Asked, s.asked)
		if a.Kind.Changes() {
			s.files++
		} else if s.commands++; a.Outcome == memory.OutcomeFailed {
			s.failed++
		}
		s.actions = append(s.actions, a)
	}
	return list, nil
}

// work lists commands with their outcome and changes to files, by day and session.
func (s *Site) work(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	only, looked := sought{v.field("text"), v.field("failed") != ""}, workLooked
	if only != (sought{}) {
		looked = workSearched
	}
	list, err := v.sittings(scope, looked, only)
	if err != nil {
		return nil, err
	}
	body := html.List{html.Form(html.Action(Root+"/work"), html.Class("fields"),
		html.Label("Command or file", html.Input(html.Type("search"), html.Name("text"), html.Value(only.text))),
		html.Label(html.Class("check"),
			html.Input(html.Type("checkbox"), html.Name("failed"), html.Value("1"), html.Flag("checked", only.failed)), "only what failed"),
		html.Button("Show"))}
	day := ""
	for _, one := range list {
		if d := s.o.Clock.Day(one.to); d != day {
			day = d
			body = append(body, html.H2(v.dayWords(one.to)))
		}
		body = append(body, v.sitting(one))
	}
	switch {
	case len(list) > 0:
	case only != (sought{}):
		body = append(body, html.P("There is none."))
	default:
		body = html.List{html.Div(html.Class("empty"), html.P("Nothing is known of what was done."),
			html.P("Commands and changed files come from the hooks of a host: ", html.Code("mcp-memory install"), " sets them up."))}
	}
	return page{title: "Work", body: html.Div(html.ID("work"), html.Class("column"), html.Data("refresh", "work"), body)}, nil
}

// sitting shows a session and its actions.
func (v *visit) sitting(s *sitting) html.Node {
	var shown, more html.List
	for i, a := range s.actions {
		if i < workShown {
			shown = append(shown, v.action(a))
		} else {
			more = append(more, v.action(a))
		}
	}
	parts := []any{html.Class("group"), v.sittingHead(s), html.Ol(html.Class("rows"), shown)}
	if len(more) > 0 {
		parts = append(parts, html.Details(html.Summary(count(len(more), "more", "more")), html.Ol(html.Class("rows"), more)))
	}
	return html.Section(parts...)
}

// sittingHead shows what the user asked for in a session, its time, counts and project.
func (v *visit) sittingHead(s *sitting) html.Node {
	title := html.Node(html.El("bdi", memory.Shorten(cmp.Or(strings.TrimSpace(s.asked), s.session), 160)))
	if v.open(access.WholeBank) {
		title = html.A(html.Href(query("/conversations", "session", s.session)), title)
	}
	facts := html.List{html.Li(v.clock(s.from), "–", v.clock(s.to))}
	for _, one := range []struct {
		n          int
		one, other string
	}{{s.commands, "command", "commands"}, {s.failed, "failed", "failed"}, {s.files, "change to a file", "changes to files"}} {
		if one.n > 0 {
			facts = append(facts, html.Li(count(one.n, one.one, one.other)))
		}
	}
	if s.project != "" {
		facts = append(facts, html.Li(html.El("bdi", s.project)))
	}
	return html.List{html.H3(title), html.Ul(html.Class("facts"), facts)}
}

// action is the row of an action.
func (v *visit) action(a memory.Action) html.Node {
	what, words := "command", "ran"
	if a.Kind.Changes() {
		what, words = "edit", "changed"
	}
	switch a.Outcome {
	case memory.OutcomeOK:
		if a.Kind.Runs() {
			what, words = "sure", "ran well"
		}
	case memory.OutcomeFailed:
		what, words = "failed", "failed"
	}
	said := html.List{html.P(html.Class("text"), html.Code(html.Attr("dir", "auto"), memory.Shorten(a.Text, 300)))}
	if a.Outcome == memory.OutcomeFailed && a.Tail != "" {
		said = append(said, html.P(html.Class("hint"), html.El("bdi", memory.Shorten(lastLine(a.Tail), 200))))
	}
	return html.Li(html.Class(what), line(sign(what, words), said, v.clock(a.At)))
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
