package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// Counter counts what banks hold and reports the health of the database files. A memory.Store
// implements it.
type Counter interface {
	// Stats is documented at [memory.Reader.Stats].
	Stats(ctx context.Context, agent string) (memory.Stats, error)
	// Health is documented at [memory.Caretaker.Health].
	Health() memory.Health
}

// Machine is the installation of the program on this machine, with the banks of all agents. It is
// shown to who came in by a link, never to a token.
type Machine interface {
	// Examine checks everything, as `mcp-memory doctor` does.
	Examine(ctx context.Context) []memory.Finding
	// Settings returns every setting, in the order of the reference documentation.
	Settings() []Setting
	// Backups returns the directory of automatic backups, "" for none, and the time of the newest
	// backup, zero for none.
	Backups() (dir string, newest time.Time, err error)
	// Backup makes a backup and returns its name. Errors are those of [upkeep.Backup].
	Backup(ctx context.Context) (name string, err error)
}

// examined holds the result of the last Machine.Examine.
type examined struct {
	work     sync.Mutex // held while Examine runs
	mu       sync.Mutex
	at       time.Time
	findings []memory.Finding
}

func (e *examined) keep(at time.Time, found []memory.Finding) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.at, e.findings = at, found
}

func (e *examined) last() (time.Time, []memory.Finding) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at, e.findings
}

// health shows the state of the database files, the counts of the bank and the backups.
func (s *Site) health(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	stats, err := v.stats(scope)
	if err != nil {
		return nil, err
	}
	_, token := access.From(v.context())
	body := html.List{v.problems(s.o.Counter.Health(), token)}
	if s.o.Machine != nil && !token {
		backups, err := v.backups()
		if err != nil {
			return nil, err
		}
		body = append(body, v.checkup(), backups)
	}
	if s.o.Banks != nil && !token {
		body = append(body, html.P(html.A(html.Href(Root+"/banks"), "How the banks of all agents do")))
	}
	return page{title: "Health",
		body: html.Div(html.ID("health"), html.Class("halves"), html.Data("refresh", "health"), html.Div(body), v.holdings(stats))}, nil
}

// problems shows what the server's background check knows of the database files, without checking
// anything now. The findings are about all banks, so a token sees only which check failed, without
// the detail.
func (v *visit) problems(h memory.Health, token bool) html.Node {
	looked := html.P(html.Class("hint"), "The files were not yet looked through to the end since the start.")
	if !h.CheckedAt.IsZero() {
		looked = html.P(html.Class("hint"), "The files were last looked through to the end ", v.when(h.CheckedAt), ".")
	}
	if len(h.Problems) == 0 {
		return html.Section(html.H2("Files"), html.P(badge(memory.ConditionOK), " Nothing is known to be wrong."), looked)
	}
	list := h.Problems
	if token {
		list = nil
		for _, f := range h.Problems {
			list = append(list, memory.Finding{Check: f.Check, Condition: f.Condition, Detail: "whoever runs the server can see more"})
		}
	}
	return html.Section(html.H2("Files"), findings(list), looked)
}

func badge(c memory.Condition) html.Node {
	return html.Span(html.Class("badge "+string(c)), string(c))
}

// findings is a table of findings, as `mcp-memory doctor` prints them.
func findings(list []memory.Finding) html.Node {
	var rows html.List
	for _, f := range list {
		said := html.List{html.El("bdi", f.Detail)}
		if f.Advice != "" {
			said = append(said, html.P(html.Class("hint"), f.Advice))
		}
		rows = append(rows, html.Tr(html.Td(badge(f.Condition)), html.Th(html.Attr("scope", "row"), f.Check), html.Td(said)))
	}
	return html.Table(html.El("caption", html.Class("visually-hidden"), "What was looked at"), html.Tbody(rows))
}

// checkup shows the findings of the last Machine.Examine, and a button that runs it again.
func (v *visit) checkup() html.Node {
	at, found := v.site.examined.last()
	parts := []any{html.H2("Doctor")}
	if at.IsZero() {
		parts = append(parts,
			html.P("Looks at every page, index, counter and text of the database, at workspaces, settings, hooks and hosts. Nothing is changed; in a big memory it takes some seconds."))
	} else {
		parts = append(parts, html.P(html.Class("hint"), "As it was ", v.when(at), "."), findings(found))
	}
	return html.Section(append(parts, v.form("/health/examine", html.Class("inline"), html.Button("Look through everything")))...)
}

// backups shows lastBackup and, if automatic backups are set up, a button that makes one now.
func (v *visit) backups() (html.Node, error) {
	dir, newest, err := v.site.o.Machine.Backups()
	if err != nil {
		return nil, err
	}
	if dir == "" {
		return v.lastBackup(dir, newest), nil
	}
	return html.List{v.lastBackup(dir, newest), v.form("/health/backup", html.Class("inline"), html.Button("Make a backup now"))}, nil
}

// lastBackup shows where automatic backups are made and when the newest was.
func (v *visit) lastBackup(dir string, newest time.Time) html.Node {
	if dir == "" {
		return html.Section(html.H2("Backups"),
			html.P("None are made by themselves: the setting ", html.Code("backup.dir"), " says where to. ",
				html.Code("mcp-memory backup FILE"), " makes one now."))
	}
	said := html.P(badge(memory.ConditionWarning), " There is none yet in ", html.El("bdi", dir), ".")
	if !newest.IsZero() {
		state := memory.ConditionOK
		if v.site.o.Clock.Now().Sub(newest) > oldBackup {
			state = memory.ConditionWarning
		}
		said = html.P(badge(state), " The newest is of ", v.when(newest), ", in ", html.El("bdi", dir), ".")
	}
	return html.Section(html.H2("Backups"), said)
}

