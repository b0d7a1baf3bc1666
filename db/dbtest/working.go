package dbtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

var workingTests = map[string]func(*testing.T, *env){
	"window":                windowRoundTrip,
	"the latest window":     latestWindow,
	"idle sessions":         idleSessions,
	"turns of a session":    turnsOfSession,
	"set aside":             setAside,
	"position of a turn":    positions,
	"events":                events,
	"jobs":                  jobs,
	"one claims a job":      oneClaims,
	"state":                 states,
	"stays inside the bank": workingStaysInside,
	"error writes nothing":  workingFails,
}

func windowRoundTrip(t *testing.T, e *env) {
	read := func() *memory.Window {
		t.Helper()
		w, err := e.Window(t.Context(), agent, "s")
		if err != nil {
			t.Fatal(err)
		}
		e.write(t, func(tx memory.Tx) error {
			inside, err := tx.Window("s")
			if !reflect.DeepEqual(inside, w) {
				t.Errorf("inside %+v, outside %+v", inside, w)
			}
			return err
		})
		return w
	}
	e.say(t, e.turn("a"), e.turn("b"))
	if w := read(); w != nil {
		t.Errorf("turns alone make a window: %+v", w)
	}
	want := memory.Window{
		Agent: agent, Session: "s", Project: "p", Model: "m — 🌕", Total: 200_000, Reserve: 4096, Flushed: 7, Compacted: 5,
		Summary: "Said.", SummaryTokens: 2, ReplacedTokens: 300, Version: 1 << 40, LastCompaction: day(1), UpdatedAt: day(2),
	}
	for _, w := range []memory.Window{want, {Agent: agent, Session: "s", UpdatedAt: day(3)}} {
		w.Turns = 99 // the store counts them itself
		e.write(t, func(tx memory.Tx) error { return tx.PutWindow(w) })
		w.Turns = 2
		if got := read(); !reflect.DeepEqual(got, &w) {
			t.Errorf("got  %+v\nwant %+v", got, w)
		}
	}
	e.reopen(t, Fingerprint)
	e.say(t, e.turn("c"), e.turn("elsewhere", func(t *memory.Turn) { t.Session = "other" }))
	if w := read(); w.Turns != 3 {
		t.Errorf("%d turns, want 3", w.Turns)
	}
	e.write(t, func(tx memory.Tx) error { return tx.PutWindow(memory.Window{Agent: agent, Session: "silent"}) })
	if w, err := e.Window(t.Context(), agent, "silent"); err != nil || w.Turns != 0 {
		t.Errorf("a session without turns: %+v, %v", w, err)
	}
}

func turnsOfSession(t *testing.T, e *env) {
	var want []memory.Turn
	for i := range 6 {
		turn := e.turn(fmt.Sprint("a", i), func(t *memory.Turn) { t.Session, t.Index = "a", i })
		if i%2 == 1 {
			turn.Details, turn.ArchivedAt = &memory.TurnDetails{Tokens: i}, day(i)
		}
		want = append(want, turn)
		e.say(t, turn, e.turn("b", func(t *memory.Turn) { t.Session = "b" }))
	}
	e.say(t, e.turn("of bob", func(t *memory.Turn) { t.Agent, t.Session = "bob", "a" }))
	for _, c := range []struct{ from, to int }{{0, 0}, {0, 6}, {0, 3}, {2, 4}, {3, 0}, {4, 100}, {3, 3}, {6, 0}, {-1, 2}} {
		from, to := max(0, c.from), min(c.to, len(want))
		if c.to == 0 {
			to = len(want)
		}
		got, err := e.Turns(t.Context(), agent, "a", c.from, c.to)
		if err != nil || len(got) != to-from || len(got) > 0 && !reflect.DeepEqual(got, want[from:to]) {
			t.Errorf("from %d to %d: %s, %v", c.from, c.to, asJSON(got), err)
		}
	}
	for _, session := range []string{"c", ""} {
		if got, err := e.Turns(t.Context(), agent, session, 0, 0); len(got) != 0 || err != nil {
			t.Errorf("of session %q: %v, %v", session, got, err)
		}
	}
}

