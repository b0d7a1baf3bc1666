package resources_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/testbank"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/workspace"
)

// talks is a bank with context windows, in which conversations are held.
type talks struct {
	*testbank.Bank
	t      *testing.T
	clock  testbank.Clock
	window *contextwindow.Service
	pages  *resources.Service
}

func newTalks(t *testing.T, zone *time.Location, budget int, models ...memory.Summarizer) *talks {
	t.Helper()
	b := &talks{t: t}
	b.Bank = testbank.New(t, testbank.Options{Clock: func() time.Time { return b.clock.Now().In(zone) }})
	o := b.WindowOptions()
	o.Summarizers = append(models, o.Summarizers...)
	b.window = contextwindow.New(o)
	b.pages = resources.New(resources.Options{
		Store: b.Store, Links: link.New(b.LinkOptions()), Salience: salience.Default(), Tokens: b.Tokens, Clock: b.Clock,
		Files:         func(agent string) resources.Files { return workspace.Open(b.Dir, agent) },
		Conversations: b.window, Work: b.Actions(), Budget: budget,
	})
	return b
}

// talk reports messages of the user and answers to them, a minute apart.
func (b *talks) talk(scope memory.Scope, session string, said ...string) {
	b.t.Helper()
	var messages []contextwindow.Message
	for _, s := range said {
		messages = append(messages, contextwindow.Message{Role: memory.RoleUser, Content: s, TS: b.clock.Now()},
			contextwindow.Message{Role: memory.RoleAssistant, Content: "Noted.", TS: b.clock.Now()})
		b.clock.Pass(time.Minute)
	}
	if _, err := b.window.Append(b.t.Context(),
		contextwindow.AppendRequest{Scope: scope, Session: session, Messages: messages}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *talks) save(content string) {
	b.t.Helper()
	b.clock.Pass(time.Hour)
	if _, err := b.Remember.Save(b.t.Context(), ann, remember.SaveRequest{Content: content}); err != nil {
		b.t.Fatal(err)
	}
}

// last returns the part of the page that tells of the last session.
func (b *talks) last(scope memory.Scope) string {
	b.t.Helper()
	p, err := b.pages.Read(b.t.Context(), scope, resources.SessionStart)
	if err != nil {
		b.t.Fatal(err)
	}
	_, part, _ := strings.Cut(p.Text, "\n## Last session")
	part, _, _ = strings.Cut(part, "\n## ")
	return part
}

func (b *talks) wants(when string, parts ...string) {
	b.t.Helper()
	text := b.last(ann)
	for _, p := range parts {
		not, hidden := strings.CutPrefix(p, "!")
		if strings.Contains(text, not) == hidden {
			b.t.Errorf("%s: %q in %q", when, p, text)
		}
	}
}

var saidOfTheRoof = []string{
	"We decided to repair the roof of the boathouse in May.",
	"The carpenter Jonas Lind asks for 4,200 euros for the new beams.",
	"I live in Groningen, so I can only come on weekends.",
}

// TestLastSession: a session without a compaction is told by its turns, one with
// by its summary and what was said since.
func TestLastSession(t *testing.T) {
	b := newTalks(t, time.FixedZone("", 13*60*60), 0)
	if part := b.last(ann); part != "" {
		t.Errorf("without a session: %q", part)
	}
	b.talk(ann, "roof", saidOfTheRoof...)
	b.wants("by its turns", " (2026-03-02)\n\n- ", "roof", "Jonas Lind", "!Noted")
	if _, err := b.window.Compact(t.Context(), contextwindow.CompactRequest{Scope: ann, Session: "roof"}); err != nil {
		t.Fatal(err)
	}
	b.talk(ann, "roof", "The beams come from the sawmill in Assen on 12 May.")
	b.wants("by its summary", "sawmill in Assen")
	b.clock.Pass(24 * time.Hour)
	b.talk(ann, "boat", "We agreed to paint the boat green.")
	b.wants("a later one", " (2026-03-03)", "paint the boat green", "!roof", "!Assen")
	b.talk(memory.Scope{Agent: "bob"}, "secret", "We decided to sell the harbour.")
	b.talk(memory.Scope{Agent: "ann", Project: "kite"}, "kite", "We decided to build the kite from bamboo.")
	b.wants("other banks and projects", "paint the boat green", "!harbour", "!bamboo")
	if part := b.last(memory.Scope{Agent: "ann", Project: "kite"}); !strings.Contains(part, "bamboo") {
		t.Errorf("of the project: %q", part)
	}
}

// TestLastSessionIsNeverOutOfDate: what a later save or a later sentence tells
// otherwise, and what was superseded, is left out.
func TestLastSessionIsNeverOutOfDate(t *testing.T) {
	b := newTalks(t, time.UTC, 0)
	b.talk(ann, "roof", saidOfTheRoof...)
	b.wants("at first", "Groningen", "Jonas Lind")
	b.save("I moved to Bergen.")
	b.wants("after a later save", "!Groningen", "Jonas Lind")
	b.talk(ann, "work", "I work as a nurse at the Haukeland hospital.", "The ward has twelve beds.",
		"I now work as a teacher at the Storetveit school.")
	b.wants("a change within a session", "teacher", "!nurse")
	b.save("My manager is Petra Vos.")
	b.save("My manager is Samir Haddad now.")
	b.talk(ann, "names", "My manager is Petra Vos.", "The ward has a garden with a pond and two ducks called Ping and Pong.")
	b.wants("what was superseded", "ducks", "!Petra")
}

// TestLastSessionIsBounded: it leaves room for what matters, and the page stays
// within its budget, whatever that is.
func TestLastSessionIsBounded(t *testing.T) {
	for _, budget := range []int{resources.MinBudget, 250, resources.DefaultBudget, 2000} {
		b := newTalks(t, time.UTC, budget)
		var said []string
		for range 30 {
			said = append(said, "We decided that the "+strings.Repeat("very long and winding ", 30)+
				"road to the harbour is paved by Jonas Lind in May.")
		}
		b.talk(ann, "road", said...)
		for _, fact := range []string{"We decided to sell the workshop.", "The user is allergic to peanuts.", "I prefer short answers."} {
			b.save(fact)
		}
		p, err := b.pages.Read(t.Context(), ann, resources.SessionStart)
		if err != nil {
			t.Fatal(err)
		}
		if n := b.Tokens.Count(p.Text); n > budget {
			t.Errorf("%d tokens of %d:\n%s", n, budget, p.Text)
		}
		if budget >= 250 && (!strings.Contains(p.Text, "peanuts") || !strings.Contains(p.Text, "workshop")) {
			t.Errorf("memories have no room in %d tokens:\n%s", budget, p.Text)
		}
	}
}

// TestRejectedDecisions are shown as such, never as decisions: by their words, a
// tag, or a status.
func TestRejectedDecisions(t *testing.T) {
	b := newBank(t)
	b.keep(memory.KindFact, "We decided to write the gate in Go.")
	b.keep(memory.KindFact, "We decided against Kafka for the queue.")
	b.keep(memory.KindFact, "The proposal to use MongoDB was rejected.")
	b.keep(memory.KindFact, "Keep sessions in Redis.", func(r *memory.Record) { r.Category, r.Tags = "decision", []string{"rejected"} })
	b.keep(memory.KindFact, "Decided: sessions live in cookies.", func(r *memory.Record) { r.Metadata = []byte(`{"status":"Rejected"}`) })
	_, decided, _ := strings.Cut(b.page(resources.SessionStart), "## Decided")
	decided, rest, _ := strings.Cut(decided, "\n## ")
	if !strings.Contains(decided, "in Go") || strings.Count(decided, "\n- ") != 1 {
		t.Errorf("decided: %q", decided)
	}
	rejected, _, _ := strings.Cut(rest, "\n## ")
	for _, want := range []string{"Rejected\n", "against Kafka", "MongoDB was rejected", "- Rejected: Keep sessions in Redis.",
		"- Rejected: Decided: sessions live"} {
		if !strings.Contains(rejected, want) {
			t.Errorf("rejected without %q: %q", want, rejected)
		}
	}
	if text := b.briefing(2000); !strings.Contains(text, "- Rejected: Keep sessions in Redis.") {
		t.Errorf("the briefing is\n%s", text)
	}
	b.shows(resources.Salient, "Rejected: Keep sessions in Redis.")
}