// oldBackup is the age from which the newest backup gets a warning. One is made each day.
const oldBackup = 48 * time.Hour

// holdings shows the counts of the bank as numbers and bars.
func (v *visit) holdings(s memory.Stats) html.Node {
	var rows html.List
	row := func(title string, value ...any) { rows = append(rows, html.Dt(title), html.Dd(value...)) }
	row("Memories", fmt.Sprintf("%d hold, %d set aside, %d replaced", s.Records, s.Archived, s.Superseded))
	row("Conversations", count(s.Turns, "message", "messages")+" in "+count(s.Sessions, "session", "sessions"))
	if n, known := v.questions(s.Agent); known {
		row("To decide", html.A(html.Href(Root+"/review"), count(n, "question", "questions")))
	}
	vectors := count(s.Vectors, "text", "texts") + " by " + s.Embedder
	if s.VectorsQueued > 0 {
		vectors += fmt.Sprintf(", %d wait", s.VectorsQueued)
	}
	if s.VectorsFailed > 0 {
		vectors += fmt.Sprintf(", %d failed so far and are tried again", s.VectorsFailed)
	}
	row("Found by meaning", vectors)
	if s.Encoded+s.EncoderQueued > 0 {
		row("Sentences", fmt.Sprintf("%d encoded, %d wait", s.Encoded, s.EncoderQueued))
	}
	row("Database", fmt.Sprintf("%s, schema %d", memory.DatabaseSize(s.DatabaseBytes), s.SchemaVersion))
	if s.ErasePending {
		row("Erased", "remains are still being taken out of the files")
	}
	return html.Section(html.H2("What the bank holds"), html.Dl(rows),
		shares("Kinds", s.ByKind, "kind"), shares("Categories", s.ByCategory, "category"), shares("Projects", s.ByProject, ""))
}

// questions returns how many questions wait in the review, and whether that is known yet.
func (v *visit) questions(agent string) (int, bool) {
	if v.site.o.Review == nil {
		return 0, false
	}
	return v.site.o.Review.Count(agent)
}

// maxShares is how many bars (see shares) or chips of one sort are shown at most, the largest
// numbers.
const maxShares = 20

// shares draws a bar for each name, longest first. If field is not "", each name links to a search
// with that field set to it.
func shares(title string, numbers map[string]int, field string) html.Node {
	most := 0
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int { return cmp.Or(numbers[b]-numbers[a], cmp.Compare(a, b)) })
	var rows html.List
	for _, name := range names[:min(len(names), maxShares)] {
		n := numbers[name]
		most = max(most, n)
		shown := cmp.Or(name, "none")
		head := html.Node(html.El("bdi", memory.Shorten(shown, 60)))
		if field != "" && name != "" {
			head = html.A(html.Href(query("/memories", field, name)), head)
		}
		rows = append(rows, html.Tr(html.Th(html.Attr("scope", "row"), head),
			html.Td(bar(float64(n), float64(most), shown+": "+strconv.Itoa(n))), html.Td(html.Class("number"), n)))
	}
	if len(rows) == 0 {
		return nil
	}
	var rest html.Node
	if more := len(names) - maxShares; more > 0 {
		rest = html.P(html.Class("hint"), "and ", more, " more")
	}
	return html.Section(html.H3(title), html.Table(html.El("caption", html.Class("visually-hidden"), title), html.Tbody(rows)), rest)
}

// ofMachine refuses what is about the whole machine to everybody but who came in by a link.
func (v *visit) ofMachine() error {
	if _, token := access.From(v.context()); token || v.site.o.Machine == nil {
		return memory.Errorf(memory.CodeForbidden, "that is for whoever runs the program on its own machine").
			WithHint("`mcp-memory doctor` and `mcp-memory backup` do it there")
	}
	return nil
}

// examine runs Machine.Examine. A second visitor waits until the run of the first has ended.
func (s *Site) examine(v *visit) (answer, error) {
	if err := v.ofMachine(); err != nil {
		return nil, err
	}
	s.examined.work.Lock()
	defer s.examined.work.Unlock()
	found := s.o.Machine.Examine(v.context())
	if err := v.context().Err(); err != nil {
		return nil, err // findings of an interrupted check would look like damage
	}
	s.examined.keep(s.o.Clock.Now(), found)
	worst := "all is well"
	for _, f := range found {
		if f.Condition == memory.ConditionBroken {
			worst = "something is broken"
			break
		}
		if f.Condition == memory.ConditionWarning {
			worst = "there are warnings"
		}
	}
	return v.done(Root+"/health", "Looked through: "+worst+".", "")
}

// backup makes a backup.
func (s *Site) backup(v *visit) (answer, error) {
	if err := v.ofMachine(); err != nil {
		return nil, err
	}
	name, err := s.o.Machine.Backup(v.context())
	if err != nil {
		return nil, err
	}
	return v.done(Root+"/health", "Backed up, read again and checked: "+name, "")
}
