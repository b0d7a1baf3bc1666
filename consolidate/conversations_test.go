package consolidate_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
)

var archived = regexp.MustCompile(`"ArchivedAt":"[^"]*",`)

func unarchived(b *bank) int {
	b.t.Helper()
	_, n, err := b.store.UnarchivedTurns(b.t.Context(), agent, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

func TestOlderTurnsAreSummarisedFromThousandOn(t *testing.T) {
	b := newBank(t)
	b.say("", 0, 1000)
	if r := b.care(consolidate.Request{}); r.Status != consolidate.StatusNothing || unarchived(b) != 1000 || !r.Watermark.IsZero() {
		t.Fatalf("%+v", r)
	}
	b.say("", 1000, 1)
	before := b.found(memory.Filter{}, "warehouse crates 104")
	r := b.care(consolidate.Request{})
	if r.Status != consolidate.StatusDone || r.ConversationsSummarised != 501 || unarchived(b) != 500 || len(r.Summaries) != 1 {
		t.Fatalf("%+v", r)
	}
	if want := start.Add((500 - 20_000) * time.Minute); !r.Watermark.Equal(want) {
		t.Errorf("watermark %v, want %v", r.Watermark, want)
	}
	s := b.record(r.Summaries[0].ID)
	if s.Kind != memory.KindSummary || s.Summary.Of != "conversations" || s.Summary.Count != 501 ||
		!strings.Contains(s.Content, "crates") || r.TokensAfter > r.TokensBefore/4 {
		t.Errorf("%d to %d tokens: %+v", r.TokensBefore, r.TokensAfter, s)
	}
	// The originals are found as before.
	turnsOf := func(found string) string {
		return archived.ReplaceAllString(found[strings.Index(found, `"Corpus":"conversations"`):], "")
	}
	if got := b.found(memory.Filter{}, "warehouse crates 104"); turnsOf(got) != turnsOf(before) {
		t.Errorf("a search of conversations returns\n%.800s\nbefore\n%.800s", turnsOf(got), turnsOf(before))
	}
	if r = b.care(consolidate.Request{}); r.Status != consolidate.StatusNothing || r.Watermark.IsZero() {
		t.Errorf("again: %+v", r)
	}
}

// A conversation has one live summary however often it is summarised; the
// former one is folded in.
func TestSummariesAreRecursive(t *testing.T) {
	b := newBank(t)
	b.say("", 0, 29)
	only := consolidate.Request{Phase: consolidate.PhaseConversations}
	if r := b.care(only); r.Status != consolidate.StatusNothing {
		t.Fatalf("29 turns: %+v", r)
	}
	b.say("", 29, 1)
	first := b.care(only)
	if first.ConversationsSummarised != 30 || unarchived(b) != 0 {
		t.Fatalf("%+v", first)
	}
	b.say("", 30, 40)
	b.say("garden", 100, 40)
	second := b.care(only)
	if second.ConversationsSummarised != 80 || len(b.live(memory.KindSummary)) != 2 {
		t.Fatalf("%+v", second)
	}
	for _, s := range b.live(memory.KindSummary) {
		want, former := 70, first.Summaries[0].ID
		if s.Project == "garden" {
			want, former = 40, ""
		}
		if s.Summary.Count != want || s.Supersedes != former {
			t.Errorf("summary of %q covers %d, supersedes %q", s.Project, s.Summary.Count, s.Supersedes)
		}
		if s.Project == "" && (!strings.Contains(s.Content, "110") || !strings.Contains(s.Content, "160")) {
			t.Errorf("an old or a new number is missing in\n%s", s.Content)
		}
	}
	// What arrives late with an earlier time is not lost, and the watermark stays.
	b.say("", -112, 30)
	third := b.care(only)
	if third.ConversationsSummarised != 30 || !third.Watermark.Equal(second.Watermark) {
		t.Errorf("%+v", third)
	}
}

func TestLongConversationsKeepTheCeiling(t *testing.T) {
	b := newBank(t)
	b.say("", 0, 10)
	long := strings.Repeat("The pump in hall 7 makes 93 turns a minute, says Okonkwo. ", 6000) // 350 kB
	var turns []memory.Turn
	for i := range 30 {
		turns = append(turns, memory.Turn{ID: b.ids.New(), Agent: agent, Session: "long", Role: memory.RoleUser, Speaker: "user",
			Content: long, CreatedAt: start, SaidAt: start.Add(time.Duration(i) * time.Minute)})
	}
	b.write(func(tx memory.Tx) error { _, err := tx.InsertTurns(turns, nil); return err })
	r := b.care(consolidate.Request{Phase: consolidate.PhaseConversations})
	if r.TokensBefore > consolidate.MaxBefore || r.ConversationsSummarised < 11 || r.ConversationsSummarised == 40 {
		t.Errorf("%d turns of %d tokens", r.ConversationsSummarised, r.TokensBefore)
	}
}
