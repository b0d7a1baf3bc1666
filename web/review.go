package web

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/review"
	"mcp-memory/web/html"
)

// Reviewer finds the questions that a person should decide; package review's service implements it.
type Reviewer interface {
	// Items is documented at [review.Service.Items].
	Items(ctx context.Context, agent string) (review.Found, error)
	// Count is documented at [review.Service.Count].
	Count(agent string) (n int, known bool)
	// Looks is documented at [review.Service.Looks].
	Looks(agent string) int
	// Keep is documented at [review.Service.Keep].
	Keep(ctx context.Context, agent, key string, again bool) error
	// Close is documented at [review.Service.Close].
	Close()
}

// reviewPage is how many questions a page has.
const reviewPage = 20

// questions are the titles of review items.
var questions = map[review.Kind]string{
	review.Successor: "Has the newer taken the place of the older?", review.Opposite: "These say the opposite of each other.",
	review.Duplicate: "These say nearly the same.", review.Secret: "This looks like a secret: a key, password, code or account.",
	review.Year:   "Nobody said this year: it was written by extraction or self-care.",
	review.Unused: "This was learned a month ago or longer, and never recalled since.",
}

// review lists the questions that are to be decided, pairs of memories side by side.
func (s *Site) review(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	found, err := s.o.Review.Items(v.context(), scope.Agent)
	if err != nil {
		return nil, err
	}
	items := found.Items
	if scope.Project != memory.AllProjects {
		items = slices.DeleteFunc(slices.Clone(items),
			func(i review.Item) bool { return i.Newer.Project != scope.Project && i.Newer.Project != "" })
	}
	body := html.List{html.P(html.Class("keys hint"), "To decide: ", html.Strong(count(len(items), "question", "questions")), ". Keys: ",
		key("j"), " and ", key("k"), " go up and down, ", key("b"), " keep both or it, ",
		key("n"), " the newer holds, ", key("o"), " the older holds, ", key("m"),
		" merge, ", key("c"), " correct, ", key("f"), " forget, ", key("u"), " undo.")}
	var list html.List
	at := v.pager("before")
	shown, next := pageOf(items, func(i review.Item) string { return i.Key }, at.before, reviewPage)
	for _, i := range shown {
		list = append(list, html.Li(html.Data("item", i.Key), v.reviewItem(i)))
	}
	if len(list) == 0 && !found.Again {
		body = append(body, html.P(html.Class("empty"),
			"Nothing is to be decided. What contradicts, repeats, looks like a secret or has a year that nobody said will be asked about here."))
	}
	body = append(body, html.Ol(html.Class("entries"), list), at.links("before", "/review", next),
		html.P(html.Class("hint"), "Looked through: the newest ", review.Looked, " memories."))
	again := html.A(html.Href(Root+"/review"), "Load again")
	switch {
	case !found.Looked:
		body = html.List{html.P("Looking… ", again)}
	case found.Again:
		body = append(body, html.P(html.Class("hint"), "Looking again… ", again))
	}
	// The page's event stream tells when the search for questions ends. The script cannot hear that
	// before it listens, so data-looking makes it also load the page again after a second.
	looking := html.Data("looking", strconv.FormatBool(!found.Looked || found.Again))
	return page{title: "Review",
		body: html.Div(html.ID("review"), html.Class("column"), html.Data("refresh", "review"), looking, body)}, nil
}

func key(name string) html.Node { return html.El("kbd", name) }

func (v *visit) reviewItem(i review.Item) html.Node {
	side := func(title string, r memory.Record) html.Node {
		return html.Section(html.H3(html.A(html.Href(Root+"/memory/"+r.ID), title)), text(memory.Shorten(r.Content, 1500)), v.facts(r))
	}
	parts := html.List{html.H2(questions[i.Kind])}
	if i.Pair() {
		parts = append(parts, html.Div(html.Class("sides"), side("Older", i.Older), side("Newer", i.Newer)))
	} else {
		parts = append(parts, side("Memory", i.Newer))
	}
	if i.Kind == review.Year {
		by := i.Said.Speaker
		if by != "" {
			by += ", "
		}
		parts = append(parts, html.Section(html.H3("What was said"), text(i.Said.Text), html.P(html.Class("hint"), by, v.when(i.Said.At))))
		if i.Corrected != "" {
			parts = append(parts, html.Section(html.H3("Corrected, it says"), text(memory.Shorten(i.Corrected, 1500))))
		}
	}
	if !v.writes() {
		return parts
	}
	button := func(how, letter, title string) html.Node {
		return html.Button(html.Name("how"), html.Value(how), html.Data("key", letter), title+" (", key(letter), ")")
	}
	buttons := html.List{button("both", "b", "Keep")}
	if i.Pair() {
		buttons = html.List{button("both", "b", "Keep both"), button("newer", "n", "Newer holds"), button("older", "o", "Older holds")}
	} else {
		if i.Corrected != "" {
			buttons = append(buttons, button("correct", "c", "Correct"))
		}
		buttons = append(buttons, button("forget", "f", "Forget"))
	}
	parts = append(parts, v.form("/review/"+i.Key, html.Class("actions"), buttons))
	if i.Pair() && remember.Editable(i.Newer.Kind) {
		parts = append(parts, html.Details(html.Summary(html.Data("open", "m"), "Merge (", key("m"), ")"),
			v.form("/review/"+i.Key, html.Class("stack"), hidden("how", "merge"),
				hidden("version", version(i.Newer)),
				html.Label(html.For("merge-"+i.Key), "What holds"),
				html.Textarea(html.ID("merge-"+i.Key), html.Name("content"), html.Attr("rows", "3"), html.Attr("dir", "auto"),
					strings.TrimSpace(i.Older.Content)+"\n"+strings.TrimSpace(i.Newer.Content)),
				html.Button("Merge"))))
	}
	return parts
}

