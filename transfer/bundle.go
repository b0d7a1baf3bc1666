package transfer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// bundleLoader imports a bundle, the format that [Export] writes.
type bundleLoader struct {
	deps   Deps
	scope  memory.Scope
	revive bool // [Options.Revive]
	own    bool // [Options.Own]
	erased *erasures
	items  []bundleItem
	header bool
	footer bool
	read   counts // good lines so far, without header and footer
	broken int

	// stored are the ids of the turns that the bank had before the import. They are needed because
	// tx.InsertTurns only recognises turns by their external ids.
	stored idSet
	// archived are the ids of records that are archived in the bundle itself. An archived record of
	// the bank with such an id does not mean that somebody has forgotten its content since. Only
	// the writer uses it.
	archived idSet
	// named are the ids of records of the bundle that have an external id. If a record of the bank
	// has the external id of a bundle's record, the latter is left out, unless that record came
	// from the bundle too. Only the writer uses it.
	named idSet
}

// counts is how many lines of each type there are.
type counts struct{ records, aliases, turns, todos, events, actions int }

func (c counts) sum() int { return c.records + c.aliases + c.turns + c.todos + c.events + c.actions }

func (c counts) String() string {
	return fmt.Sprintf("%d records, %d aliases, %d turns, %d to-dos, %d events and %d actions", c.records, c.aliases, c.turns, c.todos,
		c.events, c.actions)
}

// bundleItem is one line of a bundle. Exactly one of the pointers is set.
type bundleItem struct {
	record *memory.Record
	runs   []memory.ProcedureRun // of the record
	alias  *bundledAlias
	turn   *memory.Turn
	todo   *memory.Todo
	event  *memory.CalendarEvent
	action *memory.Action
	vector []float32 // of a record or turn; nil if it is to be computed later
}

func newBundleLoader(deps Deps, o Options) *bundleLoader {
	return &bundleLoader{
		deps: deps, scope: o.Scope, erased: newErasures(deps.Store, o.Scope.Agent, o.Revive), revive: o.Revive, own: o.Own,
		stored: idSet{}, archived: idSet{}, named: idSet{},
	}
}

func (l *bundleLoader) size() int { return len(l.items) }

func (l *bundleLoader) add(ctx context.Context, text []byte) error {
	if !l.header {
		return l.begin(ctx, text)
	}
	err := l.addLine(text)
	if err != nil {
		l.broken++
	}
	return err
}

// begin reads the header and the ids of the bank's turns. All its errors are fatal.
func (l *bundleLoader) begin(ctx context.Context, text []byte) error {
	var h headerLine
	if err := jsonl.Decode(text, &h); err != nil || h.Type != typeHeader {
		return fatal{memory.Errorf(memory.CodeInvalidArgument, "line 1: the file is not a bundle: it has no header").
			WithHint("a bundle is what export writes; turns and facts are other formats")}
	}
	if h.Version < 1 || h.Version > bundleWithActions {
		return fatal{memory.Errorf(memory.CodeInvalidArgument, "line 1: the bundle has version %d, this program reads up to %d", h.Version,
			bundleWithActions).
			WithHint("update mcp-memory")}
	}
	l.header = true
	err := l.deps.Store.EachTurn(ctx, l.scope.Agent, func(t memory.Turn) error {
		l.stored.add(t.ID)
		return nil
	})
	if err != nil {
		return fatal{err}
	}
	return nil
}

func (l *bundleLoader) addLine(text []byte) error {
	if l.footer {
		return errors.New("something comes after the footer")
	}
	var kind struct {
		Type string `json:"type"`
	}
	if err := jsonl.Decode(text, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case typeRecord:
		return l.addRecord(text)
	case typeAlias:
		return l.addAlias(text)
	case typeTurn:
		return l.addTurn(text)
	case typeTodo:
		return l.addTodo(text)
	case typeEvent:
		return l.addEvent(text)
	case typeAction:
		return l.addAction(text)
	case typeFooter:
		return l.addFooter(text)
	}
	return fmt.Errorf("type %q is not one of record, alias, turn, todo, event, action and footer", kind.Type)
}

