package web

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web/html"
)

// version returns a digest of the fields of a record that can change. Forms carry it, so that a
// change made meanwhile is noticed.
func version(r memory.Record) string {
	return digest(r.ID, r.Content, r.Category, r.Importance, r.Pinned, r.Tags, r.ValidFrom, r.ValidUntil, r.SupersededBy, r.ArchivedAt)
}

// digest returns 24 hex digits that differ if the values differ. Values must be encodable as JSON.
func digest(values ...any) string {
	state, err := json.Marshal(values)
	if err != nil {
		panic(err) // plain values
	}
	sum := sha256.Sum256(state)
	return hex.EncodeToString(sum[:12])
}

// errChanged says that somebody else has changed the thing since the form was made.
var errChanged = memory.Errorf(memory.CodeConflict, "it was changed while you looked at it")

// one reads the memory with an id.
func (v *visit) one(id string) (remember.Found, error) {
	scope, err := v.scope()
	if err != nil {
		return remember.Found{}, err
	}
	found, _, err := v.site.o.Memories.Get(v.context(), scope, []string{id})
	if err != nil {
		return remember.Found{}, err
	}
	if len(found) == 0 {
		return remember.Found{}, memory.Errorf(memory.CodeNotFound, "there is no such memory").
			WithHint("it may have been erased, or belong to another bank")
	}
	return found[0], nil
}

