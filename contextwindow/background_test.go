package contextwindow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// fill appends messages of a sixteenth of the window until an action is taken.
func fill(b *bank, action contextwindow.Action) contextwindow.Result {
	b.t.Helper()
	for i := range 40 {
		if r := b.append(filler(100+i, 100)); r.Action == action {
			return r
		}
	}
	b.t.Fatalf("%s never came", action)
	return contextwindow.Result{}
}

// waitFor waits for what happens in another goroutine.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 2000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("it never happened")
}

func TestBackground(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{slow, &rules{}} })
	r := fill(b, contextwindow.ActionFlushStarted)
	if r.FactsSaved != nil || len(b.facts()) != 0 {
		t.Error("an append has waited for a summarizer that is not local")
	}
	if s := b.status(); s.PendingJobs != 1 || s.Action != contextwindow.ActionFlushStarted {
		t.Errorf("status while it works: %+v", s)
	}
	close(slow.wait)
	waitFor(t, func() bool { return b.window().Flushed > 0 })
	s := b.status()
	if s.Action != contextwindow.ActionFlushed || len(s.FactsSaved) == 0 || s.PendingJobs != 0 {
		t.Errorf("status after it: %+v", s)
	}
	func() {
		slow.gate.Lock()
		defer slow.gate.Unlock()
		if r = b.append(filler(99, 250)); r.Action != contextwindow.ActionCompacting || r.Messages != nil {
			t.Errorf("%s at %.1f %%, %d messages", r.Action, r.Before.Percent, len(r.Messages))
		}
	}()
	waitFor(t, func() bool { return b.window().Compacted > 0 })
	r = b.append(say("next"))
	if r.Action != contextwindow.ActionCompacted || len(r.Messages) < 5 || r.Messages[len(r.Messages)-1].Content != "next" ||
		r.Summary == "" {
		t.Errorf("the next append brings %s, %d messages", r.Action, len(r.Messages))
	}
}

// TestDoneWhileAsked: what is finished while a status is being made is told whole.
func TestDoneWhileAsked(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	var asked atomic.Pointer[func()] // is called when a window has been read
	b := newBank(t, func(o *contextwindow.Options) {
		o.Summarizers = []memory.Summarizer{slow, &rules{}}
		o.Store = afterWindow{o.Store, &asked}
	})
	fill(b, contextwindow.ActionFlushStarted)
	waitFor(t, func() bool { return slow.asked.Load() > 0 }) // and reads no window any more
	asked.Store(new(func() {
		close(slow.wait)
		waitFor(t, func() bool { return b.window().Flushed > 0 })
	}))
	if s := b.status(); s.Action != contextwindow.ActionFlushed || s.Flushed == 0 || len(s.FactsSaved) == 0 {
		t.Errorf("%s with %d turns flushed and %d facts", s.Action, s.Flushed, len(s.FactsSaved))
	}
}

// afterWindow calls a function once a window has been read.
type afterWindow struct {
	contextwindow.Store
	once *atomic.Pointer[func()]
}

func (a afterWindow) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	w, err := a.Store.Window(ctx, agent, session)
	if call := a.once.Swap(nil); call != nil {
		(*call)()
	}
	return w, err
}

// TestOverWhileInBackground: what would pass 100 % is compacted at once, by the
// local summarizer, also if the other is at it.
func TestOverWhileInBackground(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{slow, &rules{}} })
	defer close(slow.wait)
	for i := range 60 {
		r := b.append(filler(i, 120))
		if r.Utilization.Percent > 100 {
			t.Errorf("append %d: %.1f %%", i, r.Utilization.Percent)
		}
	}
	if b.window().Compacted == 0 || len(b.turns()) != 60 {
		t.Errorf("%+v, %d turns", b.window(), len(b.turns()))
	}
}

func TestFallback(t *testing.T) {
	for name, bad := range map[string]*rules{
		"an error":      {remote: true, fail: errors.New("500")},
		"empty text":    {remote: true, spoil: func(string) string { return " \n" }},
		"not UTF-8":     {remote: true, spoil: func(string) string { return "\xff\xfe" }},
		"endless prose": {remote: true, spoil: func(s string) string { return strings.Repeat(s+" and so on", 20_000) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{bad, &rules{}} })
			told := map[string]bool{}
			for i := range 14 {
				told[b.append(filler(i, 100)).Fallback] = true
			}
			waitFor(t, func() bool {
				s := b.status()
				told[s.Fallback] = true
				return s.Compacted > 0 && s.PendingJobs == 0
			})
			if told[b.status().Fallback] = true; name != "endless prose" && !told["a model gave no usable answer, rules took its place"] {
				t.Errorf("the caller was told %q", slices.Collect(maps.Keys(told)))
			}
			if w := b.window(); w.Summary == "" || strings.TrimSpace(w.Summary) == "" || w.SummaryTokens > 210 || len(b.facts()) == 0 {
				t.Errorf("window %+v, %d facts", w, len(b.facts()))
			}
		})
	}
}

