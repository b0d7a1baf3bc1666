package resources

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// TestChooseLeavesOutDoubt: neither what a newer one replaces or contradicts, nor what
// is only imagined, however important it is; what is pinned or was kept by somebody is.
func TestChooseLeavesOutDoubt(t *testing.T) {
	texts := []string{
		"The API timeout is 30 seconds.", "We use tabs for indentation.", "I live in Brno with Ilse, two cats and a parrot called Rico.",
		"If I had the money, I would live in Kyoto.",
		"Suppose we moved the ledger to Oracle, then licences would cost 40k.", "Maybe we should rewrite the importer in Rust.",
		"The API timeout is not 30 seconds.", "We do not use tabs for indentation.", "I have moved to Graz.",
	}
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := &Service{clock: func() time.Time { return at.AddDate(0, 0, 20) }}
	judged := func(pinned int, apart memory.Apart) string {
		var pool []memory.Record
		for i, text := range texts {
			pool = append(pool, memory.Record{ID: text, Kind: memory.KindFact, Content: text, Importance: 0.8, Pinned: i == pinned,
				CreatedAt: at.AddDate(0, 0, i)})
		}
		var b strings.Builder
		for _, one := range s.judge(pool, memory.Scope{}, true, apart).best() {
			b.WriteString(one.Content + "\n")
		}
		return b.String()
	}
	shown := judged(-1, nil)
	for i, text := range texts {
		if strings.Contains(shown, text+"\n") != (i >= 6) {
			t.Errorf("%q is shown: %v", text, i < 6)
		}
	}
	for _, pinned := range []int{0, 5} {
		if shown := judged(pinned, nil); !strings.Contains(shown, texts[pinned]) {
			t.Errorf("%q is pinned and not shown", texts[pinned])
		}
	}
	apart := memory.Apart{}
	apart.Add(texts[2], texts[8])
	if shown := judged(-1, apart); !strings.Contains(shown, texts[2]) {
		t.Errorf("%q was brought back and is not shown", texts[2])
	}
}

// TestARuleThatIsOverIsNotShown: neither as a wish, nor as a task, nor as a learning; a rule about
// something else, one of a later day and a fact that is no rule are.
func TestARuleThatIsOverIsNotShown(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := &Service{clock: func() time.Time { return at.AddDate(0, 0, 20) }}
	over := []string{
		"The user wants the assistant to never deploy on Fridays.", "You must not push to main.", "Always run make lint before a commit.",
		"The user wants the assistant not to use lodash in this repo.",
		"Antworte immer auf Deutsch.", "The user and others still need to write the migration guide.",
	}
	const plain = "The login page of the shop is in src/login.tsx."
	stand := []string{
		"The user wants the assistant to never write emojis.", plain, "The user wants the assistant to never deploy on Mondays.",
		"The user allows the assistant to deploy on Fridays again.", "The user allows the assistant to push to main again.",
		"The user no longer wants the assistant to run make lint before a commit.", "The user allows the assistant to use lodash again.",
		"The user: du kannst wieder auf Englisch antworten", "The migration guide is written.", "The bots write new emojis now.", "Customers don't have to see the login page of the shop.", "Never deploy on Fridays without a second reviewer.",
	}
	var pool []memory.Record
	for i, text := range append(over, stand...) {
		pool = append(pool, memory.Record{ID: text, Kind: memory.KindFact, Content: text, Importance: 0.8, CreatedAt: at.AddDate(0, 0, i)})
		if strings.Contains(text, "lodash again") { // of the project, where the rule is of all
			pool[i].Project = "shop"
		}
	}
	judged := s.judge(pool, memory.Scope{Project: "shop"}, true, nil)
	for _, one := range judged.all {
		if got := one.score == 0; got != slices.Contains(over, one.Content) {
			t.Errorf("%q is over: %v", one.Content, got)
		}
	}
	for i, want := range map[int]bool{1: true, 3: true, 6: false, 17: false} {
		if got := judged.lifted(pool[i]); got != want {
			t.Errorf("the learning %q is over: %v", pool[i].Content, got)
		}
	}
}

// TestListsKeepTheirLines: as many as have room, and no line becomes a heading.
func TestListsKeepTheirLines(t *testing.T) {
	s := &Service{tokens: words{}}
	const list = "Checklist:\n- run it\n\n## Decided\n- tag it"
	for room, want := range map[int]string{
		1000:           "Checklist: (today)\n  - run it\n  Decided\n  - tag it",
		listMargin + 5: "Checklist: (today)\n  - run it\n  …", 1: "Checklist: (today)\n  …",
	} {
		if got := s.lines(list, " (today)", room); got != want {
			t.Errorf("%d tokens: %q, want %q", room, got, want)
		}
	}
	if got := s.lines("One\tline.", "", 100); got != "One line." {
		t.Errorf("%q", got)
	}
}

// words counts words.
type words struct{}

func (words) Count(text string) int { return len(strings.Fields(text)) }