// memory shows one memory with all that is known of it.
func (s *Site) memory(v *visit) (answer, error) {
	f, err := v.one(v.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return page{title: "Memory", body: html.Div(html.ID("memory"), html.Data("refresh", "memory"), v.memoryBody(f, ""))}, nil
}

func (v *visit) memoryBody(f remember.Found, typed string) html.Node {
	r := f.Record
	body := html.List{html.Article(html.Class("memory"), text(r.Content), v.facts(r), v.details(r))}
	if r.Damaged {
		body = append(body, html.P(html.Class("warning"), "The database reads something else than was saved here."))
	}
	if r.SupersededBy != "" {
		body = append(body, html.P(html.Class("warning"), "It was replaced ", v.when(r.SupersededAt), " by ",
			html.A(html.Href(Root+"/memory/"+r.SupersededBy), "a newer text"), "."))
	}
	if !r.ArchivedAt.IsZero() {
		body = append(body, html.P(html.Class("warning"), "It was set aside ", v.when(r.ArchivedAt), because(r.ArchiveWhy), "."))
	}
	if v.writes() {
		body = append(body, v.changes(r, typed))
	}
	return html.Div(html.Class("beside"), html.Div(body, v.history(f)),
		html.Div(html.Class("panel"), v.trust(f), v.validity(r), v.about(r)))
}

func because(why string) html.Node {
	if why == "" {
		return nil
	}
	return html.List{html.Text(": "), html.El("bdi", why)}
}

// changes are the forms and buttons that correct, pin, forget, edit and erase a memory.
func (v *visit) changes(r memory.Record, typed string) html.Node {
	to := "/memory/" + r.ID
	expected := hidden("version", version(r))
	var list html.List
	if r.Live() && remember.Editable(r.Kind) {
		list = append(list, html.Details(html.Flag("open", typed != ""), html.Summary(html.Data("edit", "content"), "Correct"),
			v.form(to+"/edit", html.Class("stack"), html.Data("keep", "1"), expected, hidden("back", v.reading()),
				html.Label(html.Class("visually-hidden"), html.For("content"), "What it should say"),
				html.Textarea(html.ID("content"), html.Name("content"), html.Attr("rows", "4"), html.Attr("dir", "auto"),
					html.Flag("required", true), cmp.Or(typed, r.Content)),
				html.Div(html.Class("fields"), html.Label("It holds from", html.Input(html.Type("date"), html.Name("valid_from"))),
					html.Button(html.Class("main"), "Save")),
				html.P(html.Class("hint"),
					"The old text stays as history. A day says when it changed in the world; without one it is now."))))
	}
	if r.Live() {
		list = append(list, v.pinForm(r))
		if r.Kind != memory.KindSoul {
			list = append(list, v.form(to+"/forget", html.Class("inline"), hidden("back", v.reading()),
				html.Button(html.Data("key", "f"), "Forget")))
		}
	}
	if r.Live() {
		list = append(list, html.Details(html.Summary("Details"),
			v.form(to+"/details", html.Class("fields"), html.Data("keep", "1"), expected, hidden("back", v.reading()),
				hidden("was in", r.Project),
				html.Label("Category", html.Input(html.Name("category"), html.Value(r.Category))),
				html.Label("Project, empty for all", html.Input(html.Name("project"), html.Value(r.Project))),
				html.Label("Importance",
					html.Input(html.Type("number"), html.Name("importance"), html.Attr("min", "0"), html.Attr("max", "1"),
						html.Attr("step", "0.05"), html.Value(strconv.FormatFloat(r.Importance, 'g', -1, 64)))),
				html.Label("Tags, with commas", html.Input(html.Name("tags"), html.Value(strings.Join(r.Tags, ", ")))),
				html.Button("Save"))))
	}
	if r.Kind != memory.KindSoul {
		list = append(list, html.Details(html.Class("danger"), html.Summary("Erase for good"), v.form(to+"/erase",
			html.P("The text and its earlier versions are taken out of the database and the files. Nothing brings them back."),
			html.Label(html.Class("check"),
				html.Input(html.Type("checkbox"), html.Name("sure"), html.Value("1"), html.Flag("required", true)), "I am sure"),
			html.Button(html.Class("danger"), "Erase"))))
	}
	return html.Section(html.Class("tools"), html.AriaLabel("Put it right"), list)
}

// reading returns the address of the list beside which the memory is shown, "" where the memory has
// a page of its own.
func (v *visit) reading() string {
	if v.r.Method == http.MethodGet && v.r.URL.Path == Root+"/memories" {
		return v.address()
	}
	return ""
}

func (v *visit) pinForm(r memory.Record) html.Node {
	title, to := "Pin", "1"
	if r.Pinned {
		title, to = "Unpin", ""
	}
	return v.form("/memory/"+r.ID+"/pin", html.Class("inline"), hidden("pinned", to), hidden("back", v.address()),
		html.Button(html.Data("key", "p"), title))
}

// validity shows when a memory was recorded, when it happened, and from when until when it is true.
func (v *visit) validity(r memory.Record) html.Node {
	rows := html.List{}
	row := func(title string, t time.Time, open string) {
		value := any(open)
		if !t.IsZero() {
			value = v.when(t)
		}
		rows = append(rows, html.Dt(title), html.Dd(value))
	}
	row("Recorded", r.CreatedAt, "")
	if !r.OccurredAt.IsZero() {
		row("Happened", r.OccurredAt, "")
	}
	row("True from", r.ValidFrom, "always")
	row("True until", r.ValidUntil, "now and on")
	return html.Section(html.H2("When"), v.span(r), html.Dl(rows))
}

// span draws a bar from the earlier of the record's creation and its ValidFrom (without one: its
// [memory.Record.EventTime]) until now. The part in which the record is true is filled.
func (v *visit) span(r memory.Record) html.Node {
	now := v.site.o.Clock.Now()
	from, until := r.ValidFrom, r.ValidUntil
	if from.IsZero() {
		from = r.EventTime()
	}
	if until.IsZero() || until.After(now) {
		until = now
	}
	begin := from
	if r.CreatedAt.Before(begin) {
		begin = r.CreatedAt
	}
	whole := now.Sub(begin).Seconds()
	if whole <= 0 || until.Before(from) {
		return nil
	}
	at := func(t time.Time) float64 { return 100 * t.Sub(begin).Seconds() / whole }
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	label := "true from " + v.site.moment(from) + " until " + v.site.moment(until)
	return html.El("svg", html.Class("span"), html.Attr("viewBox", "0 0 100 6"), html.Attr("preserveAspectRatio", "none"),
		html.Attr("role", "img"), html.AriaLabel(label),
		html.El("rect", html.Class("track"), html.Attr("width", "100"), html.Attr("height", "6")),
		html.El("rect", html.Class("fill"), html.Attr("x", f(at(from))), html.Attr("width", f(max(1, at(until)-at(from)))),
			html.Attr("height", "6")))
}

// history shows the versions of a memory, each with its difference from the one before.
func (v *visit) history(f remember.Found) html.Node {
	if len(f.History) < 2 {
		return nil
	}
	var items html.List
	if earlier := len(f.History) - maxHistory; earlier > 0 {
		items = append(items, html.Li(html.Class("hint"), count(earlier, "version", "versions"), " before"))
	}
	for i, r := range f.History {
		if i < len(f.History)-maxHistory && r.ID != f.ID {
			continue
		}
		said := html.Node(html.Span(html.Attr("dir", "auto"), memory.Shorten(r.Content, 2000)))
		if i > 0 {
			said = diff(f.History[i-1].Content, r.Content)
		}
		parts := []any{html.P(html.Class("hint"), v.when(r.CreatedAt), ", by "+string(r.Source)), html.Div(html.Class("text"), said)}
		if r.ID == f.ID {
			parts = append(parts, html.Attr("aria-current", "true"))
		} else {
			parts = append(parts, html.A(html.Href(Root+"/memory/"+r.ID), "this version"))
		}
		items = append(items, html.Li(parts...))
	}
	head := f.History[len(f.History)-1]
	var back html.Node
	if previous := f.History[len(f.History)-2]; v.writes() && head.Live() && remember.Editable(head.Kind) && head.ID == f.ID {
		back = v.form("/memory/"+head.ID+"/edit", html.Class("inline"), hidden("version", version(head)),
			hidden("content", previous.Content), html.Button("Take the last change back"))
	}
	return html.Section(html.H2("History"), html.Ol(html.Class("history"), items), back)
}

// about shows the remaining fields: source, provenance, metadata, and how often it was saved and
// recalled.
func (v *visit) about(r memory.Record) html.Node {
	rows := html.List{}
	row := func(title string, value ...any) { rows = append(rows, html.Dt(title), html.Dd(value...)) }
	row("Came from", string(r.Source))
	for _, m := range []struct {
		prefix string
		value  json.RawMessage
	}{{"", r.Provenance}, {"", r.Metadata}} {
		var fields map[string]any
		if json.Unmarshal(m.value, &fields) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			shown, ok := fields[name].(string)
			if !ok {
				raw, _ := json.Marshal(fields[name])
				shown = string(raw)
			}
			row(strings.ReplaceAll(memory.Shorten(name, 80), "_", " "), html.El("bdi", memory.Shorten(shown, 500)))
		}
	}
	if r.ExternalID != "" {
		row("Its name there", html.El("bdi", r.ExternalID))
	}
	if r.Supersedes != "" {
		row("It replaced", html.A(html.Href(Root+"/memory/"+r.Supersedes), "an earlier text"))
	}
	row("Saved", count(r.Confirmations, "time", "times"))
	row("Recalled in", count(r.AccessCount, "session", "sessions"))
	if !r.LastAccessedAt.IsZero() {
		row("Last recalled", v.when(r.LastAccessedAt))
	}
	row("Importance", number(r.Importance))
	row("Salience", number(v.site.o.Recall.Salience(r)))
	row("Id", html.Code(r.ID))
	return html.Section(html.H2("About it"), html.Dl(rows))
}

