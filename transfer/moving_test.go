package transfer_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
	"mcp-memory/transfer"
	"mcp-memory/transfer/moving"
)

// movable is a bank of which every table has something.
func movable(t *testing.T) *bank {
	t.Helper()
	b := fullBankOf(t, false)
	id := b.records(t, "anna")[0].ID
	link := memory.Link{ID: "l1", To: "anna", From: "boris", Message: "may I?", Status: memory.LinkPending, RequestedAt: start,
		ExpiresAt: start.Add(time.Hour)}
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		return errors.Join(
			tx.KeepResult("memory_save", "k", json.RawMessage(`{"a":1}`)),
			tx.KeepUndo(memory.Undo{ID: "u1", Action: "memory_forget", Records: []string{id}, At: start}),
			tx.PutWindow(memory.Window{Agent: "anna", Session: "s1", Model: "m", Total: 100}),
			tx.PutJob(memory.Job{Agent: "anna", Kind: "compaction", Subject: "s1", ID: "j", Step: "flush", CreatedAt: start,
				UpdatedAt: start}),
			tx.SetState("some", json.RawMessage(`[1]`)),
			tx.InsertLink(link), tx.NoteOrigin(id, "l1", "boris", "original"),
			tx.Audit(memory.AuditEntry{Agent: "anna", Actor: "anna", Action: "link.request", Subject: "l1", At: start}),
			tx.NoteErased(memory.Record{Agent: "anna", Kind: memory.KindFact, Content: "gone"}, start),
		)
	})
	if err == nil {
		err = b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
			_,
				err := tx.InsertEvents([]memory.ContextEvent{{ID: "e1", Agent: "anna", Session: "s1", Type: "note", Content: "x",
				At: start}})
			return err
		})
	}
	told := memory.Told{ID: "told1", Via: "memory_recall", Query: "what?", Results: []memory.ToldResult{{ID: id, Score: 0.5}}, At: start}
	done := memory.Action{ID: "a1", Session: "s1", At: start, Kind: memory.ActionEdit, Text: "/barn/roof.go", Outcome: memory.OutcomeOK,
		Took: time.Second, Hunks: "0123abcd"}
	_, acted := b.store.(memory.ActionLog).NoteActions(t.Context(), "anna", []memory.Action{done})
	err = errors.Join(err, acted, b.store.(memory.ToldLog).NoteTold(t.Context(), "anna", []memory.Told{told}),
		b.store.Reinforce(t.Context(), "anna", "s1", []string{id}, start),
		b.store.InsertToken(t.Context(),
			memory.Token{Agent: "anna", ID: "t1", Hash: []byte("0123456789abcdef0123456789abcdef"), CreatedAt: start}),
		b.store.InsertToken(t.Context(),
			memory.Token{Agent: "carl", ID: "t2", Hash: []byte("1123456789abcdef0123456789abcdef"), CreatedAt: start}),
		b.store.Write(t.Context(), "dora", func(tx memory.Tx) error { return tx.InsertRecord(plainFact("dora", "Dora sails."), nil) }),
		b.store.Write(t.Context(), "dora", func(tx memory.Tx) error { return tx.EraseBank() }),
		b.store.Write(t.Context(), "emil", func(tx memory.Tx) error { return tx.InsertRecord(plainFact("emil", "Emil sails."), nil) }))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func plainFact(agent, content string) memory.Record {
	return memory.Record{ID: agent + "-1", Agent: agent, Kind: memory.KindFact, Content: content, Source: memory.SourceUser,
		CreatedAt: start, Confirmations: 1}
}