// unarchived returns the contents of the first turns that are not archived, and how many there are
// in all.
func (e *env) unarchived(t *testing.T, limit int) (contents []string, total int) {
	t.Helper()
	turns, total, err := e.UnarchivedTurns(t.Context(), agent, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range turns {
		contents = append(contents, turn.Content)
	}
	return contents, total
}

func setAside(t *testing.T, e *env) {
	turns := map[string]memory.Turn{}
	for i, name := range []string{"third", "first", "second", "fourth", "fifth"} {
		turns[name] = e.turn(name, func(t *memory.Turn) {
			t.SaidAt, t.Session = day([]int{3, 1, 2, 4, 4}[i]), fmt.Sprint(i%2)
			t.Details = &memory.TurnDetails{Tokens: i}
		})
		e.say(t, turns[name])
	}
	bobs := turns["first"] // the same id in another bank
	bobs.Agent = "bob"
	e.say(t, bobs)
	check := func(what string, limit int, want ...string) {
		t.Helper()
		got, total := e.unarchived(t, limit)
		if len(want) > limit {
			want = want[:limit]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
		if all, _ := e.unarchived(t, 100); total != len(all) {
			t.Errorf("%s: total %d of %d", what, total, len(all))
		}
	}
	archive := func(at time.Time, names ...string) {
		t.Helper()
		ids := []string{"unknown"}
		for _, name := range names {
			ids = append(ids, turns[name].ID)
		}
		before := e.changes(t, agent)
		e.write(t, func(tx memory.Tx) error {
			if n, err := tx.ArchiveTurns(ids, at); err != nil || n != len(names) {
				t.Errorf("%d turns of %d, %v", n, len(names), err)
			}
			return nil
		})
		if after := e.changes(t, agent); after.Writes <= before.Writes || after.Rewrites != before.Rewrites {
			t.Errorf("changes from %+v to %+v", before, after)
		}
	}
	check("at first", 10, "first", "second", "third", "fourth", "fifth")
	check("some", 2, "first", "second")
	check("none", 0)
	archive(day(9), "first", "fourth")
	check("after", 10, "second", "third", "fifth")
	for _, turn := range everyTurn(t, e) {
		want := turns[turn.Content]
		if turn.Content == "first" || turn.Content == "fourth" {
			want.ArchivedAt = day(9)
		}
		if want.Index = turn.Index; !reflect.DeepEqual(turn, want) {
			t.Errorf("got  %s\nwant %s", asJSON(turn), asJSON(want))
		}
	}
	archive(time.Time{}, "first", "second")
	check("back again", 10, "first", "second", "third", "fifth")
	if _, total, err := e.UnarchivedTurns(t.Context(), "bob", 10); total != 1 || err != nil {
		t.Errorf("of bob: %d, %v", total, err)
	}
	hits, err := e.MatchWords(t.Context(), memory.Conversations, memory.Filter{Agent: agent}, []string{"fourth"}, 5)
	if got := e.names(t, memory.Conversations, agent, hits, err); !slices.Equal(got, []string{"fourth"}) {
		t.Errorf("archived turns are still found: %q", got)
	}
}

func positions(t *testing.T, e *env) {
	named := func(session, name string) memory.Turn {
		return e.turn("x", func(t *memory.Turn) { t.Session, t.ExternalID = session, name })
	}
	e.say(t, named("a", ""), named("a", "m1"), named("a", "m2"), named("b", "m2"))
	e.write(t, func(tx memory.Tx) error {
		for _, c := range []struct {
			session, name string
			want          int
		}{{"a", "m1", 1}, {"a", "m2", 2}, {"b", "m2", 0}, {"b", "m1", -1}, {"a", "", -1}, {"c", "m1", -1}} {
			if got, err := tx.TurnPosition(c.session, c.name); got != c.want || err != nil {
				t.Errorf("%+v: %d, %v", c, got, err)
			}
		}
		return nil
	})
}

// event makes an event of the usual agent's session "s", changed by edits.
func (e *env) event(content string, edits ...func(*memory.ContextEvent)) memory.ContextEvent {
	one := memory.ContextEvent{ID: e.ids.New(), Agent: agent, Session: "s", Type: "tool", Content: content, At: e.clock()}
	for _, edit := range edits {
		edit(&one)
	}
	return one
}

func events(t *testing.T, e *env) {
	at := func(n int, name string) func(*memory.ContextEvent) {
		return func(one *memory.ContextEvent) { one.At, one.ExternalID = day(n), name }
	}
	full := e.event("b", at(2, "e/1"), func(one *memory.ContextEvent) { one.GoalID, one.TaskID, one.Tokens = "g", "t", 7 })
	a, c, d := e.event("a", at(1, "")), e.event("c", at(3, "")), e.event("d", at(3, ""))
	elsewhere := e.event("b", at(2, "e/1"), func(one *memory.ContextEvent) { one.Session = "other" })
	insert := func(want int, list ...memory.ContextEvent) {
		t.Helper()
		e.write(t, func(tx memory.Tx) error {
			n, err := tx.InsertEvents(list)
			if n != want {
				t.Errorf("%d stored, want %d", n, want)
			}
			return err
		})
	}
	again := full
	again.ID = e.ids.New()
	insert(5, c, full, again, elsewhere, a, d)
	insert(0, again)
	e.reopen(t, Fingerprint)
	want := []memory.ContextEvent{a, full, c, d}
	for limit := range 6 {
		got, err := e.Events(t.Context(), agent, "s", limit)
		if newest := want[max(0, 4-limit):]; err != nil || asJSON(got) != asJSON(newest) && len(got)+len(newest) > 0 {
			t.Errorf("limit %d: %s, %v", limit, asJSON(got), err)
		}
	}
	if got, err := e.Events(t.Context(), agent, "other", 9); len(got) != 1 || err != nil {
		t.Errorf("of another session: %v, %v", got, err)
	}
}

func (e *env) job(kind, subject string, edits ...func(*memory.Job)) memory.Job {
	j := memory.Job{ID: e.ids.New(), Agent: agent, Kind: kind, Subject: subject, CreatedAt: e.clock(), UpdatedAt: e.clock()}
	for _, edit := range edits {
		edit(&j)
	}
	return j
}

// put stores a job in its agent's bank and returns it.
func (e *env) put(t *testing.T, j memory.Job) memory.Job {
	t.Helper()
	if err := e.Write(t.Context(), j.Agent, func(tx memory.Tx) error { return tx.PutJob(j) }); err != nil {
		t.Fatal(err)
	}
	return j
}

func jobs(t *testing.T, e *env) {
	first := e.put(t, e.job("flush", "s"))
	bobs := e.put(t, e.job("flush", "s", func(j *memory.Job) { j.Agent = "bob" }))
	second := e.put(t, e.job("flush", "a", func(j *memory.Job) {
		j.Step, j.Data, j.Attempts, j.NotBefore = "facts", json.RawMessage(`{"n": [1, "<a>"]}`), 3, day(1)
		j.Holder, j.HeldUntil = "process", day(2)
	}))
	other := e.put(t, e.job("compaction", "s"))
	list := func(who, kind string, want ...memory.Job) {
		t.Helper()
		got, err := e.Jobs(t.Context(), who, kind)
		if err != nil || len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("jobs %q of %q: %s, %v\nwant %s", kind, who, asJSON(got), err, asJSON(want))
		}
	}
	list(agent, "flush", first, second)
	list("bob", "flush", bobs)
	list("", "flush", first, bobs, second)
	list("", "compaction", other)
	list("", "")
	list("nobody", "flush")
	first.Step, first.ID, first.UpdatedAt = "summary", e.ids.New(), day(5)
	e.put(t, first) // replaces the job of that kind and subject
	e.reopen(t, Fingerprint)
	list(agent, "flush", first, second)
	e.write(t, func(tx memory.Tx) error {
		got, err := tx.Job("flush", "a")
		if !reflect.DeepEqual(got, &second) || err != nil {
			t.Errorf("inside: %+v, %v", got, err)
		}
		for _, subject := range []string{"s", "s"} { // the second time there is no such job
			if err := tx.DeleteJob("flush", subject); err != nil {
				return err
			}
		}
		got, err = tx.Job("flush", "s")
		if got != nil {
			t.Errorf("deleted: %+v", got)
		}
		return err
	})
	list("", "flush", bobs, second)
}

// oneClaims lets several stores claim a job that nobody holds: one may succeed.
func oneClaims(t *testing.T, e *env) {
	e.put(t, e.job("flush", "s"))
	stores := []memory.Store{e.Store, e.another(t, Fingerprint)}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var claimed []string
	for i := range 6 {
		wg.Go(func() {
			holder := fmt.Sprint("process ", i)
			err := stores[i%2].Write(t.Context(), agent, func(tx memory.Tx) error {
				j, err := tx.Job("flush", "s")
				if err != nil || j.Holder != "" {
					return err
				}
				j.Holder, j.HeldUntil = holder, day(1)
				mu.Lock()
				claimed = append(claimed, holder)
				mu.Unlock()
				return tx.PutJob(*j)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := e.Jobs(t.Context(), "", "flush")
	if err != nil || len(claimed) != 1 || len(got) != 1 || got[0].Holder != claimed[0] {
		t.Errorf("claimed by %q; %s, %v", claimed, asJSON(got), err)
	}
}

func states(t *testing.T, e *env) {
	check := func(who, key, want string) {
		t.Helper()
		got, err := e.State(t.Context(), who, key)
		if string(got) != want || (got == nil) != (want == "") || err != nil {
			t.Errorf("%s of %s: %s, %v; want %s", key, who, got, err, want)
		}
		err = e.Write(t.Context(), who, func(tx memory.Tx) error {
			inside, err := tx.State(key)
			if !reflect.DeepEqual(inside, got) {
				t.Errorf("inside %s, outside %s", inside, got)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	set := func(key, value string) {
		t.Helper()
		e.write(t, func(tx memory.Tx) error { return tx.SetState(key, json.RawMessage(value)) })
	}
	check(agent, "k", "")
	set("k", `{"a": "<1>"}`)
	set("K", `null`)
	check(agent, "k", `{"a": "<1>"}`)
	check(agent, "K", `null`)
	check("bob", "k", "")
	set("k", `2`)
	e.reopen(t, Fingerprint)
	check(agent, "k", `2`)
	e.write(t, func(tx memory.Tx) error { return tx.SetState("k", nil) })
	e.write(t, func(tx memory.Tx) error { return tx.SetState("k", nil) }) // the state is gone already
	check(agent, "k", "")
	check(agent, "K", `null`)
}

// fillWorking stores one of each sort of working state for an agent.
func fillWorking(e *env, tx memory.Tx, who string) error {
	turn := e.turn("harbour of "+who, func(t *memory.Turn) { t.ID, t.Agent, t.ExternalID = "turn", who, "m" })
	turn.Details = &memory.TurnDetails{ToolCalls: []memory.ToolCall{{Name: "tool", Result: "seen by " + who}}}
	if _, err := tx.InsertTurns([]memory.Turn{turn}, nil); err != nil {
		return err
	}
	if err := tx.PutWindow(memory.Window{Agent: who, Session: "s", Summary: who}); err != nil {
		return err
	}
	one := e.event("of "+who, func(one *memory.ContextEvent) { one.ID, one.Agent, one.ExternalID = "event", who, "m" })
	if _, err := tx.InsertEvents([]memory.ContextEvent{one}); err != nil {
		return err
	}
	if err := tx.PutJob(e.job("flush", "s", func(j *memory.Job) { j.Agent, j.Step = who, who })); err != nil {
		return err
	}
	return tx.SetState("k", json.RawMessage(`"`+who+`"`))
}

// workingState is everything that fillWorking stores.
func workingState(t *testing.T, e *env, who string) string {
	t.Helper()
	var all []any
	note := func(v any, err error) {
		if err != nil {
			t.Error(err)
		}
		all = append(all, v)
	}
	ctx := t.Context()
	for _, session := range []string{"s", "other"} {
		window, err := e.Window(ctx, who, session)
		note(window, err)
		turns, err := e.Turns(ctx, who, session, 0, 0)
		note(turns, err)
		events, err := e.Events(ctx, who, session, 100)
		note(events, err)
	}
	jobs, err := e.Jobs(ctx, who, "flush")
	note(jobs, err)
	state, err := e.State(ctx, who, "k")
	note(state, err)
	turns, total, err := e.UnarchivedTurns(ctx, who, 100)
	note([]any{turns, total}, err)
	return asJSON(all)
}

func workingStaysInside(t *testing.T, e *env) {
	e.write(t, func(tx memory.Tx) error { return fillWorking(e, tx, agent) })
	before, nobody := workingState(t, e, agent), workingState(t, e, "nobody")
	if before == nobody {
		t.Fatal("nothing was stored")
	}
	if of := workingState(t, e, "bob"); of != nobody {
		t.Errorf("bob sees %s", of)
	}
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		if w, err := tx.Window("s"); w != nil || err != nil {
			t.Errorf("window: %v, %v", w, err)
		}
		if j, err := tx.Job("flush", "s"); j != nil || err != nil {
			t.Errorf("job: %v, %v", j, err)
		}
		if n, err := tx.TurnPosition("s", "m"); n != -1 || err != nil {
			t.Errorf("position: %d, %v", n, err)
		}
		if _, err := tx.ArchiveTurns([]string{"turn"}, day(1)); err != nil {
			return err
		}
		if err := tx.SetState("k", nil); err != nil {
			return err
		}
		if err := tx.DeleteJob("flush", "s"); err != nil {
			return err
		}
		return fillWorking(e, tx, "bob") // the same ids and names
	})
	if err != nil {
		t.Fatal(err)
	}
	if after := workingState(t, e, agent); after != before {
		t.Errorf("ann's changed\n from %s\n   to %s", before, after)
	}
	for name, fn := range map[string]func(memory.Tx) error{
		"PutWindow":    func(tx memory.Tx) error { return tx.PutWindow(memory.Window{Agent: agent, Session: "s"}) },
		"PutJob":       func(tx memory.Tx) error { return tx.PutJob(e.job("flush", "s")) },
		"InsertEvents": func(tx memory.Tx) error { _, err := tx.InsertEvents([]memory.ContextEvent{e.event("x")}); return err },
		"InsertTurns":  func(tx memory.Tx) error { _, err := tx.InsertTurns([]memory.Turn{e.turn("x")}, nil); return err },
	} {
		if err := e.Write(t.Context(), "bob", fn); err == nil {
			t.Errorf("%s wrote into another bank", name)
		}
	}
	if after := workingState(t, e, agent); after != before {
		t.Errorf("ann's changed\n from %s\n   to %s", before, after)
	}
}

func workingFails(t *testing.T, e *env) {
	before := workingState(t, e, agent)
	err := e.Write(t.Context(), agent, func(tx memory.Tx) error {
		if err := fillWorking(e, tx, agent); err != nil {
			return err
		}
		return errFails
	})
	if after := workingState(t, e, agent); err != errFails || after != before {
		t.Errorf("%v; from %s\n   to %s", err, before, after)
	}
}
