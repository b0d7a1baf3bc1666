package recall_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// An explicit filter with a vague question returns all that matches it, whatever
// it scores, best first.
func TestExplicitFilters(t *testing.T) {
	b := newBank(t, builtin())
	for i, content := range []string{"The kiln is red.", "Irma has a cat.", "Jars are on the shelf.", "Nobody came.", "The wheel squeaks.",
		"It rained."} {
		b.pass(24 * time.Hour)
		b.save(t, b.Store, b.record(content, func(r *memory.Record) {
			r.OccurredAt = b.clock()
			if r.Category = "other"; i%2 == 0 {
				r.Category, r.Tags = "technical", []string{"shop"}
			}
		}))
	}
	s := recall.New(b.all.RecallOptions())
	for name, c := range map[string]struct {
		filter memory.Filter
		want   int
	}{
		"since":      {memory.Filter{Since: start.Add(60 * time.Hour)}, 4},
		"until":      {memory.Filter{Until: start.Add(60 * time.Hour)}, 2},
		"categories": {memory.Filter{Categories: []string{"technical"}}, 3},
		"tags":       {memory.Filter{Tags: []string{"shop"}}, 3},
	} {
		for _, question := range []string{"anything interesting?", "submarine", "what is there"} {
			got := ask(t, s, question, lenient, func(r *recall.Request) { r.Filter = c.filter })
			if len(got) != c.want || !slices.IsSortedFunc(got, func(a, b recall.Result) int { return compareScores(b, a) }) {
				t.Errorf("%s, %q: %d results, want %d by score", name, question, len(got), c.want)
			}
		}
	}
}

func compareScores(a, b recall.Result) int {
	switch {
	case a.Score < b.Score:
		return -1
	case a.Score > b.Score:
		return 1
	}
	return 0
}

// A question that is a time only filters by it.
func TestTimeOnly(t *testing.T) {
	b := newBank(t, builtin())
	for _, content := range []string{"Irma visited the guild.", "We fired the kiln.", "The wheel broke."} {
		b.save(t, b.Store, b.record(content, func(r *memory.Record) { r.OccurredAt = b.clock() }))
		b.pass(24 * time.Hour)
	}
	s := recall.New(b.all.RecallOptions())
	for question, want := range map[string]string{
		"yesterday": "The wheel broke.", "What happened yesterday?": "The wheel broke.", "What happened last Monday?": "We fired the kiln.",
	} {
		if got := ask(t, s, question, lenient); len(got) != 1 || got[0].Content != want {
			t.Errorf("%s: %d results", question, len(got))
		}
	}
}

// A question of stop words only finds itself, by its letters, strictly asked or not,
// and among so many records that all of them are not shown anyway.
func TestStopWordsOnly(t *testing.T) {
	for _, said := range []string{"I'm here for you. You've got this!", "where would you and I be", "Where would you and I be?"} {
		facts := []string{"The kiln is red.", "Irma said: " + said, "Irma said: And then what was it?"}
		for i := range 40 {
			facts = append(facts, fmt.Sprintf("Jar %d is on shelf %d.", i, i))
		}
		_, s := of(t, nil, facts...)
		for name, how := range map[string]func(*recall.Request){"lenient": lenient,
			"strict": func(r *recall.Request) { r.MinScore = recall.Floor }, "any": func(*recall.Request) {}} {
			got := ask(t, s, said, how)
			if len(got) == 0 || name == "strict" && len(got) > 1 || got[0].Content != facts[1] || got[0].Score < 0.5 {
				t.Errorf("%q, %s: %d results", said, name, len(got))
			}
		}
		if got := ask(t, s, "where would they and I have been", lenient); len(got) > 0 && got[0].Score > 0.5 {
			t.Errorf("not there: %q", got[0].Content)
		}
	}
}

// What was superseded is found if it is asked for, by a flag or by the question.
func TestIncludeSuperseded(t *testing.T) {
	b := newBank(t, builtin())
	old, now := b.record("The guild meets in Lugano."), b.record("The guild meets in Trieste.")
	old.SupersededBy = now.ID
	b.save(t, b.Store, now, old)
	s := recall.New(b.all.RecallOptions())
	for question, want := range map[string]int{"Where does the guild meet?": 1, "Where did the guild use to meet?": 2} {
		if got := ask(t, s, question, lenient); len(got) != want {
			t.Errorf("%s: %d results", question, len(got))
		}
	}
	for _, question := range []string{"Where does the guild meet?", "Where does the Guild meet?",
		"Is it in Trieste that the guild meets?"} { // by a name, too
		all := ask(t, s, question, lenient, func(r *recall.Request) { r.Filter = memory.Filter{IncludeSuperseded: true} })
		if len(all) != 2 || all[0].ID != now.ID {
			t.Errorf("%s: %d with the flag", question, len(all))
		}
	}
}