// openAt opens another database.
func openAt(t *testing.T, url string) memory.Store {
	t.Helper()
	s, err := backend.Open(t.Context(), url, sqlite.Options{Embedder: embed.NewBuiltin().Fingerprint(), Clock: func() time.Time { return start }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mover(s memory.Store) memory.Mover { return s.(memory.Mover) }

func mustCopy(t *testing.T, from, to memory.Store) moving.Report {
	t.Helper()
	r, err := moving.Copy(t.Context(), moving.Options{From: mover(from), To: mover(to)})
	if err != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.SumFrom != r.SumTo || r.Banks != r.Copied+r.Already {
		t.Errorf("%+v", r)
	}
	return r
}

// exportOf is the bundle of a bank in a store.
func exportOf(t *testing.T, b *bank, s memory.Store, agent string) string {
	t.Helper()
	deps := b.Deps
	deps.Store = s
	var text strings.Builder
	if _, err := transfer.Export(t.Context(), deps, agent, &text, nil); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestCopyThereAndBack: of every table something, to a file and back to what the suite runs on.
func TestCopyThereAndBack(t *testing.T) {
	b := movable(t)
	path := filepath.Join(t.TempDir(), "memory.db")
	there, back := openAt(t, path), openAt(t, backend.Database(t.TempDir(), "back"))
	first := mustCopy(t, b.store, there)
	for _, table := range mover(there).Carried() {
		if first.Rows[table.Name] == 0 {
			t.Errorf("nothing of %s", table.Name)
		}
	}
	if first.Banks != 4 || first.Copied != 4 {
		t.Errorf("%+v", first)
	}
	mustCopy(t, there, back)
	for _, s := range []memory.Store{there, back} {
		for _, agent := range []string{"anna", "emil"} {
			got, want := strings.SplitAfter(exportOf(t, b, s, agent), "\n"), strings.SplitAfter(exportOf(t, b, b.store, agent), "\n")
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("the bundle of %s differs, %d of %d lines\n%v\n%v", agent, len(got), len(want),
						got[min(i, len(got)-1)], want[i])
				}
			}
		}
		for _, c := range memory.Corpora() {
			here, err := b.store.Vocabulary(t.Context(), c, "anna")
			theirs, err2 := s.Vocabulary(t.Context(), c, "anna")
			slices.Sort(here)
			slices.Sort(theirs)
			if err != nil || err2 != nil || len(here) == 0 || !slices.Equal(here, theirs) {
				t.Errorf("%s: %d terms, %d there; %v, %v", c, len(here), len(theirs), err, err2)
			}
		}
		hits, err := s.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: "anna"}, []string{"oboe"}, 10)
		if err != nil || len(hits) == 0 {
			t.Errorf("nothing is found: %v", err)
		}
		stats, err := s.Stats(t.Context(), "anna")
		if err != nil || stats.VectorsQueued != first.Rows["records"]-1+first.Rows["turns"] {
			t.Errorf("%+v, %v", stats, err)
		}
		if token, err := s.TokenByHash(t.Context(), []byte("1123456789abcdef0123456789abcdef")); err != nil || token.Agent != "carl" {
			t.Errorf("%+v, %v", token, err)
		}
	}
	if r := mustCopy(t, b.store, there); r.Written != 0 || r.Already != 4 {
		t.Errorf("once more: %+v", r)
	}
	// What is saved afterwards gets numbers that nothing had.
	err := there.Write(t.Context(), "anna", func(tx memory.Tx) error { return tx.InsertRecord(plainFact("anna", "New."), nil) })
	if err != nil {
		t.Fatal(err)
	}
	there.Close()
	if _, err := sqlite.Verify(t.Context(), path); err != nil {
		t.Errorf("the copy: %v", err)
	}
}

// ending fails at one transaction, before it or after it was committed.
type ending struct {
	memory.Mover
	left  int
	after bool
}

var errEnded = errors.New("ended")

func (e *ending) Receive(ctx context.Context, agent, table string, rows []memory.CarriedRow, mark json.RawMessage) error {
	e.left--
	if e.left == 0 && !e.after {
		return errEnded
	}
	if err := e.Mover.Receive(ctx, agent, table, rows, mark); err != nil || e.left != 0 {
		return err
	}
	return errEnded
}

