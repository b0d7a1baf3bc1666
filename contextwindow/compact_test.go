package contextwindow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func byMessages(window int) func(*contextwindow.Options) {
	return func(o *contextwindow.Options) {
		o.Settings.Compaction, o.Settings.MemoryWindow = contextwindow.TriggerMessages, window
	}
}

func TestMessageWindow(t *testing.T) {
	b := newBank(t, byMessages(50))
	for i := range 51 {
		r := b.append(filler(i, 13))
		want := contextwindow.ActionNone
		if i == 50 {
			want = contextwindow.ActionCompacted
		}
		if r.Action != want {
			t.Fatalf("message %d: %s, want %s", i+1, r.Action, want)
		}
	}
	if w := b.window(); w.Compacted != 41 || len(b.facts()) != 51 || b.file("MEMORY.md") == "" ||
		strings.Count(b.file("HISTORY.md"), "\n") != 1 {
		t.Errorf("window %+v, %d facts, history %q", w, len(b.facts()), b.file("HISTORY.md"))
	}
	if !strings.HasPrefix(b.file("HISTORY.md"), "2026-03-01T12:00:00Z ") {
		t.Errorf("history %q has no time", b.file("HISTORY.md"))
	}
}

func TestSmallMessageWindow(t *testing.T) {
	b := newBank(t, byMessages(6))
	for i := range 7 {
		b.append(filler(i, 13))
	}
	if w := b.window(); w.Compacted != 4 {
		t.Errorf("%d of 7 messages went, want 4", w.Compacted)
	}
}

// TestNoMessageWindow: 0 only leaves out what is over 10 messages.
func TestNoMessageWindow(t *testing.T) {
	b := newBank(t, byMessages(0))
	for i := range 25 {
		r := b.append(filler(i, 13))
		if r.Action != contextwindow.ActionNone || r.Utilization.TurnsInContext != min(i+1, 10) {
			t.Errorf("message %d: %s, %d turns", i, r.Action, r.Utilization.TurnsInContext)
		}
		if i < 10 && r.Messages != nil || i >= 10 && (len(r.Messages) != 10 || r.Messages[9].Content != filler(i, 13).Content) {
			t.Errorf("message %d: told %d messages", i, len(r.Messages))
		}
	}
	if w := b.window(); w.Compacted != 15 || w.Flushed != 0 || w.Summary != "" || len(b.facts()) != 0 ||
		b.file("MEMORY.md")+b.file("HISTORY.md") != "" {
		t.Errorf("window %+v, facts %q", w, b.facts())
	}
	if len(b.turns()) != 25 {
		t.Errorf("%d turns are left", len(b.turns()))
	}
}

func TestBothTriggers(t *testing.T) {
	b := newBank(t, byMessages(50), func(o *contextwindow.Options) { o.Settings.Compaction = contextwindow.TriggerBoth })
	b.append(filler(0, 1200), say("x"), say("y"))
	if b.window().Flushed == 0 {
		t.Error("no flush by tokens")
	}
	for i := range 50 {
		b.append(say(fmt.Sprint("message ", i)))
	}
	if b.window().Compacted == 0 {
		t.Error("no compaction by messages")
	}
}

// TestGiantMessage: what is larger than the window is cut for the model, and
// kept as it is.
func TestGiantMessage(t *testing.T) {
	b := newBank(t)
	for i := range 5 {
		b.append(filler(i, 50))
	}
	giant := filler(9, 5000)
	r := b.append(giant)
	if r.Action != contextwindow.ActionCompacted || r.Before.Percent < 100 || r.Utilization.Percent > 100 ||
		r.Utilization.Recommendation != contextwindow.RecommendEmergency {
		t.Errorf("%s, before %+v, after %+v", r.Action, r.Before, r.Utilization)
	}
	if n := promptTokens(r.Messages); n != r.Utilization.UsedTokens {
		t.Errorf("messages take %d tokens, %d are said", n, r.Utilization.UsedTokens)
	}
	if last := r.Messages[len(r.Messages)-1].Content; !strings.Contains(last, "left out") {
		t.Errorf("the last message is %.60q", last)
	}
	if turns := b.turns(); turns[5] != giant.Content {
		t.Error("the original is not kept")
	}
	if r = b.append(say("next")); r.Utilization.Percent > 70 || r.Utilization.TurnsInContext != 1 {
		t.Errorf("after the next: %+v", r.Utilization)
	}
}

