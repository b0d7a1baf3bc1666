package web

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// Linker lets an agent copy another's memories with that agent's consent; package link's service
// implements it.
type Linker interface {
	// Pending is documented at [link.Service.Pending].
	Pending(ctx context.Context, agent string) ([]memory.Link, error)
	// Request is documented at [link.Service.Request].
	Request(ctx context.Context, agent string, r link.Request) (memory.Link, error)
	// Share is documented at [link.Service.Share].
	Share(ctx context.Context, agent string, o link.Offer) (link.Shared, error)
	// Decline is documented at [link.Service.Decline].
	Decline(ctx context.Context, agent, id, note string) (memory.Link, error)
	// Revoke is documented at [link.Service.Revoke].
	Revoke(ctx context.Context, agent, id string) (memory.Link, error)
}

// linksPage is how many requests a page has, of either direction.
const linksPage = 50

// sharing shows the pending requests of other agents for this memory, and this agent's own
// requests.
func (s *Site) sharing(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	pending, err := s.o.Links.Pending(v.context(), scope.Agent)
	if err != nil {
		return nil, err
	}
	byID := func(l memory.Link) string { return l.ID }
	fromHere := func(l memory.Link) bool { return l.From == scope.Agent }
	askedAt, ownAt := v.pager("asked"), v.pager("own")
	asked, nextAsked := pageOf(slices.DeleteFunc(slices.Clone(pending), func(l memory.Link) bool { return !fromHere(l) }), byID,
		askedAt.before, linksPage)
	own, nextOwn := pageOf(slices.DeleteFunc(slices.Clone(pending), fromHere), byID, ownAt.before, linksPage)
	var stats memory.Stats
	if len(asked) > 0 {
		if stats, err = v.stats(scope); err != nil {
			return nil, err
		}
	}
	section := func(title, none string, list []memory.Link, item func(memory.Link) html.Node, pages html.Node) html.Node {
		if len(list) == 0 {
			return html.Section(html.H2(title), html.P(html.Class("empty"), none), pages)
		}
		var items html.List
		for _, l := range list {
			items = append(items, html.Li(item(l)))
		}
		return html.Section(html.H2(title), html.Ol(html.Class("entries"), items), pages)
	}
	body := html.List{
		html.P(html.Class("hint"),
			"An agent may copy the memory of another that agrees. What is copied lives on in the other bank; nothing changes in this one, and it cannot be called back. A request can be answered for a short time only."),
		section("Who asks for this memory", "Nobody does.", asked, func(l memory.Link) html.Node { return v.askedFor(l, stats) },
			askedAt.links("asked", "/sharing", nextAsked)),
		section("Whose was asked for", "Nobody's.", own, v.ownRequest, ownAt.links("own", "/sharing", nextOwn)),
	}
	if v.writes() {
		body = append(body, html.Details(html.Summary("Ask another agent for its memory"),
			v.form("/sharing", html.Class("stack"), html.Data("keep", "1"),
				html.Label("Agent", html.Input(html.Name("agent"), html.Flag("required", true), html.Attr("autocomplete", "off"))),
				html.Label("What for", html.Textarea(html.Name("message"), html.Attr("rows", "2"), html.Attr("dir", "auto"))),
				v.partFields(nil, "What is asked for: without a tick everything"), html.Div(html.Button("Ask")))))
	}
	return page{title: "Sharing", body: html.Div(html.ID("sharing"), html.Class("column"), html.Data("refresh", "sharing"), body)}, nil
}

// askedFor shows a request for this memory, what would be copied, and forms that share or decline.
func (v *visit) askedFor(l memory.Link, stats memory.Stats) html.Node {
	parts := html.List{v.request(l, l.To), html.P(wouldBeCopied(l, stats))}
	if !v.writes() {
		return parts
	}
	note := func() html.Node {
		return html.Label("A word to them", html.Input(html.Name("note"), html.Attr("dir", "auto")))
	}
	return append(parts,
		html.Details(html.Summary("Share"), v.form("/sharing/"+l.ID+"/share", html.Class("stack"), html.Data("keep", "1"),
			v.partFields(l.Kinds,
				"What is shared, of what is asked for: without a tick everything but soul, conversations and secrets"), note(),
			html.Label(html.Class("check"),
				html.Input(html.Type("checkbox"), html.Name("sure"), html.Value("1"), html.Flag("required", true)),
				"It may be copied, for good"),
			html.Div(html.Button(html.Class("main"), "Share")))),
		html.Details(html.Summary("Decline"),
			v.form("/sharing/"+l.ID+"/decline", html.Class("stack"), note(), html.Div(html.Button("Decline")))))
}

// request shows what a request asks for. other is the agent at the other end.
func (v *visit) request(l memory.Link, other string) html.Node {
	facts := html.List{html.Li("asked ", v.when(l.RequestedAt)), html.Li("until ", v.when(l.ExpiresAt))}
	if len(l.Kinds) > 0 {
		facts = append(facts, html.Li("kinds: "+kindList(l.Kinds)))
	}
	if len(l.Categories) > 0 {
		facts = append(facts, html.Li("categories: ", html.El("bdi", memory.Shorten(strings.Join(l.Categories, ", "), 200))))
	}
	if !l.Since.IsZero() {
		facts = append(facts, html.Li("since ", v.when(l.Since)))
	}
	parts := html.List{html.P(html.Strong(html.El("bdi", other)))}
	if l.Message != "" {
		parts = append(parts, text(memory.Shorten(l.Message, 2000)))
	}
	return append(parts, html.Ul(html.Class("facts"), facts))
}

