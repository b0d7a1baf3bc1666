package recall_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// varied returns a bank of records that differ in everything a filter looks at.
func varied(t *testing.T, n int) (*bank, []memory.Record) {
	b, random := newBank(t, builtin()), rand.New(rand.NewPCG(1, 1))
	var all []memory.Record
	for i := range n {
		b.pass(time.Hour)
		all = append(all, b.record(sentence(random, i), func(r *memory.Record) {
			r.Kind = []memory.Kind{memory.KindFact, memory.KindProcedure, memory.KindLongTerm}[i%3]
			r.Category = memory.DefaultCategories()[i%5].Name
			r.Project = []string{"", "alpha", "beta"}[i%3]
			r.Importance = float64(i%10) / 10
			if i%4 == 0 {
				r.Tags = []string{"red", "green"}[:1+i/4%2]
			}
			if i%6 == 0 {
				r.ValidFrom = start.AddDate(0, 0, i%60)
			}
			if i%7 == 0 {
				r.ValidUntil = start.AddDate(0, 0, 60+i%60)
			}
			if i%11 == 0 {
				r.OccurredAt = start.AddDate(-1, 0, i)
			}
		}))
	}
	b.save(t, b, all...)
	return b, all
}

func TestScoresDoNotDependOnThePath(t *testing.T) {
	b, _ := varied(t, 120)
	indexed, database := b.service(b), b.fallback()
	for _, q := range questions {
		for name, edit := range map[string]func(*recall.Request){
			"everything": func(*recall.Request) {},
			"ten":        func(r *recall.Request) { r.Limit = 10 },
			"a project":  func(r *recall.Request) { r.Scope.Project = "alpha" },
			"a kind":     func(r *recall.Request) { r.Filter.Kinds = []memory.Kind{memory.KindProcedure} },
			"then":       func(r *recall.Request) { r.Filter.AsOf = start.AddDate(0, 0, 30) },
		} {
			got, want := ask(t, database, q, edit), ask(t, indexed, q, edit)
			if err := same(got, want); err != nil {
				t.Errorf("%q, %s: from the database: %v", q, name, err)
			}
		}
	}
	if indexed.Indexed() != 1 || database.Indexed() != 0 {
		t.Error("the paths were not what they should be")
	}
}

// TestPathsAgreeOnWhatIsSetAside: what is archived, corrected or of another
// project is not found, and has no part in the scores of what is.
func TestPathsAgreeOnWhatIsSetAside(t *testing.T) {
	b, random := newBank(t, builtin()), rand.New(rand.NewPCG(2, 2))
	var all []memory.Record
	for i := range 160 {
		text := sentence(random, i)
		if i < len(questions) { // nothing covers a question as well as itself
			text = questions[i]
		}
		all = append(all, b.record(text, func(r *memory.Record) {
			r.Project = []string{"", "beta", "alpha", "gamma"}[i%4]
			if i%3 == 0 { // some of one moment, with others between them
				r.OccurredAt = start.AddDate(0, 0, -i/20)
			}
		}))
	}
	b.save(t, b, all...)
	for i, r := range all {
		switch {
		case i < len(questions) && i%2 == 0, i%10 == 3:
			b.change(t, r.ID, func(r *memory.Record) { r.ArchivedAt = b.clock() })
		case i%10 == 6:
			b.change(t, r.ID, func(r *memory.Record) { r.SupersededBy, r.SupersededAt = all[i-1].ID, b.clock() })
		}
	}
	agree(t, b, memory.Memories, questions)
}

