package render_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

// noon is a moment of a user whose zone is an hour ahead.
var words = render.Words{Clock: func() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("", 60*60)) }}

func day(month time.Month, of int) time.Time { return time.Date(2026, month, of, 0, 0, 0, 0, time.UTC) }

func fact(edit func(*recall.Result)) recall.Result {
	r := recall.Result{Score: 0.5}
	r.Corpus, r.ID, r.Kind, r.Category, r.Source, r.CreatedAt = memory.Memories,
		"a", memory.KindFact, "technical", memory.SourceUser, day(4, 1)
	edit(&r)
	return r
}

func TestFacts(t *testing.T) {
	for name, c := range map[string]struct {
		r    recall.Result
		want string
	}{
		"a memory": {fact(func(r *recall.Result) {
			r.Project, r.Tags = "acme/shop", []string{"anna", "oslo"}
			r.Mentions = []memory.Mention{{From: day(5, 4), To: day(5, 11), Text: "next\nweek"},
				{From: day(5, 8), To: day(5, 9), Text: "8 May 2026"}}
		}),
			"fact · technical · project acme/shop · saved 2026-04-01 · 30 days ago · “next week” is 2026-05-04 to 2026-05-10 · from user · #anna #oslo · score 0.50"},
		"an event": {fact(func(r *recall.Result) { r.OccurredAt, r.Score = time.Date(2026, 5, 2, 13, 30, 0, 0, time.UTC), 0 }),
			"fact · technical · happened 2026-05-02 14:30 · in 1 day · from user"},
		"a message": {fact(func(r *recall.Result) {
			r.Corpus, r.Kind, r.Speaker, r.Session, r.Source = memory.Conversations, memory.KindTurn, "Mia", "s1", ""
		}), "turn · Mia in s1 · said 2026-04-01 · 30 days ago · score 0.50"},
		"part of one": {fact(func(r *recall.Result) {
			r.Place, r.OccurredAt = &memory.Place{Path: "notes/plan.md", Line: 12, Heading: "Plan"}, day(3, 1)
		}), "notes/plan.md:12 · Plan · of 2026-03-01 · score 0.50"},
	} {
		if got := strings.Join(words.Result(c.r).Facts(), " · "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestMarks(t *testing.T) {
	for want, edit := range map[string]func(*recall.Result){
		"":                                    func(*recall.Result) {},
		"outdated since 2026-04-20 by b":      func(r *recall.Result) { r.SupersededBy, r.ValidUntil = "b", day(4, 20) },
		"outdated by c":                       func(r *recall.Result) { r.OutdatedBy, r.DoubtedBy = "c", "d" },
		"true until 2027-01-01":               func(r *recall.Result) { r.ValidUntil = day(13, 1) },
		"no longer true since 2026-02-01":     func(r *recall.Result) { r.ValidUntil = day(2, 1) },
		"may be out of date, see d":           func(r *recall.Result) { r.DoubtedBy = "d" },
		"true from 2026-06-01":                func(r *recall.Result) { r.ValidFrom = day(6, 1) },
		"pinned | archived":                   func(r *recall.Result) { r.Pinned, r.ArchivedAt = true, day(4, 2) },
		"rejected | overdue since 2026-04-30": func(r *recall.Result) { r.Tags, r.Overdue = []string{"Rejected"}, day(4, 30) },
		"damaged: not what was saved":         func(r *recall.Result) { r.Damaged = true },
	} {
		var got []string
		for _, m := range words.Result(fact(edit)).Marks {
			got = append(got, m.String())
		}
		if strings.Join(got, " | ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	said := fact(func(r *recall.Result) {
		r.Earlier = []recall.Version{{ID: "b", Content: "I live\nin Groningen", Until: day(4, 1)},
			{ID: "c", Content: strings.Repeat("word ", 60)}}
	})
	earlier := words.Result(said).Earlier
	if len(earlier) != 2 || earlier[0] != (render.Earlier{ID: "b", Text: "I live in Groningen (until 2026-04-01)"}) ||
		len([]rune(earlier[1].Text)) > 120 {
		t.Errorf("%+v", earlier)
	}
}

func TestAge(t *testing.T) {
	for want, at := range map[string]time.Time{
		"": {}, "just now": words.Clock.Now(), "1 minute ago": words.Clock.Now().Add(-time.Minute), "in 3 hours": words.Clock.Now().
			Add(3 * time.Hour),
		"today": day(5, 1), "1 day ago": day(4, 30), "3 months ago": day(1, 20), "2 years ago": day(-19, 1),
	} {
		if got := words.Age(at); got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

// What is shown of an answer: of a sure one what fits, of others the first three.
func TestShown(t *testing.T) {
	results := make([]recall.Result, 6)
	for i, score := range []float64{0.9, 0.3, 0.1, 0.1, 0.05, 0.01} {
		results[i].Score = score
	}
	for c, want := range map[recall.Confidence]int{recall.High: 4, recall.Medium: 4, recall.Low: 3, recall.None: 3} {
		if got := render.Shown(c, results); got != want {
			t.Errorf("%s: %d, want %d", c, got, want)
		}
		if got := render.Shown(c, results[:1]); got != 1 {
			t.Errorf("%s: %d of one", c, got)
		}
	}
	if render.Shown(recall.None, nil) != 0 || render.Verdict(recall.None, 0) == render.Verdict(recall.None, 1) {
		t.Error("nothing is not told apart")
	}
}

func TestBecause(t *testing.T) {
	r := fact(func(r *recall.Result) {
		r.Content = "Anna drinks tea, and the drinks are warm."
		r.Why = &recall.Why{MatchedTerms: []string{"drink", "anna"},
			Parts: []recall.Part{{Name: "gathered_best", Value: 2}, {Name: "words", Value: 0.5},
				{Name: "sentence", Value: 1}, {Name: "soft_best", Value: 0.1},
				{Name: "salience", Value: 0.1}, {Name: "stale", Value: -2}, {Name: "certainty", Value: -3}}}
	})
	want := "First because its words match (anna, drinks) and it is close in meaning, though it no longer holds."
	if got := render.Because(r, 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Why.Parts = []recall.Part{{Name: "salience", Value: 0.1}, {Name: "certainty", Value: -3}}
	if got, want := render.Because(r, 4), "Here because nothing else is nearer."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	reasons := render.Reasons(recall.Why{Parts: []recall.Part{{Name: "words", Value: 0.2}, {Name: "time", Value: 0.001},
		{Name: "vector", Value: 0.3}}})
	if len(reasons) != 2 || !slices.IsSortedFunc(reasons, func(a, b render.Reason) int { return int(100 * (b.Value - a.Value)) }) {
		t.Errorf("%+v", reasons)
	}
}