func (l *bundleLoader) addRecord(text []byte) error {
	var line recordLine
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	r := line.record(l.scope.Agent).Tidied()
	if r.ID == "" || r.CreatedAt.IsZero() {
		return errors.New("the record has no id or no created_at")
	}
	if err := memory.CheckText("id", r.ID, memory.MaxNameBytes); err != nil {
		return err
	}
	var err error
	if r.Project, err = projectOf(r.Project); err != nil {
		return err
	}
	if r.Category, err = memory.NormalCategory(r.Category); err != nil {
		return err
	}
	if r, err = l.sourced(r); err != nil {
		return err
	}
	checked := r
	checked.ValidUntil = time.Time{} // a record may be superseded before the time from which it was true
	if err := checked.Validate(); err != nil {
		return err
	}
	if r, err = withSafeIDs(r); err != nil {
		return err
	}
	runs, err := line.runs(r.ID)
	if err != nil {
		return err
	}
	l.items = append(l.items, bundleItem{record: &r, runs: runs})
	l.read.records++
	return nil
}

// projectOf normalises the project of a line. It fails for a name that cannot be written to.
func projectOf(name string) (string, error) {
	name, err := memory.NormalProject(name)
	return name, cmp.Or(err, memory.Scope{Project: name}.CheckWritable())
}

// sourced returns a record with source "user" changed to "import", unless [Options.Own] is set.
func (l *bundleLoader) sourced(r memory.Record) (memory.Record, error) {
	if l.own || r.Source != memory.SourceUser {
		return r, nil
	}
	r.Source = memory.SourceImport
	return withOrigin(r, "bundle_source", string(memory.SourceUser))
}

func (l *bundleLoader) addTurn(text []byte) error {
	var line bundledTurn
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	t := line.turn(l.scope.Agent).Tidied()
	if t.ID == "" || t.CreatedAt.IsZero() || t.SaidAt.IsZero() {
		return errors.New("the turn has no id, no said_at or no created_at")
	}
	if err := memory.CheckText("id", t.ID, memory.MaxNameBytes); err != nil {
		return err
	}
	var err error
	if t.Project, err = projectOf(t.Project); err != nil {
		return err
	}
	if err := t.Validate(); err != nil {
		return err
	}
	t.ID = safeID(t.ID)
	l.items = append(l.items, bundleItem{turn: &t})
	l.read.turns++
	return nil
}

func (l *bundleLoader) addFooter(text []byte) error {
	var f footerLine
	if err := jsonl.Decode(text, &f); err != nil {
		return err
	}
	l.footer = true
	want := counts{f.Records, f.Aliases, f.Turns, f.Todos, f.Events, f.Actions}
	excess := l.read.records > want.records || l.read.aliases > want.aliases || l.read.turns > want.turns ||
		l.read.todos > want.todos || l.read.events > want.events || l.read.actions > want.actions
	if excess || l.read.sum()+l.broken != want.sum() {
		return fmt.Errorf("the bundle is damaged: it has %v, its footer says %v", l.read, want)
	}
	return nil
}

func (l *bundleLoader) end() error {
	switch {
	case !l.header:
		return fatal{memory.Errorf(memory.CodeInvalidArgument, "the file is empty, not a bundle").
			WithHint("a bundle is what export writes")}
	case !l.footer:
		return fmt.Errorf("the bundle is truncated: it ends after %v without its footer", l.read)
	}
	return nil
}

// idSet is a set of ids. It stores 16 bytes of each id's hash.
type idSet map[[16]byte]struct{}

func idKey(id string) [16]byte {
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:])
}

func (s idSet) add(id string) { s[idKey(id)] = struct{}{} }

func (s idSet) has(id string) bool {
	_, ok := s[idKey(id)]
	return ok
}
