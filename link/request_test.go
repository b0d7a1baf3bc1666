package link_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
)

func TestRequestWaitsForAnAnswer(t *testing.T) {
	w := newWorld(t)
	l, err := w.Request(t.Context(), ann, link.Request{
		Agent: " bob ", Message: "May I?",
		Part: link.Part{Kinds: []memory.Kind{"fact", "fact"}, Categories: []string{"Goal", "goal"}, Since: start},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := memory.Link{
		ID: l.ID, To: ann, From: bob, Message: "May I?", Kinds: []memory.Kind{"fact"}, Categories: []string{"goal"}, Since: start,
		Status: memory.LinkPending, RequestedAt: start, ExpiresAt: start.Add(2 * time.Minute),
	}
	if !reflect.DeepEqual(l, want) {
		t.Errorf("got %+v, want %+v", l, want)
	}
	w.later(time.Minute)
	again, err := w.Request(t.Context(), ann, link.Request{Agent: bob, Message: "Please!"})
	if err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	for agent, sees := range map[string][2]int{ann: {1, 0}, bob: {1, 1}, eve: {0, 0}} {
		pending, err := w.Pending(t.Context(), agent)
		if err != nil || len(pending) != sees[0] {
			t.Errorf("%s has %d pending, %v", agent, len(pending), err)
		}
		waiting, err := w.Waiting(t.Context(), agent)
		if err != nil || len(waiting) != sees[1] {
			t.Errorf("%s is waited for by %d, %v", agent, len(waiting), err)
		}
	}
	if got, want := w.audits(ann), []string{"ann link.request"}; !slices.Equal(got, want) {
		t.Errorf("ann's log %q", got)
	}
	if got, want := w.audits(bob), []string{"ann link.request begun", "ann link.request done"}; !slices.Equal(got, want) {
		t.Errorf("bob's log %q", got)
	}
}

func TestBadRequests(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		r        link.Request
		code     memory.Code
		mentions string
	}{
		"nobody":        {link.Request{}, memory.CodeInvalidArgument, "agent is missing"},
		"oneself":       {link.Request{Agent: ann}, memory.CodeInvalidArgument, "yourself"},
		"unknown":       {link.Request{Agent: "mallory"}, memory.CodeNotFound, "mallory"},
		"other letters": {link.Request{Agent: "Bob"}, memory.CodeNotFound, "Bob"},
		"no text":       {link.Request{Agent: bob, Message: "a\x00"}, memory.CodeInvalidArgument, "message"},
		"a long message": {link.Request{Agent: bob, Message: strings.Repeat("x", memory.MaxContentBytes+1)},
			memory.CodeTooLarge, "message"},
		"a long name":  {link.Request{Agent: strings.Repeat("x", 999)}, memory.CodeTooLarge, "agent"},
		"unknown kind": {link.Request{Agent: bob, Part: link.Part{Kinds: []memory.Kind{"dream"}}}, memory.CodeInvalidArgument, "dream"},
		"no category": {link.Request{Agent: bob, Part: link.Part{Categories: []string{"a/b"}}}, memory.CodeInvalidArgument,
			"category"},
		"far too many":     {link.Request{Agent: bob, Part: link.Part{Categories: categories(65)}}, memory.CodeTooLarge, "categories"},
		"a name in quotes": {link.Request{Agent: "bob' OR '1'='1"}, memory.CodeNotFound, "OR"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Request(t.Context(), ann, c.r)
			wantCode(t, err, c.code, c.mentions)
		})
	}
	for _, agent := range []string{ann, bob, eve} {
		links, err := w.store.Links(t.Context(), agent, 10)
		if err != nil || len(links) != 0 || len(w.audits(agent)) != 0 {
			t.Errorf("%s has %v and %q, %v", agent, links, w.audits(agent), err)
		}
	}
}

func categories(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("c", i)
	}
	return list
}

// decisions are the ways to end a request, with what each leaves.
var decisions = map[string]struct {
	by     string
	do     func(w *world, agent, id string) error
	status memory.LinkStatus
}{
	"share": {bob, func(w *world, agent, id string) error {
		_, err := w.Share(w.t.Context(), agent, link.Offer{LinkID: id})
		return err
	}, memory.LinkShared},
	"decline": {bob, func(w *world, agent, id string) error {
		_, err := w.Decline(w.t.Context(), agent, id, "No.")
		return err
	}, memory.LinkDeclined},
	"revoke": {ann, func(w *world, agent, id string) error { _, err := w.Revoke(w.t.Context(), agent, id); return err },
		memory.LinkRevoked},
}

