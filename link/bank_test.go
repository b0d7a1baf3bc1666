package link_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

const (
	ann = "ann" // asks and receives
	bob = "bob" // is asked and shares
	eve = "eve" // has nothing to do with it
)

// world is a database with the banks of some agents and a clock that moves
// when it is told to.
type world struct {
	*process
	t     testing.TB
	dir   string
	moved testbank.Clock
}

var start = testbank.Start

// process is what one process has: its own handles and services.
type process struct {
	*link.Service
	remember *remember.Service
	store    memory.Store
	ids      *memory.IDs
	queued   atomic.Int32 // by links
}

func newWorld(t testing.TB, edits ...func(*link.Options)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.process = w.newProcess(edits...)
	for _, agent := range []string{ann, bob, eve} {
		w.save(agent, remember.SaveRequest{Content: "I am " + agent + "."})
	}
	return w
}

func (w *world) clock() time.Time { return w.moved.Now() }

func (w *world) later(d time.Duration) { w.moved.Pass(d) }

// newProcess starts a process of its own over the same file.
func (w *world) newProcess(edits ...func(*link.Options)) *process {
	return w.processWith(embed.NewBuiltin(), edits...)
}

func (w *world) processWith(embedder memory.Embedder, edits ...func(*link.Options)) *process {
	w.t.Helper()
	bank := testbank.New(w.t, testbank.Options{Dir: w.dir, Embedder: embedder, Clock: w.clock})
	p := &process{remember: bank.Remember, store: bank.Store, ids: bank.IDs}
	o := bank.LinkOptions()
	o.Queued = func() { p.queued.Add(1) }
	for _, edit := range edits {
		edit(&o)
	}
	p.Service = link.New(o)
	return p
}

func (w *world) save(agent string, r remember.SaveRequest) string {
	w.t.Helper()
	r.Quiet = true
	saved, err := w.remember.Save(w.t.Context(), memory.Scope{Agent: agent}, r)
	if err != nil {
		w.t.Fatal(err)
	}
	return saved.ID
}

func (w *world) say(agent, content string) string {
	w.t.Helper()
	return w.save(agent, remember.SaveRequest{Content: content})
}

// correct changes what a record says.
func (w *world) correct(agent, id, content string) string {
	w.t.Helper()
	r, err := w.remember.Update(w.t.Context(), memory.Scope{Agent: agent}, remember.UpdateRequest{ID: id, Content: &content})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.ID
}

func (w *world) forget(agent string, f remember.ForgetRequest) remember.ForgetResult {
	w.t.Helper()
	r, err := w.remember.Forget(w.t.Context(), memory.Scope{Agent: agent}, f)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// ask lets ann ask bob.
func (w *world) ask(p link.Part) memory.Link {
	w.t.Helper()
	l, err := w.Request(w.t.Context(), ann, link.Request{Agent: bob, Part: p})
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

func (w *world) share(o link.Offer) link.Shared {
	w.t.Helper()
	shared, err := w.Share(w.t.Context(), bob, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return shared
}

// link asks and shares.
func (w *world) link(asked, offered link.Part) link.Shared {
	w.t.Helper()
	return w.share(link.Offer{LinkID: w.ask(asked).ID, Part: offered})
}

// records are all of a bank, in order.
func (w *world) records(agent string) []memory.Record {
	w.t.Helper()
	var all []memory.Record
	err := w.store.EachRecord(w.t.Context(), agent, func(r memory.Record) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// linked are the live records of an agent that came by a link.
func (w *world) linked(agent string) []memory.Record {
	w.t.Helper()
	return slices.DeleteFunc(w.records(agent), func(r memory.Record) bool { return r.Source != memory.SourceLink || !r.Live() })
}

// contents are what live linked records say, sorted.
func (w *world) contents(agent string) []string {
	w.t.Helper()
	var all []string
	for _, r := range w.linked(agent) {
		all = append(all, r.Content)
	}
	slices.Sort(all)
	return all
}

func (w *world) wantContents(agent string, want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.contents(agent); !slices.Equal(got, want) {
		w.t.Errorf("%s got\n%q, want\n%q", agent, got, want)
	}
}

// audits are the actions in a bank's log, oldest first, with actor and stage.
func (w *world) audits(agent string) []string {
	w.t.Helper()
	entries, err := w.store.AuditLog(w.t.Context(), agent, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range slices.Backward(entries) {
		stage := ""
		for _, s := range []string{"begun", "done", "failed"} {
			if strings.Contains(string(e.Details), `"stage":"`+s+`"`) {
				stage = " " + s
			}
		}
		out = append(out, e.Actor+" "+e.Action+stage)
	}
	return out
}

func wantCode(t testing.TB, err error, code memory.Code, mentions string) {
	t.Helper()
	if memory.CodeOf(err) != code || err != nil && !strings.Contains(err.Error(), mentions) {
		t.Errorf("error %v, want %s that mentions %q", err, code, mentions)
	}
}