// TestGiantAlone: where there is nothing else to compact, what is said to be in
// the window is handed back as it was cut.
func TestGiantAlone(t *testing.T) {
	b := newBank(t)
	r := b.append(filler(0, 5000))
	if r.Action != contextwindow.ActionFlushed || len(r.Messages) != 1 || promptTokens(r.Messages) != r.Utilization.UsedTokens ||
		r.Utilization.Percent > 100 {
		t.Errorf("%s with %d messages: %+v", r.Action, len(r.Messages), r.Utilization)
	}
	if s := b.status(); len(s.Messages) != 1 || s.Utilization != r.Utilization {
		t.Errorf("status: %d messages, %+v", len(s.Messages), s.Utilization)
	}
	// The cut message that comes back is the one that was stored.
	cut := r.Messages[0]
	if r = b.append(cut, say("next")); r.Appended != 1 {
		t.Errorf("%d messages stored", r.Appended)
	}
}

func TestCompactKeepsCallWithResult(t *testing.T) {
	b := newBank(t)
	b.append(say("a"), say("b"),
		contextwindow.Message{Role: memory.RoleAssistant, ToolCalls: []memory.ToolCall{{ID: "1", Name: "read"}, {ID: "2", Name: "read"}}},
		contextwindow.Message{Role: memory.RoleTool, Content: "one", ToolCallID: "1"},
		contextwindow.Message{Role: memory.RoleTool, Content: "two", ToolCallID: "2"})
	r, err := b.Compact(t.Context(), contextwindow.CompactRequest{Scope: anna, Session: session, KeepLast: 1})
	if err != nil || r.Utilization.TurnsInContext != 3 || len(r.Messages) != 4 || len(r.Messages[1].ToolCalls) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestGivenFactsAndSummary(t *testing.T) {
	summarizer := &rules{remote: true}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{summarizer, &rules{}} })
	for i := range 6 {
		b.append(filler(i, 20))
	}
	important := 0.9
	r, err := b.Compact(t.Context(), contextwindow.CompactRequest{
		Scope: anna, Session: session, Summary: "They spoke of lockers.", KeepLast: 2,
		Facts: []contextwindow.GivenFact{{Content: "The lockers are in the cellar.", Importance: &important},
			{Content: "Anna has six lockers.", Category: "identity"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Action != contextwindow.ActionCompacted || r.Summary != "They spoke of lockers." || len(r.FactsSaved) != 2 ||
		len(r.Messages) != 3 {
		t.Errorf("%+v", r)
	}
	if got := b.facts(); !slices.Equal(got, []string{"The lockers are in the cellar.", "Anna has six lockers."}) {
		t.Errorf("facts %q", got)
	}
	if summarizer.asked.Load() != 0 {
		t.Error("a summarizer was asked for what was given")
	}
	if !strings.Contains(b.file("HISTORY.md"), "They spoke of lockers.") {
		t.Errorf("history %q", b.file("HISTORY.md"))
	}
	// Nothing new since: only the facts are saved.
	r, err = b.Compact(t.Context(), contextwindow.CompactRequest{
		Scope: anna, Session: session, Mode: contextwindow.ModeFlush, Facts: []contextwindow.GivenFact{{Content: "One more."}},
	})
	if err != nil || r.Action != contextwindow.ActionFlushed || len(r.FactsSaved) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestNothingToCompact(t *testing.T) {
	b := newBank(t)
	b.append(say("hello"))
	request := contextwindow.CompactRequest{Scope: anna, Session: session}
	r, err := b.Compact(t.Context(), request)
	if err != nil || r.Action != contextwindow.ActionFlushed {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = b.Compact(t.Context(), request)
	if err != nil || r.Action != contextwindow.ActionNone || r.Messages != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBadCompact(t *testing.T) {
	b := newBank(t)
	b.append(say("hello"))
	too := 2.0
	for name, c := range map[string]struct {
		edit func(*contextwindow.CompactRequest)
		code memory.Code
	}{
		"unknown session": {func(r *contextwindow.CompactRequest) { r.Session = "none" }, memory.CodeNotFound},
		"mode":            {func(r *contextwindow.CompactRequest) { r.Mode = "wipe" }, memory.CodeInvalidArgument},
		"keep":            {func(r *contextwindow.CompactRequest) { r.KeepLast = -1 }, memory.CodeInvalidArgument},
		"empty fact":      {func(r *contextwindow.CompactRequest) { r.Facts = []contextwindow.GivenFact{{}} }, memory.CodeInvalidArgument},
		"importance": {func(r *contextwindow.CompactRequest) {
			r.Facts = []contextwindow.GivenFact{{Content: "x", Importance: &too}}
		}, memory.CodeInvalidArgument},
		"long summary": {func(r *contextwindow.CompactRequest) { r.Summary = strings.Repeat("so ", 2000) }, memory.CodeTooLarge},
	} {
		r := contextwindow.CompactRequest{Scope: anna, Session: session}
		c.edit(&r)
		if _, err := b.Compact(t.Context(), r); memory.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	_, err := b.Status(t.Context(), anna, "none")
	wantCode(t, err, memory.CodeNotFound)
	_, err = b.Status(t.Context(), memory.Scope{Agent: "boris"}, session)
	wantCode(t, err, memory.CodeNotFound)
	if b.window().Flushed != 0 {
		t.Error("a refused call has changed something")
	}
}

// TestRecalledIsNoNews: what comes back from memory is not found as a fact
// again.
func TestRecalledIsNoNews(t *testing.T) {
	b := newBank(t)
	save(b, remember.SaveRequest{Content: "My dog is Rex."})
	b.append(
		say("my dog is rex"), // word for word what is remembered
		contextwindow.Message{Role: memory.RoleSystem, Content: contextwindow.Delimited("memories", "- My cat is Whiskerino")},
		say("Context: "+contextwindow.Delimited("memories", "- My cat is Whiskerino")+" My horse is Max"),
		contextwindow.Message{Role: memory.RoleAssistant, Content: "I look.",
			ToolCalls: []memory.ToolCall{{ID: "1", Name: "memory_recall"}, {ID: "2", Name: "read_file"}}},
		contextwindow.Message{Role: memory.RoleTool, ToolCallID: "1", Content: "My bird is Tweety"},
		contextwindow.Message{Role: memory.RoleTool, ToolCallID: "2", Content: "My fish is Wanda"},
		contextwindow.Message{Role: memory.RoleTool, Name: "mcp__memory__memory_search", Content: "My mouse is Jerry"},
	)
	if _, err := b.Compact(t.Context(),
		contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}); err != nil {
		t.Fatal(err)
	}
	got := b.facts()
	slices.Sort(got)
	if want := []string{"My dog is Rex.", "The user says: My fish is Wanda", "The user says: My horse is Max"}; !slices.Equal(got, want) {
		t.Errorf("facts %q, want %q", got, want)
	}
}

// TestSameFactAgain: a fact that is found again is neither a second record nor
// a confirmation.
func TestSameFactAgain(t *testing.T) {
	b := newBank(t)
	flush := contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}
	for range 3 {
		b.append(say("By the way, my cat is Whiskerino"))
		if _, err := b.Compact(t.Context(), flush); err != nil {
			t.Fatal(err)
		}
	}
	err := b.store.EachRecord(t.Context(), anna.Agent, func(r memory.Record) error {
		if r.Confirmations != 1 {
			t.Errorf("%q is confirmed %d times", r.Content, r.Confirmations)
		}
		return nil
	})
	if err != nil || len(b.facts()) != 1 {
		t.Errorf("facts %q, %v", b.facts(), err)
	}
}
