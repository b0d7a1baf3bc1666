package web

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/render"
	"mcp-memory/web/html"
)

// rows is a list of memories or the like, one a line. What the buttons of a line do is sent by the one form around them.
func (v *visit) rows(items html.List) html.Node {
	list := html.Ol(html.Class("rows"), items)
	if !v.writes() {
		return list
	}
	return html.Form(html.Attr("method", "post"), hidden(keyField, v.session.key), hidden("back", v.address()), list)
}

// row is one line of a list: what sort it is, what it says, and at the right what is to be seen at a glance. What
// comes below the text is under it.
func (v *visit) row(r memory.Record, said, glance html.Node, under ...any) html.Node {
	return html.Li(html.Data("item", r.ID),
		line(kindSign(r), html.P(html.Class("text"), said), glance, v.acts(r), html.Div(append([]any{html.Class("under")}, under...)...)))
}

// line lays a row out: a sign, what it says, what is to be seen at a glance at the right, and what else it has.
func line(sign, said, glance html.Node, more ...any) html.Node {
	return html.Article(append([]any{html.Class("row"), sign, html.Div(html.Class("said"), said), html.Div(html.Class("glance"), glance)},
		more...)...)
}

// opens is the text of a memory as the link to it.
func opens(r memory.Record) html.Node {
	return html.A(html.Href(Root+"/memory/"+r.ID), html.Class("open"), html.Data("open", r.ID), html.Attr("dir", "auto"),
		memory.Shorten(r.Content, 400))
}

// acts are the buttons of a line, seen where it is pointed at.
func (v *visit) acts(r memory.Record) html.Node {
	if !v.writes() || !r.Live() || r.ID == "" || r.Kind == memory.KindTurn || r.Kind == memory.KindSoul {
		return nil
	}
	title, to := "Pin", "1"
	if r.Pinned {
		title, to = "Unpin", ""
	}
	of, name := ": "+memory.Shorten(r.Content, 60), Root+"/memory/"+r.ID
	return html.Div(html.Class("acts"),
		html.Button(html.FormAction(name+"/pin"), html.Name("pinned"), html.Value(to), html.Data("key", "p"),
			html.AriaLabel(title+of), title),
		html.Button(html.FormAction(name+"/forget"), html.Data("key", "f"), html.AriaLabel("Forget"+of), "Forget"))
}

// kindSign is the sign of what sort of memory it is: of facts their category, else the kind.
func kindSign(r memory.Record) html.Node {
	name := string(r.Kind)
	if r.Kind == memory.KindFact && r.Category != "" {
		name = r.Category
	}
	return sign(name, name)
}

// sign is a drawing that stands for words.
func sign(name, words string) html.Node {
	return html.Span(html.Class("mark"), html.Attr("title", words), icon(name), html.Span(html.Class("visually-hidden"), words))
}

// glance is what is to be seen of a memory at once: its state, its project, how old it is. The line is what every
// door says of it.
func (v *visit) glance(r memory.Record, line render.Line) html.Node {
	list := v.badges(line)
	if r.Confirmations > 1 && r.Live() {
		list = append(list, sign("sure", fmt.Sprintf("saved %d times", r.Confirmations)))
	}
	if r.Project != "" {
		list = append(list, html.Span(html.Class("in"), html.El("bdi", r.Project)))
	}
	return append(list, v.age(r.EventTime()))
}

// badges say what a reader must not overlook: that something is no longer so leads to what is.
func (v *visit) badges(line render.Line) (list html.List) {
	today := v.site.o.Clock.Day(v.site.o.Clock.Now())
	for _, m := range line.Marks {
		switch {
		case m.Text == "pinned":
			list = append(list, sign("pinned", "pinned"))
		case m.ID != "":
			text := strings.TrimSuffix(strings.TrimSuffix(m.Text, " by"), ", see")
			list = append(list, html.A(html.Class("badge warning"), html.Href(Root+"/memory/"+m.ID),
				html.AriaLabel(m.Text+" another memory"), text))
		case strings.HasPrefix(m.Text, "true from ") && strings.TrimPrefix(m.Text, "true from ") <= today: // as all else
		case strings.HasPrefix(m.Text, "true "):
			list = append(list, html.Span(html.Class("badge medium"), m.Text))
		default:
			list = append(list, html.Span(html.Class("badge warning"), m.Text))
		}
	}
	return list
}

// age is how long ago a moment is, in short; what is to come is its day.
func (v *visit) age(t time.Time) html.Node {
	if t.IsZero() {
		return nil
	}
	const day = 24 * time.Hour
	gone := v.site.o.Clock.Now().Sub(t)
	short := ""
	switch {
	case gone < 0:
		short = v.site.o.Clock.Day(t)
	case gone < time.Minute:
		short = "now"
	case gone < time.Hour:
		short = fmt.Sprintf("%d min", gone/time.Minute)
	case gone < day:
		short = fmt.Sprintf("%d h", gone/time.Hour)
	case gone < 14*day:
		short = fmt.Sprintf("%d d", gone/day)
	case gone < 60*day:
		short = fmt.Sprintf("%d wk", gone/(7*day))
	case gone < 700*day:
		short = fmt.Sprintf("%d mo", gone/(30*day))
	default:
		short = fmt.Sprintf("%d y", gone/(365*day))
	}
	return html.El("time", html.Attr("datetime", t.UTC().Format(time.RFC3339)), html.Attr("title", v.site.moment(t)), short)
}