func kindList(kinds []memory.Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// wouldBeCopied says how many memories of each kind a request would copy at most. What was copied
// before, what the other bank has already, and secrets are not subtracted.
func wouldBeCopied(l memory.Link, stats memory.Stats) string {
	numbers := maps.Clone(stats.ByKind)
	if numbers == nil {
		numbers = map[string]int{}
	}
	delete(numbers, string(memory.KindSoul)) // only if it is ticked
	if slices.Contains(l.Kinds, memory.KindTurn) {
		numbers[string(memory.KindTurn)] = stats.Turns
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(numbers)) {
		if n := numbers[kind]; n > 0 && (len(l.Kinds) == 0 || slices.Contains(l.Kinds, memory.Kind(kind))) {
			parts = append(parts, strconv.Itoa(n)+" of "+kind)
		}
	}
	if len(parts) == 0 {
		return "Nothing would be copied, unless kinds are ticked that it is asked for."
	}
	return "Would be copied, at most: " + strings.Join(parts, ", ") + ". Secrets and what is known there already stay out."
}

// partFields are form fields that choose a part of a bank. asked are the kinds to choose from, nil
// for all.
func (v *visit) partFields(asked []memory.Kind, title string) html.Node {
	var ticks html.List
	for _, k := range append(memory.Kinds(), memory.KindTurn) {
		if len(asked) == 0 || slices.Contains(asked, k) {
			ticks = append(ticks,
				html.Label(html.Class("check"), html.Input(html.Type("checkbox"), html.Name("kind"), html.Value(string(k))), string(k)))
		}
	}
	return html.List{
		html.El("fieldset", html.El("legend", title), html.Div(html.Class("fields"), ticks)),
		html.Div(html.Class("fields"),
			html.Label("Only these categories, with commas", html.Input(html.Name("categories"))),
			html.Label("Only since", html.Input(html.Type("date"), html.Name("since")))),
	}
}

// part reads the fields of [visit.partFields].
func (v *visit) part() (p link.Part, err error) {
	for _, k := range v.r.PostForm["kind"] {
		p.Kinds = append(p.Kinds, memory.Kind(k))
	}
	for name := range strings.SplitSeq(v.field("categories"), ",") {
		if name = strings.TrimSpace(name); name != "" {
			p.Categories = append(p.Categories, name)
		}
	}
	if since := v.field("since"); since != "" {
		if p.Since, err = time.ParseInLocation(time.DateOnly, since, v.site.o.Clock.Zone()); err != nil {
			return p, memory.Errorf(memory.CodeInvalidArgument, "%q is no date", memory.Shorten(since, 40)).
				WithHint("a day such as 2026-03-01")
		}
	}
	return p, nil
}

// ownRequest shows a request of this agent that another has not answered yet.
func (v *visit) ownRequest(l memory.Link) html.Node {
	parts := html.List{v.request(l, l.From)}
	if v.writes() {
		parts = append(parts, v.form("/sharing/"+l.ID+"/revoke", html.Class("inline"), html.Button("Take the request back")))
	}
	return parts
}

// askFor asks another agent for its memory.
func (s *Site) askFor(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	part, err := v.part()
	if err != nil {
		return nil, err
	}
	l, err := s.o.Links.Request(v.context(), scope.Agent, link.Request{Agent: v.field("agent"), Message: v.field("message"), Part: part})
	if err != nil {
		return nil, err
	}
	return v.done(Root+"/sharing", "Asked "+l.From+", who may answer until "+s.moment(l.ExpiresAt)+".", "")
}

// share copies the part chosen in the form to the agent that asked.
func (s *Site) share(v *visit) (answer, error) {
	if v.field("sure") == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "sharing needs the tick beside \"It may be copied\"").
			WithHint("go back and set it, or decline")
	}
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	part, err := v.part()
	if err != nil {
		return nil, err
	}
	shared, err := s.o.Links.Share(v.context(), scope.Agent, link.Offer{LinkID: v.r.PathValue("id"), Note: v.field("note"), Part: part})
	if err != nil {
		return nil, err
	}
	said := fmt.Sprintf("Shared with %s: %s copied, %d were known there.", shared.To, count(shared.Copied, "memory was", "memories were"),
		shared.Skipped)
	if shared.Withheld > 0 {
		said += " " + count(shared.Withheld, "secret stayed", "secrets stayed") + " here."
	}
	return v.done(Root+"/sharing", said, "")
}

// decline refuses a request.
func (s *Site) decline(v *visit) (answer, error) {
	return v.answered("Declined.", func(agent, id string) error {
		_, err := s.o.Links.Decline(v.context(), agent, id, v.field("note"))
		return err
	})
}

// revoke withdraws a request of this agent.
func (s *Site) revoke(v *visit) (answer, error) {
	return v.answered("Taken back.", func(agent, id string) error {
		_, err := s.o.Links.Revoke(v.context(), agent, id)
		return err
	})
}

func (v *visit) answered(said string, do func(agent, id string) error) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	if err := do(scope.Agent, v.r.PathValue("id")); err != nil {
		return nil, err
	}
	return v.done(Root+"/sharing", said, "")
}