// TestSmallTalk: there may be nothing in a conversation that is worth a word.
func TestSmallTalk(t *testing.T) {
	b := newBank(t, func(o *contextwindow.Options) {
		o.Summarizers = []memory.Summarizer{&rules{spoil: func(string) string { return "" }}}
	})
	for i := range 14 {
		b.append(filler(i, 100))
	}
	if w := b.window(); w.Compacted == 0 || w.Summary == "" || b.file("HISTORY.md") != "" {
		t.Errorf("window %+v, history %q", w, b.file("HISTORY.md"))
	}
	nothing := b.window().Summary
	b.Service = b.service() // whose summarizer finds something, and repeats the summary before
	fill(b, contextwindow.ActionCompacted)
	if s := b.window().Summary; strings.Contains(s, nothing) || s == "" {
		t.Errorf("that nothing was said is repeated: %q", s)
	}
}

// TestAllFail: nothing is dropped and the status says why; it works as soon as
// a summarizer does.
func TestAllFail(t *testing.T) {
	broken := &rules{fail: errors.New("no model today")}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{broken} })
	for i := range 30 {
		b.append(filler(i, 100))
	}
	s := b.status()
	if s.PendingJobs != 1 || s.Problem == "" || s.Attempts == 0 || s.Compacted != 0 ||
		s.Utilization.Recommendation != contextwindow.RecommendEmergency {
		t.Errorf("status %+v", s)
	}
	if len(b.turns()) != 30 || b.window().Summary != "" {
		t.Error("something was dropped")
	}
	broken.fail = nil
	b.later(20 * time.Minute)
	r := b.append(say("once more"))
	if r.Action != contextwindow.ActionCompacted || r.Problem != "" || r.Utilization.Percent > 100 || b.status().PendingJobs != 0 {
		t.Errorf("%s, problem %q, %.1f %%", r.Action, r.Problem, r.Utilization.Percent)
	}
}

// TestFilesFail: facts have to be in MEMORY.md before a message goes.
func TestFilesFail(t *testing.T) {
	var disk *files
	b := newBank(t, func(o *contextwindow.Options) {
		disk = o.Files("").(*files)
		o.Files = func(string) contextwindow.Files { return disk }
	})
	disk.fail.Store(true)
	for i := range 14 {
		b.append(filler(i, 100))
	}
	if s := b.status(); s.Compacted != 0 || s.Flushed != 0 || s.Step != contextwindow.StepSaved || s.PendingJobs != 1 {
		t.Errorf("status %+v", s)
	}
	facts := len(b.facts())
	disk.fail.Store(false)
	b.later(time.Hour)
	if r := b.append(say("once more")); r.Action != contextwindow.ActionCompacted {
		t.Errorf("%s, %s", r.Action, r.Problem)
	}
	for _, fact := range b.facts() {
		if strings.Count(b.file("MEMORY.md"), fact+" <") != 1 {
			t.Errorf("MEMORY.md does not have %q once", fact)
		}
	}
	if facts == 0 || len(b.facts()) < facts {
		t.Errorf("%d facts, then %d", facts, len(b.facts()))
	}
}

// TestFullQueue: what finds no room in the queue is done by the local summarizer
// within the call; without one the job stays.
func TestFullQueue(t *testing.T) {
	for _, withLocal := range []bool{true, false} {
		slow := &rules{remote: true, wait: make(chan struct{})}
		b := newBank(t, func(o *contextwindow.Options) {
			o.Settings.Workers, o.Settings.QueueLimit = 1, 1
			o.Summarizers = []memory.Summarizer{slow}
			if withLocal {
				o.Summarizers = append(o.Summarizers, &rules{})
			}
		})
		actions := map[contextwindow.Action]int{}
		for n := range 5 {
			name := fmt.Sprintf("session %d", n)
			r, err := b.Append(t.Context(),
				contextwindow.AppendRequest{Scope: anna, Session: name, Messages: []contextwindow.Message{filler(n, 1000)}})
			if err != nil {
				t.Fatal(err)
			}
			actions[r.Action]++
			if n == 0 {
				waitFor(t, func() bool { return slow.asked.Load() > 0 }) // the worker has taken it
			}
		}
		jobs, err := b.store.Jobs(t.Context(), "", "compaction")
		if err != nil {
			t.Fatal(err)
		}
		if withLocal && (actions[contextwindow.ActionFlushed] != 3 || len(jobs) != 2) ||
			!withLocal && (actions[contextwindow.ActionFlushStarted] != 5 || len(jobs) != 5) {
			t.Errorf("with a local one %v: %v, %d jobs", withLocal, actions, len(jobs))
		}
		close(slow.wait)
	}
}

