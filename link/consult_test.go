package link_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"mcp-memory/link"
	"mcp-memory/memory"
)

// patience is how long anything may take before a test gives up on it.
const patience = 20 * time.Second

// user answers questions as a test says.
type user struct {
	mu      sync.Mutex
	away    bool
	asked   []string // links
	decides func(ctx context.Context, l memory.Link) (link.Decision, error)
}

func (u *user) CanAsk() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return !u.away
}

func (u *user) AskToShare(ctx context.Context, l memory.Link) (link.Decision, error) {
	u.mu.Lock()
	u.asked = append(u.asked, l.ID)
	decides := u.decides
	u.mu.Unlock()
	return decides(ctx, l)
}

func (u *user) set(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
}

// questions is what was asked so far.
func (u *user) questions() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.asked
}

// consult puts what ann asks before the user of bob, until the test ends.
func (w *world) consult(u *user) {
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.Consult(ctx, bob, u) }()
	w.t.Cleanup(func() {
		stop()
		select {
		case <-done:
		case <-time.After(patience):
			w.t.Error("consulting does not end")
		}
	})
}

// until waits for a status of a link.
func (w *world) until(id string, status memory.LinkStatus) {
	w.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		l, err := w.Status(w.t.Context(), bob, id)
		if err != nil {
			w.t.Fatal(err)
		}
		if l.Status == status {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("the link is %s, not %s", l.Status, status)
		}
	}
}

func quick(o *link.Options) { o.Poll = time.Millisecond }

func always(d link.Decision, err error) func(context.Context, memory.Link) (link.Decision, error) {
	return func(context.Context, memory.Link) (link.Decision, error) { return d, err }
}

func TestConsult(t *testing.T) {
	for decision, want := range map[link.Decision]memory.LinkStatus{link.Agreed: memory.LinkShared, link.Refused: memory.LinkDeclined} {
		t.Run(string(want), func(t *testing.T) {
			w := newWorld(t, quick)
			u := &user{decides: always(decision, nil)}
			w.consult(u)
			l := w.ask(link.Part{})
			w.until(l.ID, want)
			if asked := u.questions(); len(asked) != 1 || asked[0] != l.ID {
				t.Errorf("asked about %q, want %q once", asked, l.ID)
			}
			if got := len(w.linked(ann)); (got > 0) != (want == memory.LinkShared) {
				t.Errorf("%d records were copied", got)
			}
		})
	}
}

// TestConsultAsksOnce: who closes the question, or cannot be asked, is not
// asked again, and the request waits.
func TestConsultAsksOnce(t *testing.T) {
	for name, decides := range map[string]func(context.Context, memory.Link) (link.Decision, error){
		"closed": always(link.Undecided, nil), "failed": always(link.Agreed, errors.New("the host is busy")),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, quick)
			u := &user{decides: decides}
			w.consult(u)
			first := w.ask(link.Part{})
			for end := time.Now().Add(patience); len(u.questions()) == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("nothing is asked")
				}
			}
			u.set(func() { u.decides = always(link.Refused, nil) })
			if _, err := w.Revoke(t.Context(), ann, first.ID); err != nil { // it was still open
				t.Fatal(err)
			}
			second := w.ask(link.Part{})
			w.until(second.ID, memory.LinkDeclined)
			if asked := u.questions(); len(asked) != 2 {
				t.Errorf("asked %d times about two requests", len(asked))
			}
		})
	}
}

// TestConsultWithdraws: a question that somebody else has answered is taken
// back, and what the user says then counts for nothing.
func TestConsultWithdraws(t *testing.T) {
	w := newWorld(t, quick)
	l := w.ask(link.Part{})
	shown, withdrawn := make(chan struct{}), make(chan struct{})
	w.consult(&user{decides: func(ctx context.Context, _ memory.Link) (link.Decision, error) {
		close(shown)
		select {
		case <-ctx.Done():
			close(withdrawn)
		case <-time.After(patience):
		}
		return link.Agreed, nil
	}})
	for _, step := range []struct {
		name string
		ends chan struct{}
	}{{"the question is not shown", shown}, {"the question is not withdrawn", withdrawn}} {
		select {
		case <-step.ends:
		case <-time.After(patience):
			t.Fatal(step.name)
		}
		if step.ends == shown {
			if _, err := w.Revoke(t.Context(), ann, l.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.until(l.ID, memory.LinkRevoked)
}

// eveAsks lets eve ask bob.
func (w *world) eveAsks() memory.Link {
	w.t.Helper()
	l, err := w.Request(w.t.Context(), eve, link.Request{Agent: bob})
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// TestConsultSkips what a user cannot answer: nobody is asked who is away, nor
// about what has to be named.
func TestConsultSkips(t *testing.T) {
	w := newWorld(t, quick)
	named, plain := w.ask(link.Part{Kinds: []memory.Kind{memory.KindSoul}}), w.eveAsks()
	u := &user{away: true, decides: always(link.Refused, nil)}
	w.consult(u)
	time.Sleep(20 * time.Millisecond) // some looks; a question is wrong at any time
	if asked := u.questions(); len(asked) != 0 {
		t.Errorf("who is away is asked about %q", asked)
	}
	u.set(func() { u.away = false })
	w.until(plain.ID, memory.LinkDeclined)
	if asked := u.questions(); len(asked) != 1 || asked[0] != plain.ID {
		t.Errorf("asked about %q, want only %q and not %q", asked, plain.ID, named.ID)
	}
}

// TestConsultLate: a request whose time is over while the user thinks about
// another is not asked about.
func TestConsultLate(t *testing.T) {
	w := newWorld(t, quick)
	w.ask(link.Part{})
	w.eveAsks()
	late := make(chan struct{})
	u := &user{}
	u.decides = func(context.Context, memory.Link) (link.Decision, error) {
		w.later(2 * link.DefaultWindow)
		u.set(func() { u.decides = always(link.Refused, nil) })
		close(late)
		return link.Undecided, nil
	}
	w.consult(u)
	select {
	case <-late:
	case <-time.After(patience):
		t.Fatal("nothing is asked")
	}
	last := w.ask(link.Part{})
	w.until(last.ID, memory.LinkDeclined)
	if asked := u.questions(); len(asked) != 2 {
		t.Errorf("asked %d times, want about the first and the last of three", len(asked))
	}
}