func TestWhoMayDecide(t *testing.T) {
	other := map[string]string{ann: bob, bob: ann}
	for name, d := range decisions {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.ask(link.Part{}).ID
			before := w.records(ann)
			wantCode(t, d.do(w, other[d.by], id), memory.CodeForbidden, id)
			wantCode(t, d.do(w, eve, id), memory.CodeNotFound, id)
			wantCode(t, d.do(w, d.by, "nothing"), memory.CodeNotFound, "nothing")
			wantCode(t, d.do(w, d.by, ""), memory.CodeInvalidArgument, "link_id")
			if l, err := w.Status(t.Context(), bob, id); err != nil || l.Status != memory.LinkPending {
				t.Errorf("status %q, %v", l.Status, err)
			}
			if !reflect.DeepEqual(w.records(ann), before) || len(w.audits(ann)) != 1 || len(w.audits(bob)) != 2 {
				t.Errorf("refusals changed something: %q, %q", w.audits(ann), w.audits(bob))
			}
			w.later(2 * time.Minute) // the last moment
			if err := d.do(w, d.by, id); err != nil {
				t.Fatal(err)
			}
			for again, d := range decisions {
				wantCode(t, d.do(w, d.by, id), memory.CodeConflict, string(decisions[name].status))
				wantCode(t, d.do(w, other[d.by], id), memory.CodeForbidden, id)
				_ = again
			}
			l, err := w.Status(t.Context(), ann, id)
			if err != nil || l.Status != d.status || !l.DecidedAt.Equal(w.clock()) {
				t.Errorf("link %+v, %v", l, err)
			}
			if got, want := w.audits(ann), []string{"ann link.request", d.by + " link." + name}; !slices.Equal(got, want) {
				t.Errorf("ann's log %q, want %q", got, want)
			}
			want := []string{"ann link.request begun", "ann link.request done", d.by + " link." + name + " begun",
				d.by + " link." + name + " done"}
			if got := w.audits(bob); !slices.Equal(got, want) {
				t.Errorf("bob's log %q, want %q", got, want)
			}
			if len(w.audits(eve)) != 0 {
				t.Errorf("eve's log %q", w.audits(eve))
			}
			_, err = w.Status(t.Context(), eve, id)
			wantCode(t, err, memory.CodeNotFound, id)
		})
	}
}

func TestAfterTheWindow(t *testing.T) {
	for name, d := range decisions {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(o *link.Options) { o.Window = time.Hour })
			w.say(bob, "Bob collects stamps.")
			id := w.ask(link.Part{}).ID
			w.later(time.Hour + time.Microsecond)
			before := w.records(ann)
			wantCode(t, d.do(w, d.by, id), memory.CodeExpired, "2026-03-01T13:00:00Z")
			if !reflect.DeepEqual(w.records(ann), before) {
				t.Error("something was copied")
			}
			if waiting, err := w.Waiting(t.Context(), bob); err != nil || len(waiting) != 0 {
				t.Errorf("waits: %v, %v", waiting, err)
			}
			l, err := w.Status(t.Context(), bob, id)
			if err != nil || l.Status != memory.LinkExpired || !l.DecidedAt.Equal(start.Add(time.Hour)) {
				t.Errorf("%+v, %v", l, err)
			}
			wantCode(t, d.do(w, d.by, id), memory.CodeExpired, id)
			if pending, err := w.Pending(t.Context(), ann); err != nil || len(pending) != 0 {
				t.Errorf("pending: %v, %v", pending, err)
			}
			for _, agent := range []string{ann, bob} { // noted once
				if log := w.audits(agent); log[len(log)-1] != " link.expire" || slices.Index(log, " link.expire") != len(log)-1 {
					t.Errorf("%s's log: %q", agent, log)
				}
			}
			if next := w.ask(link.Part{}); next.ID == id || next.Status != memory.LinkPending {
				t.Errorf("asked again: %+v", next)
			}
		})
	}
}

// TestManyRequests: what waits is found behind many links, older and newer.
func TestManyRequests(t *testing.T) {
	w := newWorld(t)
	mine := w.ask(link.Part{})
	for i := range 250 {
		agent := fmt.Sprint("agent", i)
		w.say(agent, "I am.")
		l, err := w.Request(t.Context(), agent, link.Request{Agent: bob})
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if _, err := w.Decline(t.Context(), bob, l.ID, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	waiting, err := w.Waiting(t.Context(), bob)
	if err != nil || len(waiting) != 126 || waiting[125].ID != mine.ID {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	if again := w.ask(link.Part{}); again.ID != mine.ID {
		t.Errorf("a second request %+v", again)
	}
}

// BenchmarkRequest asks where so many requests to others wait.
func BenchmarkRequest(b *testing.B) {
	for _, waiting := range []int{10, 1000, 5000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			w := newWorld(b)
			err := w.store.Write(b.Context(), ann, func(tx memory.Tx) error {
				for i := range waiting {
					l := memory.Link{ID: w.ids.New(), To: ann, From: fmt.Sprint("agent", i), Status: memory.LinkPending,
						RequestedAt: w.clock(), ExpiresAt: w.clock().Add(time.Minute)}
					if err := tx.InsertLink(l); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				l, err := w.Request(b.Context(), ann, link.Request{Agent: bob})
				if err == nil {
					_, err = w.Revoke(b.Context(), ann, l.ID)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
