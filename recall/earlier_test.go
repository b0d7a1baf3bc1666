package recall_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// earlierIn returns what the results of a question say they said before.
func earlierIn(t *testing.T, s *recall.Service, scope memory.Scope, question string,
	edits ...func(*recall.Request)) (versions []recall.Version, answer recall.Answer) {
	t.Helper()
	r := recall.Request{Query: question, Scope: scope, Lenient: true, MinScore: recall.Floor}
	for _, edit := range edits {
		edit(&r)
	}
	answer, err := s.Recall(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range answer.Results {
		versions = append(versions, one.Earlier...)
	}
	return versions, answer
}

func said(versions []recall.Version) string {
	var parts []string
	for _, v := range versions {
		parts = append(parts, v.Content)
	}
	return strings.Join(parts, " ")
}

// TestEarlierVersionsOfTheStore: what a result has replaced stands with it, the
// newest first, unless it was forgotten or is of another project.
func TestEarlierVersionsOfTheStore(t *testing.T) {
	ann := memory.Scope{Agent: "ann"}
	b := newBank(t, builtin())
	s := b.service(b.Store)
	const question = "Where do I live?"
	ids := b.tell(t, ann, "I live in Groningen.", "I moved to Maastricht.", "I moved to Bergen.", "I moved to Bodø.", "I moved to Narvik.")
	versions, answer := earlierIn(t, s, ann, question)
	if len(answer.Results) != 1 || answer.Results[0].ID != ids[4] ||
		said(versions) != "I moved to Bodø. I moved to Bergen. I moved to Maastricht." {
		t.Fatalf("%q, earlier %q", contents(answer.Results), said(versions))
	}
	carl := memory.Scope{Agent: "carl"}
	b.tell(t, carl, "I live in Groningen.", "I moved to Maastricht.")
	if one, _ := earlierIn(t, s, carl, question); said(one) != "I live in Groningen." {
		t.Errorf("one earlier version: %q", said(one))
	}
	counted := 0
	for _, text := range append(strings.SplitAfter(said(versions), ". "), answer.Results[0].Content) {
		counted += b.all.Tokens.Count(strings.TrimSpace(text))
	}
	if answer.TotalTokens != counted {
		t.Errorf("%d tokens, want %d", answer.TotalTokens, counted)
	}
	step := time.Minute
	for i, v := range versions {
		if until := start.Add(time.Duration(5-i) * step); v.ID != ids[3-i] || !v.Until.Equal(until) || !v.From.Equal(until.Add(-step)) {
			t.Errorf("version %d: %+v, want until %s", i, v, until)
		}
	}
	budget := b.all.Tokens.Count("I moved to Narvik.") + b.all.Tokens.Count("I moved to Bodø.")
	if versions, answer = earlierIn(t, s, ann, question, func(r *recall.Request) { r.Tokens = budget }); len(versions) != 1 ||
		answer.TotalTokens > budget {
		t.Errorf("within %d tokens: %q of %d", budget, said(versions), answer.TotalTokens)
	}
	if versions, _ = earlierIn(t, s, ann, question,
		func(r *recall.Request) { r.Filter.KnownAt = start.Add(2*step + time.Second) }); strings.Contains(said(versions), "Bergen") {
		t.Errorf("as it was known then: %q", said(versions))
	}
	if _, err := b.all.Remember.Forget(t.Context(), ann, remember.ForgetRequest{IDs: []string{ids[3]}}); err != nil {
		t.Fatal(err)
	}
	if versions, _ = earlierIn(t, s, ann, question); strings.Contains(said(versions), "Bodø") {
		t.Errorf("a forgotten version: %q", said(versions))
	}
}

// TestVersionsThatNobodyReplaced: of facts that were imported side by side, what certainly is
// no longer so stands behind what is, marked, and as it was it comes first.
func TestVersionsThatNobodyReplaced(t *testing.T) {
	ann := memory.Scope{Agent: "ann"}
	b := newBank(t, builtin())
	s := b.service(b.Store)
	on := func(day int) func(*memory.Record) {
		return func(r *memory.Record) { r.OccurredAt = start.AddDate(0, 0, day) }
	}
	old, now, sisters := b.record("My manager is Petra Vos.", on(1)),
		b.record("My manager is Samir Haddad now.", on(2)), b.record("My sister's manager is Eva Lind.", on(3))
	b.save(t, b.Store, old, now, sisters)
	_, answer := earlierIn(t, s, ann, "Who is my manager?")
	if answer.Results[0].ID != now.ID || answer.Results[0].OutdatedBy != "" {
		t.Errorf("%q", contents(answer.Results))
	}
	for _, r := range answer.Results {
		if r.ID == old.ID && r.OutdatedBy != now.ID || r.ID == sisters.ID && r.OutdatedBy != "" {
			t.Errorf("%q is outdated by %q", r.Content, r.OutdatedBy)
		}
	}
	if _, answer = earlierIn(t, s, ann, "Who was my manager before?"); answer.Results[0].ID != old.ID {
		t.Errorf("as it was: %q", contents(answer.Results))
	}
}
