package contextwindow_test

import (
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

func flushIdle(t *testing.T, s *contextwindow.Service, want int) {
	t.Helper()
	if n, err := s.FlushIdle(t.Context()); n != want || err != nil {
		t.Fatalf("%d sessions taken up, %v; want %d", n, err, want)
	}
}

func TestIdle(t *testing.T) {
	b := newBank(t)
	b.append(say("My locker is blue."), answer("Noted."))
	flushIdle(t, b.Service, 0)
	b.later(14 * time.Minute)
	b.append(say("My bicycle is red."))
	b.later(14 * time.Minute)
	flushIdle(t, b.Service, 0)
	if len(b.facts()) != 0 {
		t.Fatalf("saved while something was reported: %q", b.facts())
	}
	b.later(2 * time.Minute)
	flushIdle(t, b.service(), 1) // of another process than the one that was told
	if got := b.facts(); len(got) != 2 || b.window().Flushed != 3 {
		t.Fatalf("%q, window %+v", got, b.window())
	}
	flushIdle(t, b.Service, 0)
	if r := b.append(say("My cellar is damp.")); r.Action != contextwindow.ActionFlushed || len(r.FactsSaved) != 2 {
		t.Errorf("the next report does not tell of it: %s, %q", r.Action, r.FactsSaved)
	}
	b.later(contextwindow.LongIdle + time.Minute)
	flushIdle(t, b.Service, 0) // nobody went on with it for a month
}

// TestIdleOff: what keeps no facts at all keeps none of idle sessions.
func TestIdleOff(t *testing.T) {
	for name, edit := range map[string]func(*contextwindow.Settings){
		"by setting":  func(s *contextwindow.Settings) { s.Idle = 0 },
		"only cut":    func(s *contextwindow.Settings) { s.MemoryWindow = 0 },
		"cut by size": func(s *contextwindow.Settings) { s.MemoryWindow, s.Compaction = 0, contextwindow.TriggerMessages },
	} {
		b := newBank(t, func(o *contextwindow.Options) { edit(&o.Settings) })
		b.append(say("My locker is blue."))
		b.later(time.Hour)
		flushIdle(t, b.Service, 0)
		if len(b.facts()) != 0 {
			t.Errorf("%s: %q", name, b.facts())
		}
	}
}

// TestIdleWithModel: nobody waits for a model, and one that fails leaves it to the rules.
func TestIdleWithModel(t *testing.T) {
	model := &rules{remote: true, fail: memory.Errorf(memory.CodeUnavailable, "away")}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{model, &rules{}} })
	b.append(say("My locker is blue."))
	b.later(time.Hour)
	flushIdle(t, b.Service, 1)
	if err := b.Wait(soon(t, patience)); err != nil {
		t.Fatal(err)
	}
	if len(b.facts()) != 1 || model.asked.Load() == 0 {
		t.Errorf("%q, the model was asked %d times", b.facts(), model.asked.Load())
	}
}