// keptUndo is the prefix of the undo ids of decisions to keep an item as it is.
const keptUndo = "kept:"

// settle carries out the decision in the form's field how.
func (s *Site) settle(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	found, err := s.o.Review.Items(v.context(), scope.Agent)
	if err != nil {
		return nil, err
	}
	items := found.Items
	at := slices.IndexFunc(items, func(i review.Item) bool { return i.Key == v.r.PathValue("id") })
	if at < 0 {
		return nil, memory.Errorf(memory.CodeConflict, "that was decided meanwhile, or changed").WithHint("load the page again")
	}
	i := items[at]
	how := v.field("how")
	drop := func(r memory.Record, said string) (answer, error) {
		if r.ID == "" {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "there is no second memory to decide about")
		}
		result, err := v.forget(remember.ForgetRequest{IDs: []string{r.ID}, Reason: "decided on the page: " + said})
		if err != nil {
			return nil, err
		}
		return v.done(Root+"/review", "Decided: "+said+".", result.UndoID)
	}
	switch how {
	case "both":
		if err := s.o.Review.Keep(v.context(), scope.Agent, i.Key, false); err != nil {
			return nil, err
		}
		return v.done(Root+"/review", "Decided: it stays as it is.", keptUndo+i.Key)
	case "newer":
		return drop(i.Older, "the newer holds")
	case "older":
		return drop(i.Newer, "the older holds")
	case "forget":
		return drop(i.Newer, "forgotten")
	case "correct":
		return v.correct(scope, i)
	case "merge":
		return v.merge(scope, i, drop)
	}
	return nil, memory.Errorf(memory.CodeInvalidArgument, "%q is no decision", memory.Shorten(how, 40)).
		WithHint("both, newer, older, merge, correct or forget")
}

// correct replaces the text of a memory by the proposed one, which is without the year that nobody
// said.
func (v *visit) correct(scope memory.Scope, i review.Item) (answer, error) {
	if i.Corrected == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "there is no other text for it").
			WithHint("edit the memory, keep it or forget it")
	}
	change := remember.UpdateRequest{ID: i.Newer.ID, Content: &i.Corrected}
	if i.Newer.Summary == nil { // OccurredAt may have been derived from the wrong year
		change.OccurredAt = &i.Said.At
	}
	result, err := v.site.o.Memories.UpdateIf(v.context(), scope, change, memory.SourceUser, func(r memory.Record) error {
		if version(r) != version(i.Newer) {
			return errChanged
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return v.done(Root+"/review", "Decided: corrected.", result.ID)
}

// merge gives the newer memory a text that says what both said, and archives the older one.
func (v *visit) merge(scope memory.Scope, i review.Item, drop func(memory.Record, string) (answer, error)) (answer, error) {
	content := v.field("content")
	if !i.Pair() {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "there is no second memory to merge with")
	}
	_, err := v.site.o.Memories.UpdateIf(v.context(), scope, remember.UpdateRequest{ID: i.Newer.ID, Content: &content}, memory.SourceUser,
		func(r memory.Record) error {
			if version(r) != v.field("version") {
				return errChanged
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return drop(i.Older, "merged")
}

// waiting shows the number of questions in the review beside the link to it, nil for none or
// unknown.
func (v *visit) waiting() html.Node {
	scope, err := v.scope()
	if err != nil || v.site.o.Review == nil || !v.open(access.WholeBank) {
		return nil
	}
	n, known := v.site.o.Review.Count(scope.Agent)
	if !known || n == 0 {
		return nil
	}
	return html.List{html.Span(html.Class("count"), n), html.Span(html.Class("visually-hidden"), " to decide")}
}
