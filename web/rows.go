package web

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/render"
	"mcp-memory/web/html"
)

// rows is a list with one memory a row. One form around the list sends whichever button of a row is
// pressed, as each button has an address of its own (formaction).
func (v *visit) rows(items html.List) html.Node {
	list := html.Ol(html.Class("rows"), items)
	if !v.writes() {
		return list
	}
	return html.Form(html.Attr("method", "post"), hidden(keyField, v.session.key), hidden("back", v.address()), list)
}

// row is the row of a memory: its kind, its text said, at the right the facts glance, and below the
// text the parts under.
func (v *visit) row(r memory.Record, said, glance html.Node, under ...any) html.Node {
	return html.Li(html.Data("item", r.ID),
		line(kindSign(r), html.P(html.Class("text"), said), glance, v.acts(r), html.Div(append([]any{html.Class("under")}, under...)...)))
}

// line lays out a row: an icon, the text, the facts at the right, and more parts.
func line(sign, said, glance html.Node, more ...any) html.Node {
	return html.Article(append([]any{html.Class("row"), sign, html.Div(html.Class("said"), said), html.Div(html.Class("glance"), glance)},
		more...)...)
}

// opens shows the text of a memory as a link to it.
func opens(r memory.Record) html.Node {
	return html.A(html.Href(Root+"/memory/"+r.ID), html.Class("open"), html.Data("open", r.ID), html.Attr("dir", "auto"),
		memory.Shorten(r.Content, 400))
}

// acts are the buttons of a row, which the style shows while the pointer is on it. It returns nil
// if the memory cannot be changed here.
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

// kindSign is the icon of a memory: that of the category for a fact, else that of the kind.
func kindSign(r memory.Record) html.Node {
	name := string(r.Kind)
	if r.Kind == memory.KindFact && r.Category != "" {
		name = r.Category
	}
	return sign(name, name)
}

// sign is an icon with words for the tooltip and for screen readers.
func sign(name, words string) html.Node {
	return html.Span(html.Class("mark"), html.Attr("title", words), icon(name), html.Span(html.Class("visually-hidden"), words))
}

// glance shows the short facts about a memory: badges, project and age. line is its [render.Line].
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

// badges shows the marks of a line. A mark that names another memory, such as the one that replaced
// this one, links to it. "true from" a past day is not shown, as that is the usual case.
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
		case strings.HasPrefix(m.Text, "true from ") && strings.TrimPrefix(m.Text, "true from ") <= today: // the usual case
		case strings.HasPrefix(m.Text, "true "):
			list = append(list, html.Span(html.Class("badge medium"), m.Text))
		default:
			list = append(list, html.Span(html.Class("badge warning"), m.Text))
		}
	}
	return list
}

// age shows how long ago t was, such as "5 min" or "3 wk", or the date if t is in the future.
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
