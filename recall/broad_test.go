package recall

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

func TestByBreadth(t *testing.T) {
	fact := func(id, content, category string, days int) *candidate {
		c := scored(id, content, 0, days)
		c.Category, c.features.salience = category, 0.5
		return c
	}
	for name, c := range map[string]struct {
		question string
		list     []*candidate
		first    string   // ids that come first, in any order
		without  []string // that are not in the answer
	}{
		"the user": {"Who am I?", []*candidate{
			fact("port", "The mirror listens on port 8730.", "technical", 0), fact("me", "I am a glazier in Lugano.", "identity", 1),
			fact("likes", "I love liquorice.", "preference", 2), fact("other", "Bettina works at Blankwerk.", "technical", 3),
		}, "me likes", nil},
		"the family": {"What do you know about my family?", []*candidate{
			fact("port", "The mirror listens on port 8730.", "technical", 0), fact("wife", "I live with my wife Irma.", "identity", 1),
			fact("irma", "Irma plays the oboe.", "preference", 2), fact("she", "She has a concert every May.", "event", 3),
		}, "wife irma she", []string{"port"}},
		"decisions": {"What did we decide?", []*candidate{
			fact("port", "The mirror listens on port 8730.", "technical", 0), fact("plan", "We agreed to print on Fridays.", "project", 1),
			fact("rule", "No glue in the north hall.", "decision", 2),
		}, "plan rule", []string{"port"}},
		"what is out of date comes last": {"What do you know about me?", []*candidate{
			fact("old", "I live in Lugano.", "identity", 0),
			fact("new", "I have moved to Trieste.", "identity", 9), fact("likes", "I love liquorice.", "preference", 2),
		}, "new likes", nil},
	} {
		q := about(c.question)
		q.stems = nil
		got := ids(q.byBreadth(c.list))
		want := strings.Fields(c.first)
		if len(got) < len(want) {
			t.Errorf("%s: %q, want %q first", name, got, want)
			continue
		}
		for _, id := range want {
			if !slices.Contains(got[:len(want)], id) {
				t.Errorf("%s: %q, want %q first", name, got, want)
			}
		}
		for _, id := range c.without {
			if slices.Contains(got, id) {
				t.Errorf("%s: %q, want it without %s", name, got, id)
			}
		}
	}
}

func TestNamesIn(t *testing.T) {
	for text, want := range map[string]string{
		"My dog Biscuit fears Irma's hat on Mondays in May": "Biscuit Irma", "Biscuit sleeps. The end": "Biscuit", "no names": "", "": "",
	} {
		if got := strings.Join(namesIn(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a filter lets pass, and a bank that fits the answer, is not cut; a large
// bank is.
func TestLenient(t *testing.T) {
	s := ferries().service()
	ask := func(r Request) []string {
		r.Query, r.MinScore = "submarine", Floor
		a, err := s.Recall(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return idsOf(a)
	}
	if got := ask(Request{}); len(got) != 0 {
		t.Errorf("strict: %q", got)
	}
	if got := ask(Request{Lenient: true}); len(got) != 5 {
		t.Errorf("a small bank: %q", got)
	}
	if got := ask(Request{Lenient: true, Limit: 4}); len(got) != min(4, leastShown) {
		t.Errorf("a small bank of more than the limit: %q", got)
	}
	if got := ask(Request{Lenient: true, Limit: 4, Filter: memory.Filter{Kinds: []memory.Kind{memory.KindFact}}}); len(got) != 4 {
		t.Errorf("a filter: %q", got)
	}
	for name, f := range map[string]memory.Filter{"as of": {AsOf: noon}, "known at": {KnownAt: noon}} {
		if got := ask(Request{Lenient: true, Limit: 4, Filter: f}); len(got) != min(4, leastShown) {
			t.Errorf("%s a time, which is no choice: %q", name, got)
		}
	}
}

// A question that has a word for what its answer is about is no broad one.
func TestBroadLeavesNoWordOpen(t *testing.T) {
	s := ferries().service()
	for question, want := range map[string]bool{
		"What did we decide?": true, "What have we decided so far?": true,
		"What did we decide last week?": true, "What was decided in April?": true,
		"What did we decide about the ferry?": false, "When did we decide to sell the kiln?": false,
		"What did we agree on at the meeting in June?": false,
		"What is due?": true, "open tasks": true, "What do I need to do today?": true,
		"When do we plan upcoming features?": false, "Which exam is coming up?": false,
		"Where were we?": true, "Remind me what we were working on.": true,
		"Where were we for the offsite last autumn?": false, "Where was I vaccinated today?": false,
		"What happened yesterday?": true, "What did I do last week?": true,
		"What happened to ticket 3381?": false, "What did I do last Sunday on the bike?": false,
		"Who am I?": true, "Who am I dating?": false, "What do you know about my family?": true,
		"Tell me about the ferry.": true, "What is ticket 12 about?": false,
		"What do I like?": true, "Was mag ich nicht?": true, "What's new?": true,
	} {
		q, err := s.understand(t.Context(), Request{Query: question})
		if err != nil {
			t.Fatal(err)
		}
		if q.broad() != want {
			t.Errorf("%q is broad: %v", question, !want)
		}
	}
}