func TestPathsAgreeOnConversations(t *testing.T) {
	b, random := newBank(t, builtin()), rand.New(rand.NewPCG(3, 3))
	var turns []memory.Turn
	index := map[string]int{}
	for i := range 240 {
		b.pass(time.Minute)
		session := []string{"long", "short", "helped", "long"}[i%4]
		if i%4 == 1 { // some of one turn, some of three
			session = []string{"short", "alone"}[i%2] + string(rune('a'+i/12))
		}
		turn := memory.Turn{
			ID: b.ids.New(), Agent: "ann", Session: session, Index: index[session], Speaker: subjects[random.IntN(3)],
			Content: sentence(random, i), SaidAt: b.clock(), CreatedAt: b.clock(),
		}
		if session == "helped" {
			turn.Speaker, turn.Role = "", []memory.Role{memory.RoleUser, memory.RoleAssistant}[index[session]%2]
		}
		if i%5 == 0 {
			turn.Content += " Do you know the router of the library?"
		}
		index[session]++
		turns = append(turns, turn)
	}
	err := b.Write(t.Context(), "ann", func(tx memory.Tx) error {
		vectors := make([][]float32, len(turns))
		for i, turn := range turns {
			one, err := b.embedder.EmbedDocuments(t.Context(), []string{turn.Content})
			if err != nil {
				return err
			}
			vectors[i] = one[0]
		}
		_, err := tx.InsertTurns(turns, vectors)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, b, memory.Conversations, append([]string{"What did Boris say about the router?", "you recommended a library"}, questions...))
}

// alike reports a difference among the first ten results, which ten they are
// included, or in the score of any that is in both lists. Which come last, far
// from the question, depends on who looked for candidates.
func alike(got, want []recall.Result) error {
	noise := func(r recall.Result) bool { return r.Score < recall.Floor } // which is of everything that was found
	got, want = slices.DeleteFunc(got, noise), slices.DeleteFunc(want, noise)
	if err := same(got[:min(10, len(got))], want[:min(10, len(want))]); err != nil {
		return err
	}
	scores := map[string]float64{}
	for _, r := range want {
		scores[r.ID] = r.Score
	}
	for _, r := range got {
		if score, both := scores[r.ID]; both && math.Abs(score-r.Score) > 1e-6 {
			return fmt.Errorf("score of %q is %v, want %v", r.Content, r.Score, score)
		}
	}
	return nil
}

// agree compares what the index and the database answer to questions.
func agree(t *testing.T, b *bank, c memory.Corpus, questions []string) {
	t.Helper()
	indexed, database := b.service(b), b.fallback()
	answers := 0
	for _, q := range questions {
		for _, project := range []string{"", "alpha", memory.AllProjects} {
			for _, limit := range []int{3, 10, 100} {
				edit := func(r *recall.Request) { r.Corpora, r.Scope.Project, r.Limit = []memory.Corpus{c}, project, limit }
				got, want := ask(t, database, q, edit), ask(t, indexed, q, edit)
				answers += len(want)
				if err := alike(got, want); err != nil {
					t.Errorf("%q, project %q, limit %d: from the database: %v", q, project, limit, err)
				}
			}
		}
	}
	if answers == 0 {
		t.Error("nothing was found to compare")
	}
}

// TestNarrowFilters compares with the answer to the question alone, from which
// everything is struck out that the filter does not allow. Scores may differ:
// meaning counts the more, the fewer words the best of what is allowed has.
func TestNarrowFilters(t *testing.T) {
	b, all := varied(t, 95)
	b.change(t, all[5].ID, func(r *memory.Record) { r.ArchivedAt = b.clock() })
	b.change(t, all[8].ID, func(r *memory.Record) { r.SupersededBy, r.SupersededAt = all[9].ID, b.clock() })
	s := b.service(b)
	live := func(r memory.Record) bool { return r.Live() }
	for name, c := range map[string]struct {
		filter memory.Filter
		allows func(memory.Record) bool
	}{
		"nothing": {memory.Filter{}, live},
		"kinds": {memory.Filter{Kinds: []memory.Kind{memory.KindProcedure, memory.KindLongTerm}},
			func(r memory.Record) bool { return live(r) && r.Kind != memory.KindFact }},
		"categories": {memory.Filter{Categories: []string{memory.DefaultCategories()[2].Name}},
			func(r memory.Record) bool { return live(r) && r.Category == memory.DefaultCategories()[2].Name }},
		"tags": {memory.Filter{Tags: []string{"red", "green"}}, func(r memory.Record) bool { return live(r) && len(r.Tags) == 2 }},
		"since": {memory.Filter{Since: start.Add(40 * time.Hour)},
			func(r memory.Record) bool { return live(r) && !r.EventTime().Before(start.Add(40*time.Hour)) }},
		"until": {memory.Filter{Until: start.Add(40 * time.Hour)},
			func(r memory.Record) bool { return live(r) && r.EventTime().Before(start.Add(40*time.Hour)) }},
		"archived": {memory.Filter{IncludeArchived: true}, func(r memory.Record) bool { return r.SupersededBy == "" }},
		"corrected": {memory.Filter{IncludeSuperseded: true, Kinds: []memory.Kind{memory.KindLongTerm}},
			func(r memory.Record) bool { return r.ArchivedAt.IsZero() && r.Kind == memory.KindLongTerm }},
	} {
		for _, q := range questions {
			everything := ask(t, s, q, func(r *recall.Request) {
				r.Filter.IncludeArchived, r.Filter.IncludeSuperseded, r.Explain = true, true, true
			})
			want := map[string]float64{}
			for _, r := range everything {
				if c.allows(r.Record) {
					want[r.ID] = r.Why.TextScore
				}
			}
			got := map[string]float64{}
			for _, r := range ask(t, s, q, func(r *recall.Request) { r.Filter, r.Explain = c.filter, true }) {
				got[r.ID] = r.Why.TextScore
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s, %q: found %v, want %v", name, q, got, want)
			}
		}
	}
}

func TestAsOf(t *testing.T) {
	b, all := varied(t, 95)
	s := b.service(b)
	at := start.AddDate(0, 0, 30)
	want := map[string]bool{}
	for _, r := range all {
		if (r.ValidFrom.IsZero() || !r.ValidFrom.After(at)) && (r.ValidUntil.IsZero() || r.ValidUntil.After(at)) {
			want[r.ID] = true
		}
	}
	for _, q := range questions {
		for _, r := range ask(t, s, q, func(r *recall.Request) { r.Filter.AsOf = at }) {
			if !want[r.ID] {
				t.Errorf("%q found %+v", q, r.Record)
			}
		}
	}
}

// TestFewOfManyProjects: what passes the filter is far behind in the whole bank.
func TestFewOfManyProjects(t *testing.T) {
	b := newBank(t, builtin())
	var all []memory.Record
	for i := range 1200 {
		all = append(all, b.record(sentence(rand.New(rand.NewPCG(1, uint64(i%40))), i), func(r *memory.Record) { r.Project = "big" }))
	}
	mine := b.record("A ferry was mentioned once, in passing, between other things that have nothing to do with it at all.",
		func(r *memory.Record) { r.Project = "small" })
	b.save(t, b, append(all, mine)...)
	for name, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		got := ask(t, s, "Who met the owner of the ferry?", func(r *recall.Request) { r.Scope.Project = "small" })
		if len(got) != 1 || got[0].ID != mine.ID {
			t.Errorf("%s: found %q", name, contents(got))
		}
	}
}

func TestOneAgentNeverSeesAnother(t *testing.T) {
	b := newBank(t, builtin())
	secret := b.record("Bob keeps the key of the harbour office under the third stone.", func(r *memory.Record) { r.Agent = "bob" })
	b.save(t, b, secret)
	b.save(t, b, b.record("Ann has a boat."))
	for name, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		for _, project := range []string{"", "x", memory.AllProjects} {
			for range 2 {
				for _, r := range ask(t, s, "key of the harbour office", func(r *recall.Request) { r.Scope.Project = project }) {
					if r.Agent != "ann" {
						t.Errorf("%s, project %q: %q", name, project, r.Content)
					}
				}
			}
		}
		bobs := ask(t, s, "key of the harbour office", func(r *recall.Request) { r.Scope.Agent, r.Scope.Project = "bob", "" })
		if len(bobs) != 1 || bobs[0].ID != secret.ID {
			t.Errorf("%s: bob found %q", name, contents(bobs))
		}
	}
}