// TestWait ends with the work, or with the patience.
func TestWait(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{slow, &rules{}} })
	if err := b.Wait(soon(t, patience)); err != nil {
		t.Errorf("with nothing to do: %v", err)
	}
	fill(b, contextwindow.ActionFlushStarted)
	if err := b.Wait(soon(t, 10*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it works: %v", err)
	}
	close(slow.wait)
	if err := b.Wait(soon(t, patience)); err != nil || b.window().Flushed == 0 || b.status().PendingJobs != 0 {
		t.Errorf("after it: %v, window %+v", err, b.window())
	}
}

// TestHistory: what the window holds can be asked for at any time.
func TestHistory(t *testing.T) {
	b := newBank(t)
	if _, err := b.History(t.Context(), anna, session); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("of an unknown session: %v", err)
	}
	r := fill(b, contextwindow.ActionCompacted)
	b.append(say("and on"))
	messages, err := b.History(t.Context(), anna, session)
	if err != nil || len(messages) != len(r.Messages)+1 || messages[0].Content != r.Messages[0].Content ||
		messages[len(messages)-1].Content != "and on" {
		t.Errorf("%d messages after %d, %v", len(messages), len(r.Messages), err)
	}
}

// TestClose: what is under way is finished, or handed over if that takes too long.
func TestClose(t *testing.T) {
	slow := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{slow, &rules{}} })
	fill(b, contextwindow.ActionFlushStarted)
	waitFor(t, func() bool { return slow.asked.Load() > 0 })
	if err := b.Close(soon(t, 10*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("close: %v", err)
	}
	jobs, err := b.store.Jobs(t.Context(), "", "compaction")
	if err != nil || len(jobs) != 1 || jobs[0].Holder != "" || jobs[0].Attempts != 0 {
		t.Fatalf("jobs %+v, %v", jobs, err)
	}
	next := b.service()
	if n, err := next.Resume(t.Context(), anna.Agent); n != 1 || err != nil {
		t.Errorf("resumed %d, %v", n, err)
	}
	if b.window().Flushed == 0 {
		t.Error("the next process did not flush")
	}
}

// TestTwoProcesses append to one session: nothing is lost, nothing twice.
func TestTwoProcesses(t *testing.T) {
	b := newBank(t)
	other := b.service()
	done := make(chan error, 2)
	for p, s := range []*contextwindow.Service{b.Service, other} {
		go func() {
			for i := range 30 {
				_, err := s.Append(t.Context(), contextwindow.AppendRequest{
					Scope: anna, Session: session, Messages: []contextwindow.Message{filler(1000*p+i, 60)},
				})
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 2 {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(3 * patience):
			t.Fatal("the processes keep each other waiting")
		}
	}
	seen := map[string]bool{}
	for _, content := range b.turns() {
		seen[content] = true
	}
	if len(b.turns()) != 60 || len(seen) != 60 {
		t.Errorf("%d turns, %d different", len(b.turns()), len(seen))
	}
	turns, lines := b.turns(), b.file(session+".jsonl")
	if n := strings.Count(lines, "\n"); n != len(turns) {
		t.Errorf("%d lines in the session's file", n)
	}
	for line := range strings.Lines(lines) {
		var entry struct {
			Index   int
			Content string
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || turns[entry.Index] != entry.Content {
			t.Errorf("the session's file has another turn %d, %v", entry.Index, err)
		}
	}
	if w := b.window(); w.Compacted == 0 || w.Flushed < w.Compacted {
		t.Errorf("window %+v", w)
	}
	if facts := b.facts(); len(facts) < b.window().Compacted {
		t.Errorf("%d facts of %d compacted turns", len(facts), b.window().Compacted)
	}
}

// meanwhile is an embedder that lets something happen before it answers.
type meanwhile struct {
	memory.Embedder
	happens func()
}

func (m meanwhile) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	m.happens()
	return m.Embedder.EmbedDocuments(ctx, texts)
}

// TestSameCallOfTwoProcesses: another process stores the same call between
// the look and the deed.
func TestSameCallOfTwoProcesses(t *testing.T) {
	b := newBank(t)
	other := b.service()
	request := contextwindow.AppendRequest{Scope: anna, Session: session, Messages: []contextwindow.Message{say("a"), answer("b")}}
	first := true
	service := b.service(func(o *contextwindow.Options) {
		o.Embedder = meanwhile{o.Embedder, func() {
			if !first {
				return
			}
			first = false
			if r, err := other.Append(t.Context(), request); err != nil || r.Appended != 2 {
				t.Errorf("%d appended, %v", r.Appended, err)
			}
		}}
	})
	r, err := service.Append(t.Context(), request)
	if err != nil || r.Appended != 0 || len(b.turns()) != 2 {
		t.Errorf("%d appended, %d turns, %v", r.Appended, len(b.turns()), err)
	}
}