// TestCopyGoesOn ends a copy after each of its transactions and runs it again.
func TestCopyGoesOn(t *testing.T) {
	b := movable(t)
	want := exportOf(t, b, b.store, "anna")
	total, ended := mustCopy(t, b.store, openAt(t, backend.Database(t.TempDir(), "whole"))).Written, 0
	for n := 1; ; n += 9 {
		to := openAt(t, backend.Database(t.TempDir(), "copy"))
		part, err := moving.Copy(t.Context(), moving.Options{From: mover(b.store), To: &ending{mover(to), n, n%2 == 1}})
		if err == nil {
			break
		}
		if !errors.Is(err, errEnded) {
			t.Fatal(err)
		}
		ended++
		rest := mustCopy(t, b.store, to)
		if exportOf(t, b, to, "anna") != want {
			t.Errorf("ended at %d: the bundle differs", n)
		}
		if n%2 == 0 && part.Written+rest.Written != total {
			t.Errorf("ended at %d: %d and %d rows of %d", n, part.Written, rest.Written, total)
		}
		to.Close()
	}
	if ended < 4 {
		t.Errorf("ended %d times only", ended)
	}
}

// TestCopyOfWhatChanges: a copy that was ended begins a bank anew that was written to
// since, and one that nobody used is brought up to date.
func TestCopyOfWhatChanges(t *testing.T) {
	b := movable(t)
	to := openAt(t, backend.Database(t.TempDir(), "copy"))
	if _, err := moving.Copy(t.Context(),
		moving.Options{From: mover(b.store), To: &ending{mover(to), 7, true}}); !errors.Is(err, errEnded) {
		t.Fatal(err)
	}
	for i, content := range []string{"Anna has a boat.", "Anna sold the boat."} {
		b.mustLoad(t, transfer.Facts, `{"content":"`+content+`"}`)
		r := mustCopy(t, b.store, to)
		if r.Copied == 0 || r.Replaced != i {
			t.Errorf("%+v", r)
		}
		if exportOf(t, b, to, "anna") != exportOf(t, b, b.store, "anna") {
			t.Error("the bundle differs")
		}
	}
	// Somebody uses it: it is its own bank from now on.
	err := to.Write(t.Context(), "anna", func(tx memory.Tx) error { return tx.InsertRecord(plainFact("anna", "New."), nil) })
	if err != nil {
		t.Fatal(err)
	}
	b.mustLoad(t, transfer.Facts, `{"content":"Anna bought it back."}`)
	before := exportOf(t, b, to, "anna")
	_, err = moving.Copy(t.Context(), moving.Options{From: mover(b.store), To: mover(to)})
	if memory.CodeOf(err) != memory.CodeConflict || !strings.Contains(err.Error(), "anna") || exportOf(t, b, to, "anna") != before {
		t.Errorf("%v", err)
	}
}

func TestCopyRefused(t *testing.T) {
	b := movable(t)
	if _, err := moving.Copy(t.Context(),
		moving.Options{From: mover(b.store), To: mover(b.store)}); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("to itself: %v", err)
	}
	to := openAt(t, backend.Database(t.TempDir(), "copy"))
	o := moving.Options{From: mover(b.store), To: mover(to), Agents: []string{"nobody"}}
	if _, err := moving.Copy(t.Context(), o); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("of nobody: %v", err)
	}
	err := b.store.Write(t.Context(), "emil", func(tx memory.Tx) error {
		r := plainFact("emil", "Emil sank.")
		r.ID, r.ExternalID, r.Damaged = "sunk", "boat", true
		return tx.InsertRecord(r, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	o.Agents = []string{"emil"}
	r, err := moving.Copy(t.Context(), o)
	if memory.CodeOf(err) != memory.CodeUnavailable || len(r.Bad) != 1 || !strings.HasPrefix(r.Bad[0], "record sunk of emil: ") ||
		r.Written != 0 {
		t.Errorf("damaged: %+v, %v", r, err)
	}
	o.SkipBad = true
	r, err = moving.Copy(t.Context(), o)
	if err != nil || r.Skipped != 1 || r.Rows["records"] != 1 || r.Rows["record_names"] != 0 || r.Banks != 1 {
		t.Errorf("damaged: %+v, %v", r, err)
	}
	agents, err := to.Agents(t.Context())
	if err != nil || !slices.Equal(agents, []string{"emil"}) {
		t.Errorf("%v, %v", agents, err)
	}
}
