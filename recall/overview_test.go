package recall_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

func TestRequested(t *testing.T) {
	for question, want := range map[string]string{
		"Can you give me a short summary of my work with Oskar?":                               "my work with Oskar?",
		"Please summarise how the move to Utrecht went":                                        "the move to Utrecht went",
		"Could you please sum up what we decided about the roof in our conversations?":         "we decided about the roof?",
		"Give me an overview of the roof":                                                      "the roof",
		"List in order how I brought up the different parts of the boat":                       "the boat",
		"Walk me through the order in which I built the boat, in order.":                       "I built the boat.",
		"In which order did we bring up the sails and the keel?":                               "the sails and the keel?",
		"How has the boat changed over the last few months?":                                   "How has the boat changed over the last few months?",
		"Tell me in order what happened to the boat throughout our chats. Name only 3 things.": "happened to the boat.",
	} {
		if overview, got := recall.Requested(question); !overview || got != want {
			t.Errorf("%q: %v, %q, not %q", question, overview, got, want)
		}
	}
	for question, want := range map[string]string{
		"How many sails did I mention across all my sessions?": "How many sails did I mention?",
		"Which sail is red? Mention only the first.":           "Which sail is red?",

		"Where is the summary of the meeting?":     "Where is the summary of the meeting?",
		"What did I buy in order to fix the keel?": "What did I buy in order to fix the keel?",
		"Is the shopping list in the kitchen?":     "Is the shopping list in the kitchen?",
		"How did I carry the keel over the bridge": "How did I carry the keel over the bridge",
		"Who leads the sessions in the library?":   "Who leads the sessions in the library?",
		"":                                         "",
	} {
		if overview, got := recall.Requested(question); overview || got != want {
			t.Errorf("%q: %v, %q, not %q", question, overview, got, want)
		}
	}
	pasted := "Summarize this in order. " + strings.Repeat("In our session a valve broke, in order. ", 20)
	if overview, got := recall.Requested(pasted); overview || got != pasted {
		t.Errorf("what was pasted is %v, %q", overview, got)
	}
	if overview, got := recall.Requested("Summarize everything"); !overview || got != "Summarize everything" {
		t.Errorf("a request for nothing is %q", got)
	}
}

// TestOverviewCoversWhatWasSaid: one day has more good turns than are asked for, and
// each of six others two weaker ones.
func TestOverviewCoversWhatWasSaid(t *testing.T) {
	b := newBank(t, builtin())
	var turns []memory.Turn
	say := func(session string, index int, content string) {
		b.pass(time.Minute)
		turns = append(turns, memory.Turn{
			ID: b.ids.New(), Agent: "ann", Session: session, Index: index,
			Role: memory.RoleUser, Content: content, SaidAt: b.clock(), CreatedAt: b.clock(),
		})
	}
	for i := range 20 {
		say("long", i, fmt.Sprintf("The greenhouse has valve %d for %s.", i, subjects[i%len(subjects)]))
	}
	for i := range 6 {
		b.pass(24 * time.Hour)
		session := fmt.Sprint("short", i)
		say(session, 0, "In the greenhouse we put "+things[i]+", "+things[i+5]+" and "+things[i+9]+" behind one valve.")
		say(session, 1, "And in the greenhouse "+things[i+6]+" is before a valve, too.")
	}
	err := b.Write(t.Context(), "ann", func(tx memory.Tx) error {
		_, err := tx.InsertTurns(turns, make([][]float32, len(turns)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	answer := func(query string, without ...string) (results []recall.Result, sessions, openings int) {
		o := b.all.RecallOptions()
		o.Without = without
		s := recall.New(o)
		s.IndexAtOnce(math.MaxInt)
		results = ask(t, s, query, func(r *recall.Request) {
			r.Corpora, r.Limit = []memory.Corpus{memory.Conversations}, 10
		})
		seen := map[string]bool{}
		for _, r := range results {
			if r.Session != "long" && r.Index == 0 {
				openings++
			}
			seen[r.Session] = true
		}
		return results, len(seen), openings
	}
	const topic = "the greenhouse and its valve"
	plain, _, _ := answer(topic)
	overview, sessions, openings := answer("Can you give me a summary of " + topic + "?")
	if sessions < 4 || openings < 3 {
		t.Errorf("%d sessions and %d openings of short ones in an overview, want 4 and 3", sessions, openings)
	}
	if _, sessions, _ := answer("Can you give me a summary of "+topic+"?", "overview"); sessions != 1 {
		t.Errorf("%d sessions without it, want the long one", sessions)
	}
	if plain[0].Score != overview[0].Score {
		t.Errorf("the best has %v, not %v", overview[0].Score, plain[0].Score)
	}
}
