package contextwindow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// appends is a store that notes how many turns each report added.
type appends struct {
	contextwindow.Store
	turns []int
}

func (a *appends) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	return a.Store.Write(ctx, agent, func(tx memory.Tx) error {
		counted := &appendTx{Tx: tx}
		err := fn(counted)
		if counted.turns > 0 {
			a.turns = append(a.turns, counted.turns)
		}
		return err
	})
}

type appendTx struct {
	memory.Tx
	turns int
}

func (tx *appendTx) InsertTurns(turns []memory.Turn, vectors [][]float32) (int, error) {
	tx.turns += len(turns)
	return tx.Tx.InsertTurns(turns, vectors)
}

func replayed(session, content string) memory.Turn {
	return memory.Turn{Session: session, Role: memory.RoleUser, Content: content}
}

// TestReplayReports: a report ends with its session, after twenty turns, and
// before 8 KiB of text are exceeded.
func TestReplayReports(t *testing.T) {
	half := strings.Repeat("x ", 2<<10)
	thought := replayed("a", "x")
	thought.Details = &memory.TurnDetails{Thinking: half + half}
	many := make([]memory.Turn, 45)
	for i := range many {
		many[i] = replayed("a", fmt.Sprintf("turn %d", i))
	}
	for name, c := range map[string]struct {
		turns []memory.Turn
		want  []int
	}{
		"none":     {nil, nil},
		"many":     {many, []int{20, 20, 5}},
		"sessions": {[]memory.Turn{replayed("a", "1"), replayed("a", "2"), replayed("b", "3"), replayed("a", "4")}, []int{2, 1, 1}},
		"8 KiB":    {[]memory.Turn{replayed("a", half), replayed("a", half), replayed("a", "y")}, []int{2, 1}},
		"thinking": {[]memory.Turn{replayed("a", "y"), thought}, []int{1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			noted := &appends{Store: b.store}
			r := b.service(func(o *contextwindow.Options) { o.Store, o.Settings.Total = noted, 100_000 }).
				Replay(contextwindow.ReplayRequest{Scope: anna})
			for _, turn := range c.turns {
				if err := r.Add(t.Context(), turn); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := r.Finish(t.Context(), time.Minute); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(noted.turns) != fmt.Sprint(c.want) {
				t.Errorf("reports of %v turns, want %v", noted.turns, c.want)
			}
		})
	}
}

// TestReplayIsToldWhole: what the reports of a session came to is one result.
func TestReplayIsToldWhole(t *testing.T) {
	b := newBank(t, byTokens)
	r := b.Replay(contextwindow.ReplayRequest{Scope: anna, Session: "one", Total: 8000})
	for i := range 100 {
		if err := r.Add(t.Context(), replayed(fmt.Sprint(i%2), filler(i, 60).Content)); err != nil {
			t.Fatal(err)
		}
	}
	done, err := r.Finish(t.Context(), time.Minute)
	if err != nil || len(done.Sessions) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	one := done.Sessions[0]
	if one.Session != "one" || one.Appended != 100 || len(one.Classifications) != 100 || len(one.FactsSaved) != len(b.facts()) ||
		len(b.facts()) == 0 {
		t.Errorf("%d appended, %d classified, %d of %d facts in session %q", one.Appended, len(one.Classifications), len(one.FactsSaved),
			len(b.facts()), one.Session)
	}
	if done.Compactions == 0 || done.Flushes == 0 || one.Summary == "" || len(one.Messages) == 0 || len(one.Messages) == 100 {
		t.Errorf("%d flushes, %d compactions, summary %q, %d messages", done.Flushes, done.Compactions, one.Summary, len(one.Messages))
	}
}

// TestReplayWaits: what a slow model compacts counts too.
func TestReplayWaits(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = append([]memory.Summarizer{slow}, o.Summarizers...) })
	r := b.Replay(contextwindow.ReplayRequest{Scope: anna, Session: "one", Total: 2900})
	for i := range 20 {
		if err := r.Add(t.Context(), replayed("", filler(i, 90).Content)); err != nil {
			t.Fatal(err)
		}
	}
	time.AfterFunc(100*time.Millisecond, func() { close(slow.wait) }) // it cannot be done before
	done, err := r.Finish(t.Context(), time.Minute)
	if err != nil || done.Compactions != 1 || len(done.Sessions) != 1 || done.Sessions[0].Summary == "" {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestReplayRefuses(t *testing.T) {
	r := newBank(t).Replay(contextwindow.ReplayRequest{Scope: anna})
	wantCode(t, r.Add(t.Context(), replayed("", "Hello")), memory.CodeInvalidArgument)
	wantCode(t, r.Check(replayed("a", strings.Repeat("x", memory.MaxTurnBytes+1))), memory.CodeTooLarge)
	if err := r.Check(replayed("a", "Hello")); err != nil {
		t.Error(err)
	}
}

// TestWaitUpTo: late work is no error, the end of the caller is.
func TestWaitUpTo(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = append([]memory.Summarizer{slow}, o.Summarizers...) })
	defer close(slow.wait)
	for i := 0; i < 100 && pending(b) == 0; i++ {
		b.append(filler(i, 60))
	}
	if err := b.WaitUpTo(t.Context(), time.Millisecond); err != nil {
		t.Errorf("late work is an error: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := b.WaitUpTo(ended, time.Hour); err == nil {
		t.Error("the caller has ended, but that is no error")
	}
}

// pending is how many jobs of the session wait.
func pending(b *bank) int {
	if turns, err := b.store.Turns(b.t.Context(), anna.Agent, session, 0, 1); err != nil || len(turns) == 0 {
		return 0
	}
	return b.status().PendingJobs
}