// conflict shows the current text beside what was typed, if somebody else has changed the memory
// meanwhile.
func (v *visit) conflict(id, typed string) (answer, error) {
	f, err := v.one(id)
	if err != nil {
		return nil, err
	}
	if n := len(f.History); n > 0 && f.History[n-1].ID != f.ID {
		if f, err = v.one(f.History[n-1].ID); err != nil {
			return nil, err
		}
	}
	body := html.List{html.P(html.Class("warning"), html.Attr("role", "alert"),
		"Somebody changed it while you looked at it. Nothing was overwritten; decide what holds.")}
	if typed != "" {
		body = append(body, html.Div(html.Class("sides"),
			html.Section(html.H2("As it is now"), text(f.Content)),
			html.Section(html.H2("What you typed"), text(typed))))
	}
	body = append(body, v.memoryBody(f, typed))
	return page{status: http.StatusConflict, title: "Changed meanwhile", body: body}, nil
}

// diff marks which words were deleted from before and inserted in after. Texts with more than
// maxDiff pairs of words are shown one after the other.
func diff(before, after string) html.Node {
	old, now := words(before), words(after)
	if len(old)*len(now) > maxDiff {
		return html.List{html.Del(before), html.Text(" "), html.Ins(after)}
	}
	// common[i][j] is the length of the longest common subsequence of old[i:] and now[j:].
	common := make([][]int, len(old)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out html.List
	i, j := 0, 0
	take := func(same bool, element func(...any) html.Node, list []string) {
		if len(list) == 0 {
			return
		}
		if said := strings.Join(list, ""); same {
			out = append(out, html.Text(said))
		} else {
			out = append(out, element(said))
		}
	}
	for i < len(old) || j < len(now) {
		a, b := i, j
		for i < len(old) && j < len(now) && old[i] == now[j] {
			i, j = i+1, j+1
		}
		take(true, nil, old[a:i])
		a, b = i, j
		for i < len(old) && (j == len(now) || common[i+1][j] >= common[i][j+1]) && !(j < len(now) && old[i] == now[j]) {
			i++
		}
		for j < len(now) && (i == len(old) || common[i][j+1] > common[i+1][j]) && !(i < len(old) && old[i] == now[j]) {
			j++
		}
		take(false, html.Del, old[a:i])
		take(false, html.Ins, now[b:j])
	}
	return html.Span(html.Attr("dir", "auto"), out)
}

// maxHistory is how many versions are shown, the newest ones.
const maxHistory = 50

// maxDiff bounds the number of pairs of words that diff compares.
const maxDiff = 1 << 20

// words splits a text into words, each with the white space that follows it.
func words(text string) (list []string) {
	start, blank := 0, false
	for i, r := range text {
		isBlank := r == ' ' || r == '\n' || r == '\t'
		if blank && !isBlank {
			list = append(list, text[start:i])
			start = i
		}
		blank = isBlank
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}
